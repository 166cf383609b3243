import BookIdentifiers
import BookMetadata
import BookstrackContract
import JSONRPC
import NIOConcurrencyHelpers
import NIOCore
import Observability
import ProviderClient
import SuiteMethods

/// Handles searches from api-proxy.
final class Searcher: Sendable {
    /// The time limit for a search: the caller's deadline minus the time that the response needs to reach the caller.
    private static let limit = SearchBooks.deadline - .milliseconds(300)
    /// Maximum time for which api-proxy may answer a search from memory. Afterwards, it asks the worker again, which notes the ISBNs in the response
    /// as requested, so that users can always report a book that they have just searched for (http-api.md "Reports").
    private static let maxFreshness = Duration.seconds(ISBNHistory.day / 2)
    /// TTL of a response whose authors are still being looked up.
    private static let freshWithoutAuthors = Duration.seconds(5)

    private let scheduler: QuestionScheduler
    private let cache: ProviderCache
    private let clock: any SuiteClock
    private let lastSearch = NIOLockedValueBox<UInt64>(0)

    init(scheduler: QuestionScheduler, cache: ProviderCache, clock: any SuiteClock) {
        self.scheduler = scheduler
        self.cache = cache
        self.clock = clock
    }

    /// Carries out a search.
    ///
    /// - Throws: `RPCApplicationError`, see ``SearchBooks``.
    func answer(_ parameters: SearchBooks.Parameters) async throws -> SearchAnswer {
        do {
            return try await find(parameters)
        } catch let failure as SearchFailure {
            throw failure.error
        }
    }

    private func find(_ parameters: SearchBooks.Parameters) async throws -> SearchAnswer {
        let query = parameters.query
        let asker = asker(of: parameters.client)
        let search = BookSearch(
            scheduler: scheduler, asker: asker, deadline: clock.now.advanced(by: Self.limit))
        guard query.kind != .editions else { return try await editions(query, search) }
        var findings: SearchFindings<BookHits>
        if query.kind == .isbn {
            guard let isbn = query.isbn.flatMap({ ISBN($0) }) else {
                throw RPCApplicationError(
                    code: APIErrorCode.invalidISBN.rawValue, message: "isbn must be a valid ISBN-10 or ISBN-13")
            }
            findings = try await search.book(isbn)
            // A provider that failed may have the book.
            let isFound = !findings.results.books.isEmpty
            if isFound || findings.failure == nil { cache.note([isbn: isFound ? .found : .failed(.notFound)]) }
        } else if query.kind == .author {
            findings = try await search.works(of: query)
        } else {
            findings = try await search.books(query)
        }
        cache.note(.init(returned: findings.results.editions))
        guard parameters.shape == .contract else {
            return try answer(findings.map { $0.volumes(isBibliography: query.kind == .author) })
        }
        let results = findings.map(\.results)
        return try answer(await withBackgrounds(results, asker))
    }

    /// The editions of a work; throws the reason if there are none.
    private func editions(_ query: SearchQuery, _ search: BookSearch) async throws -> SearchAnswer {
        let findings = try await search.editions(query)
        cache.note(.init(returned: findings.results.editions))
        guard findings.results.editions.isEmpty else { return try answer(findings) }
        if let failure = findings.failure { throw failure }
        throw RPCApplicationError(code: APIErrorCode.notFound.rawValue, message: "No editions of this work were found.")
    }

    private func asker(of client: String?) -> Asker {
        let number = lastSearch.withLockedValue { number in
            number += 1
            return number
        }
        return Asker(
            party: .search(number, client: client), workClass: .interactive, isAlone: true, cached: CachedAnswers())
    }

    /// Adds cached facts about authors to the response; missing facts are fetched for the next response (jobs.md "Retries").
    private func withBackgrounds(
        _ results: SearchFindings<SearchResults>, _ asker: Asker
    ) async -> SearchFindings<SearchResults> {
        var findings = results
        let backgrounds = AuthorBackgrounds(scheduler: scheduler, asker: asker)
        let answer = await backgrounds.cached(findings.results.authors)
        findings.results.authors = answer.known
        guard !answer.missing.isEmpty else { return findings }
        findings.freshFor = min(findings.freshFor, Self.freshWithoutAuthors)
        for question in answer.missing { scheduler.refresh(question) }
        return findings
    }

    private func answer<Results: Encodable & Sendable>(_ findings: SearchFindings<Results>) throws -> SearchAnswer {
        SearchAnswer(
            head: .init(
                provider: findings.provider?.rawValue ?? "none",
                ageSeconds: findings.age.map { Int($0 / .seconds(1)) },
                freshSeconds: Int(min(findings.freshFor, Self.maxFreshness) / .seconds(1)), isStale: findings.isStale,
                providers: findings.reports),
            data: try BodyCoding.encode(findings.results))
    }
}

/// The result of a search and its metadata.
struct SearchFindings<Results: Sendable>: Sendable {
    var results: Results
    /// The provider that supplied the first match.
    let provider: DataProvider?
    /// Age of the oldest answer if all answers were cached, otherwise nil.
    let age: Duration?
    /// Time until the result expires; zero if a provider failed.
    var freshFor: Duration
    let isStale: Bool
    /// The providers that failed, if others answered; nil if none failed.
    let failure: SearchFailure?

    /// The same metadata with a transformed result.
    func map<Others: Sendable>(_ transform: (Results) -> Others) -> SearchFindings<Others> {
        SearchFindings<Others>(
            results: transform(results), provider: provider, age: age, freshFor: freshFor, isStale: isStale,
            failure: failure)
    }

    /// The outcome of each provider; nil unless one failed.
    var reports: [ProviderReport]? { failure?.reports }
}

/// Providers that did not answer a search; thrown if none answered or, in a search for editions, if no edition was found (http-api.md "Searches").
struct SearchFailure: Error, Sendable {
    let failures: [QuestionFailure]
    let reports: [ProviderReport]

    /// A timeout if all failures are timeouts, a quota error if all are exhausted quotas, otherwise a provider error.
    var code: APIErrorCode {
        let outcomes = Set(failures.map(\.outcome))
        if outcomes == [.timeout] { return .providerTimeout }
        return outcomes == [.quotaExhausted] ? .quotaExhausted : .providerError
    }

    var error: RPCApplicationError {
        let reasons = failures.map(\.phrase).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let wait = failures.compactMap(\.retryAfter).min()
        return RPCApplicationError(
            code: code.rawValue, message: "No result: \(reasons.joined(separator: "; ")).",
            retryAfterSeconds: wait.map { max(1, Int($0 / .seconds(1))) })
    }
}
