import BookstrackContract
import JSONRPC
import NIOCore
import SuiteMethods
import TestSupport
import Testing

@testable import APIProxy

@Suite("Insights into a job's books")
struct InsightsRouteTests {
    private static let path = "/v1/jobs/job-12345/insights"

    private static func row(
        _ title: String, year: Int? = nil, language: String? = nil, tags: [String] = [], _ authors: AuthorDTO...
    ) throws -> String {
        var book = EnrichedBook(asked: BookQuery(title: title), success: true)
        var work = WorkDTO(title: title)
        work.firstPublicationYear = year
        work.originalLanguage = language
        work.subjectTags = tags
        book.enriched = EnrichedMetadata(work: work, edition: nil, authors: authors)
        return String(buffer: try BodyCoding.encode(book))
    }

    private static let leGuin = {
        var author = AuthorDTO(name: "Ursula K. Le Guin", openLibraryID: "OL31353A")
        author.gender = .female
        author.culturalRegion = .northAmerica
        author.nationality = "United States"
        return author
    }()

    private static func rows() throws -> [[String]] {
        let plain = AuthorDTO(name: "Ursula K. Le Guin", openLibraryID: "OL31353A")
        return [
            [
                try row("Rocannon's World", year: 1966, language: "en", tags: ["Science Fiction", "Winter"], plain),
                try row("The Dispossessed", year: 1974, language: "en", tags: ["Science Fiction", "Fiction"], leGuin),
            ],
            [
                try row("The Odyssey", year: -725, language: "grc", tags: ["Ithaca"], AuthorDTO(name: "Homer")),
                #"{"title":"Nothing","success":false,"error":"Not found","errorCode":"NOT_FOUND","retryable":false}"#,
            ],
        ]
    }

    private func insights(_ script: FakeHost.Script, at path: String = path) async throws -> HTTPAnswer {
        var answer: HTTPAnswer?
        try await RunningProxy.run(script: script, { _ in }) { answer = try await $0.request("GET", path) }
        return try #require(answer)
    }

    @Test("books are counted across all pages, and each author once, with facts from whichever row has them")
    func counts() async throws {
        let answer = try await insights(.init(rows: Self.rows()))
        #expect(answer.status == 200)
        let insights = try answer.decode(SuccessEnvelope<JobInsights>.self).data
        #expect(insights.books == 4)
        #expect(insights.found == 3)
        #expect(insights.authors == 2)
        #expect(insights.gender == .init(total: 2, unknown: 1, counts: ["Female": 1]))
        #expect(insights.gender.unknownShare == 0.5)
        #expect(insights.nationality.values == [.init(value: "United States", count: 1)])
        #expect(insights.culturalRegion.values == [.init(value: "North America", count: 1)])
        #expect(insights.decade.values.map(\.value).sorted() == ["-730", "1960", "1970"])
        #expect(insights.language.values == [.init(value: "en", count: 2), .init(value: "grc", count: 1)])
        #expect(insights.genre.values.map(\.value) == ["Science Fiction", "Fiction"])
        #expect(insights.genre.values.map(\.count) == [2, 1])
        #expect(insights.genre.unknown == 1)
    }

    @Test("insights into a scan are based on the lookup results for the scanned books")
    func scan() throws {
        var count = InsightsCount()
        let rows = ByteBuffer(
            string: """
                {"title":"Dune","enrichment":{"status":"success","work":{"title":"Dune","subjectTags":["Fantasy"]},
                "editions":[{"language":"en","publicationDate":"1965-08-01"}],"authors":[{"name":"Frank Herbert",
                "gender":"Male"}]}},{"title":"Blurred"}
                """)
        try count.add(ResultsPage(next: nil, rows: rows))
        let insights = count.insights(of: .random(), revision: 0)
        #expect(insights.books == 2)
        #expect(insights.found == 1)
        #expect(insights.decade.values == [.init(value: "1960", count: 1)])
        #expect(insights.language.values == [.init(value: "en", count: 1)])
        #expect(insights.gender.values == [.init(value: "Male", count: 1)])
    }

    @Test("insights into a job without books contain only zeros")
    func empty() async throws {
        let insights = try await insights(.init(rows: [[]])).decode(SuccessEnvelope<JobInsights>.self).data
        #expect(insights.books == 0)
        #expect(insights.genre == .init(total: 0, unknown: 0, counts: [:]))
    }

    @Test("before the job ends, insights are refused with a 404")
    func early() async throws {
        let early = RPCError(.remote(code: -32000, message: "not yet", data: RPCErrorDetail(code: "NOT_FOUND")))
        let answer = try await insights(.init(pageFailures: [0: [early]]))
        #expect(answer.status == 404)
        #expect(try answer.failure.code == .notFound)
    }

    @Test("a request for insights into an import without a linked lookup receives a 404")
    func imported() async throws {
        var script = FakeHost.Script()
        let job = try #require(JobID("job-12345"))
        script.head = ReadResults.Head(
            jobId: job, pipeline: .csvImport, resultsRevision: 0, expiresAt: "", successCount: 0, failureCount: 0)
        let answer = try await insights(script)
        #expect(answer.status == 404)
        #expect(try answer.failure.message.contains("not looked up"))
    }

    @Test("a client that disconnects ends the computation of its insights", .timeLimit(.minutes(1)))
    func disconnected() async throws {
        // Reading all of these pages would take minutes.
        let rows = [[String]](repeating: [], count: 1_000_000)
        try await RunningProxy.run(script: .init(rows: rows), { _ in }) { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send("GET \(Self.path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await until { proxy.services.readings.counts.running > 0 }
            await connection.close()
            try await until { proxy.services.readings.counts.running == 0 }
        }
    }

    @Test("a finished request for insights releases its permit")
    func permit() async throws {
        try await RunningProxy.run(script: .init(rows: Self.rows()), { _ in }) { proxy in
            let answer = try await proxy.request("GET", Self.path)
            #expect(answer.status == 200)
            #expect(proxy.services.readings.counts.running == 0)
        }
    }
}
