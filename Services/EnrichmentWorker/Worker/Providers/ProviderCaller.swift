import BookMetadata
import Foundation
import ProviderHTTP

/// Makes provider calls and reads their answers.
struct ProviderCaller: Sendable {
    let openLibrary: ProviderClient
    let googleBooks: ProviderClient
    /// Requests of the day that are kept for books that only Google Books knows.
    let googleBooksReserve: Int
    /// Nil without a key.
    let isbndb: ProviderClient?
    /// Requests of the day that are kept for books that only ISBNdb knows.
    let isbndbReserve: Int
    let wikidata: ProviderClient
    /// Time between two requests to a provider that is asked in shared requests; absent without a limit.
    let spacings: [ProviderName: Duration]

    /// All that are configured.
    var clients: [ProviderClient] { ProviderName.allCases.compactMap(client(of:)) }

    /// The client of a provider; nil when it is not configured.
    func client(of provider: ProviderName) -> ProviderClient? {
        switch provider {
        case .openLibrary: openLibrary
        case .googleBooks: googleBooks
        case .isbndb: isbndb
        case .wikidata: wikidata
        }
    }

    /// An answer to each question of the call; a provider that says nothing about one has answered "none".
    func answers(to call: ProviderCall) async -> [Question: QuestionScheduler.Answer] {
        guard call.kind != .authors else {
            return await AuthorCall(client: wikidata, priority: call.rank.priority, deadline: call.deadline)
                .answers(to: call.questions)
        }
        do throws(QuestionFailure) {
            let body = try await get(call)
            let records = try body.map { body throws(QuestionFailure) in try read(body, call) } ?? [:]
            return Dictionary(uniqueKeysWithValues: call.questions.map { ($0, .success(records[$0] ?? .none)) })
        } catch {
            return Dictionary(uniqueKeysWithValues: call.questions.map { ($0, .failure(error)) })
        }
    }

    /// Merged works that are followed; a longer chain leads nowhere.
    private static let mostMerges = 3

    /// The answer's body; nil when it says "none". A work that was merged is the one that it was merged into.
    private func get(_ call: ProviderCall) async throws(QuestionFailure) -> Data? {
        guard case .work = call.questions[0] else { return try await get(ProviderPath.of(call.questions), call) }
        var path = ProviderPath.of(call.questions)
        for _ in 0...Self.mostMerges {
            guard let body = try await get(path, call) else { return nil }
            do throws(ProviderBodyError) {
                switch try OpenLibrary.decodeRetirement(body) {
                case nil: return body
                case .deleted: return nil
                case .merged(let key): path = OpenLibraryRequests.work(key)
                }
            } catch {
                throw QuestionFailure(call.kind.provider, error)
            }
        }
        return nil
    }

    /// The body under a path; nil for a 404 that says "none". Where an empty list says so, 404 is a wrong address, which must not be
    /// taken for "not found" (jobs.md "Work").
    private func get(_ path: String, _ call: ProviderCall) async throws(QuestionFailure) -> Data? {
        let provider = call.kind.provider
        guard let client = client(of: provider) else { throw .refused(provider) }
        let body = ProviderPath.body(call.questions)
        let answer = try await client.ask(
            path, json: body, from: provider, priority: call.rank.priority, deadline: call.deadline,
            client: call.client)
        guard answer.status == 404 else { return answer.body }
        guard body == nil, call.questions.allSatisfy(\.maySayNoneBy404) else {
            throw .call(provider, .httpStatus(404))
        }
        return nil
    }

    private func read(_ body: Data, _ call: ProviderCall) throws(QuestionFailure) -> [Question: ProviderRecords] {
        do throws(ProviderBodyError) {
            return try ProviderBody(body).records(for: call.questions)
        } catch {
            throw QuestionFailure(call.kind.provider, error)
        }
    }
}

extension ProviderClient {
    /// The same with failures as the scheduler tells them.
    ///
    /// - Parameter json: What is posted; nil for a GET.
    func ask(
        _ path: String, json: String? = nil, from provider: ProviderName, priority: CallPriority,
        deadline: MonotonicInstant, client: String? = nil
    ) async throws(QuestionFailure) -> ProviderAnswer {
        do throws(ProviderFailure) {
            guard let json else { return try await get(path, priority: priority, deadline: deadline, client: client) }
            return try await post(path, json: json, priority: priority, deadline: deadline, client: client)
        } catch {
            throw error == .cancelled ? .withdrawn : .call(provider, error)
        }
    }
}
