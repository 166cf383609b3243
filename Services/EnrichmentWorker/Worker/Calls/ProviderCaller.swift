import BookMetadata
import Foundation
import ProviderClient
import Transfer

/// Makes provider calls and decodes their responses.
struct ProviderCaller: Sendable {
    let openLibrary: ProviderClient
    let googleBooks: ProviderClient
    /// Number of daily requests reserved for books that only Google Books has.
    let googleBooksReserve: Int
    /// The client for ISBNdb; nil without a key.
    let isbndb: ProviderClient?
    /// Number of daily requests reserved for books that only ISBNdb has.
    let isbndbReserve: Int
    let wikidata: ProviderClient
    /// The budgets of Open Library and ISBNdb, if their rates are limited. They decide when a request is composed, so questions gather until then.
    let pacers: [ProviderName: RequestBudget]

    /// All configured clients.
    var clients: [ProviderClient] { ProviderName.allCases.compactMap(client(of:)) }

    /// The client for a provider; nil if it is not configured.
    func client(of provider: ProviderName) -> ProviderClient? {
        switch provider {
        case .openLibrary: openLibrary
        case .googleBooks: googleBooks
        case .isbndb: isbndb
        case .wikidata: wikidata
        }
    }

    /// Number of a provider's daily requests that are reserved for books that only it has.
    func reserve(of provider: ProviderName) -> Int {
        switch provider {
        case .googleBooks: googleBooksReserve
        case .isbndb: isbndbReserve
        case .openLibrary, .wikidata: 0
        }
    }

    /// Maximum number of moved records to follow; a longer chain counts as "none".
    private static let maxMoves = 3

    /// Returns the answers to all questions of the call; the answer to a question that is missing from the provider's response is "none".
    ///
    /// - Parameter turn: The turn for the first request, if the provider has a pacer.
    func answers(to call: ProviderCall, turn: BudgetTurn?) async -> [Question: QuestionScheduler.Answer] {
        switch call.kind.method {
        case .authorSearches:
            return await AuthorCall(client: wikidata, priority: call.rank.priority, deadline: call.deadline)
                .answers(to: call.questions)
        case .request(let make, let read):
            do throws(QuestionFailure) {
                let records = try await records(of: make(call.questions), call, turn, read)
                return Dictionary(uniqueKeysWithValues: call.questions.map { ($0, .success(records[$0] ?? .none)) })
            } catch {
                return Dictionary(uniqueKeysWithValues: call.questions.map { ($0, .failure(error)) })
            }
        }
    }

    /// Returns the records in the response to a request. Follows records that have been moved.
    private func records(
        of first: ProviderRequest?, _ call: ProviderCall, _ turn: BudgetTurn?,
        _ read: (Data, [Question]) throws(ProviderBodyError) -> ProviderReading
    ) async throws(QuestionFailure) -> [Question: ProviderRecords] {
        guard var request = first else { throw .refused(call.kind.provider) }
        var turn = turn
        for _ in 0...Self.maxMoves {
            guard let body = try await send(request, call, turn) else { return [:] }
            turn = nil
            do throws(ProviderBodyError) {
                switch try read(body, call.questions) {
                case .records(let records): return records
                case .moved(let next): request = next
                }
            } catch {
                throw QuestionFailure(call.kind.provider, error)
            }
        }
        return [:]
    }

    /// Returns the body of the response; nil for a 404 that means "none". If the provider reports "none" with an empty list, a 404 means a wrong URL,
    /// which must not be mistaken for "not found" (jobs.md "Work").
    private func send(
        _ request: ProviderRequest, _ call: ProviderCall, _ turn: BudgetTurn?
    ) async throws(QuestionFailure) -> Data? {
        let provider = call.kind.provider
        guard let client = client(of: provider) else { throw .refused(provider) }
        let answer = try await client.ask(
            request.path, json: request.body, from: provider, priority: call.rank.priority, deadline: call.deadline,
            client: call.client, turn: turn)
        guard answer.status == 404 else { return answer.body }
        guard request.body == nil, call.kind.saysNoneBy404 else { throw .call(provider, .httpStatus(404)) }
        return nil
    }
}

extension ProviderClient {
    /// Makes a GET or POST request; failures are thrown as ``QuestionFailure``.
    ///
    /// - Parameter json: The body of a POST; nil for a GET.
    func ask(
        _ path: String, json: String? = nil, from provider: ProviderName, priority: CallPriority,
        deadline: MonotonicInstant, client: String? = nil, turn: BudgetTurn? = nil
    ) async throws(QuestionFailure) -> ProviderAnswer {
        do throws(ProviderFailure) {
            guard let json else {
                return try await get(path, priority: priority, deadline: deadline, client: client, turn: turn)
            }
            return try await post(
                path, json: TransferBody([.text(json)]), priority: priority, deadline: deadline, client: client,
                turn: turn)
        } catch {
            throw error == .cancelled ? .withdrawn : .call(provider, error)
        }
    }
}
