import BookstrackContract
import Foundation
import HTTPTypes
import Hummingbird
import JSONRPC
import NIOCore
import SuiteMethods

/// `GET /v1/jobs/{jobId}/insights`: statistics on the books of a job (metadata.md "Insights"). Like results, insights require only the jobId.
///
/// The rows are read page by page, like results that are sent to a client, so that only one page is in memory at a time.
struct InsightsRoute: Sendable {
    static let path = "/v1/jobs/{jobId}/insights"

    let host: RPCClient
    let limiter: ReadingLimiter
    let aborted: AbortedConnections
    let trustedProxies: TrustedProxies

    var routes: [Route] {
        [
            Route(.get, Self.path, limit: .jobReading) { request, context in
                let jobId = try context.jobId()
                let client = trustedProxies.clientNetwork(peer: context.peer, fields: request.headers)
                let answer = try await aborted.cancelling(context.channel) {
                    let permit = try await limiter.permit(for: client, on: context.channel.eventLoop)
                    defer { withExtendedLifetime(permit) {} }
                    try? await host.waitUntilConnected(within: ResultsReading.connectionWait)
                    return try await insights(of: jobId)
                }
                return .envelope(.ok, answer, context)
            }
        ]
    }

    /// Computes the insights of a job or, for an import, of the job that looks up its books. Throws `RPCError`, for example with `NOT_FOUND` before
    /// the end of the job; `APIFailure` for an import without a lookup; `DecodingError`; or `CancellationError`.
    private func insights(of jobId: JobID) async throws -> JobInsights {
        let opening = try await paced(\.page) { try await host.results(of: jobId) }
        guard opening.head.pipeline != .csvImport else {
            return try await insights(of: host.linkedJob(ofImport: jobId))
        }
        var count = InsightsCount()
        var page = opening.page
        try count.add(page)
        while let cursor = page.next {
            page = try await paced(\.self) { try await host.resultsPage(of: jobId, at: cursor) }
            try count.add(page)
        }
        return count.insights(of: jobId, revision: opening.head.resultsRevision)
    }

    /// Makes a call that reads a page once the pacer allows it. Throws `RPCError` or `CancellationError`.
    private func paced<Answer>(
        _ page: (Answer) -> ResultsPage, _ read: () async throws -> Answer
    ) async throws -> Answer {
        let reservation = limiter.reservePage()
        if reservation.delay > .zero { try await Task.sleep(for: .nanoseconds(reservation.delay.nanoseconds)) }
        let answer = try await read()
        limiter.settle(reservation, bytes: page(answer).rows.readableBytes)
        return answer
    }
}

extension RPCClient {
    /// The job that looks up the books of an import. Throws `RPCError`, and `APIFailure` for an import without a lookup.
    func linkedJob(ofImport jobId: JobID) async throws -> JobID {
        let results = try await read(
            .importResults, ReadImportResults.Parameters(jobId: jobId), ReadImportResults.init(raw:))
        guard let linked = results.head.enrichment else {
            throw APIFailure(
                .notFound, "The books of this import were not looked up.", details: ["jobId": .text(jobId.text)])
        }
        return linked
    }
}

/// Computes statistics on the rows of a job's results.
struct InsightsCount {
    /// The part of a row that is counted. A scanned book has `enrichment` instead of `enriched`.
    private struct Row: Decodable {
        var enriched: Book?
        var enrichment: Book?
    }

    private struct Book: Decodable {
        struct Work: Decodable {
            var firstPublicationYear: Int?
            var originalLanguage: String?
            var subjectTags: [String]
        }

        struct Edition: Decodable {
            var publicationDate: String?
            var language: String?
        }

        var work: Work
        var edition: Edition?
        var editions: [Edition]?
        var authors: [AuthorDTO]
    }

    /// How often each value occurs, and how many books or authors have a value.
    private struct Tally {
        var counts: [String: Int] = [:]
        var known = 0

        mutating func add(_ values: some Collection<String>) {
            guard !values.isEmpty else { return }
            known += 1
            for value in values { counts[value, default: 0] += 1 }
        }

        func distribution(of total: Int) -> JobInsights.Distribution {
            .init(total: total, unknown: total - known, counts: counts)
        }
    }

    private static let genres = Set(Genre.allCases.map(\.rawValue))

    private var books = 0
    private var found = 0
    /// Authors by identifier or, without one, by name. Facts that are missing in one row are taken from another.
    private var authors: [String: AuthorDTO] = [:]
    private var decades = Tally()
    private var languages = Tally()
    private var genres = Tally()

    /// Adds the rows of a page. Throws `DecodingError`.
    mutating func add(_ page: ResultsPage) throws {
        for row in try page.rows(as: Row.self) { add(row) }
    }

    private mutating func add(_ row: Row) {
        books += 1
        guard let book = row.enriched ?? row.enrichment else { return }
        found += 1
        let edition = book.edition ?? book.editions?.first
        let year = book.work.firstPublicationYear ?? edition?.publicationDate.flatMap { Int($0.prefix(4)) }
        decades.add(year.map { ["\(Self.decade(of: $0))"] } ?? [])
        languages.add([edition?.language ?? book.work.originalLanguage].compactMap(\.self))
        genres.add(Set(book.work.subjectTags).intersection(Self.genres))
        for author in book.authors { add(author) }
    }

    /// The first year of the decade that contains `year`; years BCE are negative.
    private static func decade(of year: Int) -> Int { year - (year % 10 + 10) % 10 }

    private mutating func add(_ author: AuthorDTO) {
        let identity = author.openLibraryID ?? author.name.lowercased()
        guard var known = authors[identity] else {
            authors[identity] = author
            return
        }
        if known.gender == .unknown { known.gender = author.gender }
        known.culturalRegion = known.culturalRegion ?? author.culturalRegion
        known.nationality = known.nationality ?? author.nationality
        authors[identity] = known
    }

    func insights(of jobId: JobID, revision: Int) -> JobInsights {
        var (genders, regions, nationalities) = (Tally(), Tally(), Tally())
        for author in authors.values {
            genders.add(author.gender == .unknown ? [] : [author.gender.rawValue])
            regions.add([author.culturalRegion?.rawValue].compactMap(\.self))
            nationalities.add([author.nationality].compactMap(\.self))
        }
        return JobInsights(
            jobId: jobId, resultsRevision: revision, books: books, found: found, authors: authors.count,
            gender: genders.distribution(of: authors.count), culturalRegion: regions.distribution(of: authors.count),
            nationality: nationalities.distribution(of: authors.count), decade: decades.distribution(of: found),
            language: languages.distribution(of: found), genre: genres.distribution(of: found))
    }
}
