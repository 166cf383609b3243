import BookIdentifiers
import BookMetadata
import BookstrackContract
import Foundation
import ProviderHTTP

/// Makes provider calls and reads their answers.
struct ProviderCaller: Sendable {
    let openLibrary: ProviderClient
    let googleBooks: ProviderClient
    /// Time between two requests to Open Library; nil without a limit.
    let openLibrarySpacing: Duration?

    /// The client of a provider.
    func client(of provider: ProviderName) -> ProviderClient {
        provider == .googleBooks ? googleBooks : openLibrary
    }

    /// An answer to each question of the call; a provider that says nothing about one has answered "none".
    func answers(to call: ProviderCall) async -> [Question: ProviderDesk.Answer] {
        do throws(QuestionFailure) {
            let body = try await get(path(call), call)
            let records = try body.map { body throws(QuestionFailure) in try read(body, call.questions) } ?? [:]
            return Dictionary(uniqueKeysWithValues: call.questions.map { ($0, .success(records[$0] ?? .none)) })
        } catch {
            return Dictionary(uniqueKeysWithValues: call.questions.map { ($0, .failure(error)) })
        }
    }

    /// The answer's body; nil for a 404 that says "no such record". A list that is empty is no 404: there a wrong address answers,
    /// and that must not be taken for "not found" (spec/07).
    private func get(_ path: String, _ call: ProviderCall) async throws(QuestionFailure) -> Data? {
        let answer: ProviderAnswer
        do throws(ProviderFailure) {
            answer = try await client(of: call.kind.provider).get(
                path, priority: call.rank.priority, deadline: call.deadline)
        } catch {
            throw error == .cancelled ? .withdrawn : .call(call.kind.provider, error)
        }
        guard answer.status == 404 else { return answer.body }
        guard call.questions.allSatisfy(\.namesOneRecord) else {
            throw .call(call.kind.provider, .httpStatus(answer.status))
        }
        return nil
    }

    private func path(_ call: ProviderCall) -> String {
        let numbers = call.questions.compactMap(\.isbn)
        switch call.questions[0] {
        case .edition: return OpenLibraryRequests.details(numbers)
        case .editionKey: return OpenLibraryRequests.details(editionKeys: call.questions.compactMap(\.editionKey))
        case .workFacts: return OpenLibraryRequests.workFacts(numbers)
        case .work(let key): return OpenLibraryRequests.work(key)
        case .works(let question):
            return OpenLibraryRequests.titleSearch(title: question.title, author: question.author)
        case .volumes(let isbn): return GoogleBooksRequests.isbn(isbn, key: nil)
        case .volumesByTitle(let question):
            return GoogleBooksRequests.titleSearch(title: question.title, author: question.author, key: nil)
        }
    }

    private func read(
        _ body: Data, _ questions: [Question]
    ) throws(QuestionFailure) -> [Question: ProviderRecords] {
        do throws(ProviderBodyError) {
            return try ProviderBody(body).records(for: questions)
        } catch {
            throw .body(error)
        }
    }
}

extension Question {
    fileprivate var editionKey: String? {
        if case .editionKey(let key) = self { key } else { nil }
    }
}
