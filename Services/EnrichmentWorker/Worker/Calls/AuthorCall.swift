import BookMetadata
import Foundation
import ProviderClient

/// Queries Wikidata about several authors: a search for each name, then shared requests for the items of all authors (metadata.md "Authors").
struct AuthorCall: Sendable {
    /// Maximum number of items in one request. The API accepts twice as many, but well-known authors' items are large, and the size of a response is
    /// limited.
    private static let itemsPerRequest = WikidataRequests.batchSize / 2

    let client: ProviderClient
    let priority: CallPriority
    let deadline: MonotonicInstant

    /// The facts about each author that Wikidata identifies unambiguously; "none" or a failure for the others.
    func answers(to questions: [Question]) async -> [Question: QuestionScheduler.Answer] {
        let found = await withTaskGroup(of: (Question, Result<[String], QuestionFailure>).self) { group in
            for question in questions {
                guard let query = question.author else { continue }
                group.addTask { (question, await candidates(for: query)) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        let items = await people(Set(found.values.flatMap { (try? $0.get()) ?? [] }).sorted())
        return Dictionary(uniqueKeysWithValues: questions.map { ($0, answer($0, found[$0], items)) })
    }

    private func answer(
        _ question: Question, _ candidates: Result<[String], QuestionFailure>?,
        _ items: [String: Result<PersonRecord?, QuestionFailure>]
    ) -> QuestionScheduler.Answer {
        guard let query = question.author, let candidates else { return .success(.none) }
        do throws(QuestionFailure) {
            var people: [PersonRecord] = []
            for id in try candidates.get() {
                if let person = try items[id]?.get() { people.append(person) }
            }
            return .success(ProviderRecords(background: AuthorIdentity.background(of: query, among: people)))
        } catch {
            return .failure(error)
        }
    }

    private func candidates(for query: AuthorQuery) async -> Result<[String], QuestionFailure> {
        await ask(WikidataRequests.search(query.name), Wikidata.decodeSearch)
    }

    /// The record of each item, or why it could not be read; nil for an item that no longer exists.
    private func people(_ ids: [String]) async -> [String: Result<PersonRecord?, QuestionFailure>] {
        var people: [String: Result<PersonRecord?, QuestionFailure>] = [:]
        for start in stride(from: 0, to: ids.count, by: Self.itemsPerRequest) {
            let some = ids[start..<min(start + Self.itemsPerRequest, ids.count)]
            people.merge(await items(some)) { first, _ in first }
        }
        return people
    }

    /// Fetches a set of items with one request. If the provider accepts only fewer items or the response is too long, each half is fetched
    /// separately, so that a few very large items do not leave the others without an answer.
    private func items(_ ids: ArraySlice<String>) async -> [String: Result<PersonRecord?, QuestionFailure>] {
        let records = await ask(WikidataRequests.entities(Array(ids)), Wikidata.decodeEntities)
        let isSplit =
            switch records {
            case .failure(.call(_, .tooLarge)), .failure(.tooManyValues): ids.count > 1
            default: false
            }
        guard isSplit else { return Dictionary(uniqueKeysWithValues: ids.map { id in (id, records.map { $0[id] }) }) }
        let middle = ids.startIndex + ids.count / 2
        return await items(ids[..<middle]).merging(await items(ids[middle...])) { first, _ in first }
    }

    private func ask<Value: Sendable>(
        _ path: String, _ decode: (Data) throws(ProviderBodyError) -> Value
    ) async -> Result<Value, QuestionFailure> {
        let answer: ProviderAnswer
        do throws(QuestionFailure) {
            answer = try await client.ask(path, from: .wikidata, priority: priority, deadline: deadline)
        } catch {
            return .failure(error)
        }
        guard answer.status != 404 else { return .failure(.call(.wikidata, .httpStatus(404))) }
        do throws(ProviderBodyError) {
            return .success(try decode(answer.body))
        } catch {
            return .failure(QuestionFailure(.wikidata, error))
        }
    }
}
