import BookstrackContract
import Foundation
import JSONRPC
import SuiteMethods
import Testing
@testable import APIProxy

@Suite("Import results", .timeLimit(.minutes(1)))
struct ImportResultsTests {
    private static func pages() throws -> [(ImportPart, [String])] {
        [
            (.books, [try ImportRows.book(1)]), (.books, [try ImportRows.book(2)]),
            (.errors, [try ImportRows.error(3)]),
            (.skipped, [try ImportRows.skipped(4)]),
        ]
    }

    private func read(
        _ path: String, _ pages: [(ImportPart, [String])], _ change: (inout FakeHost.Script) -> Void = { _ in }
    ) async throws -> HTTPAnswer {
        var script = FakeHost.Script()
        script.importPages = pages
        change(&script)
        var found: HTTPAnswer?
        try await RunningProxy.run(script: script) { found = try await $0.request("GET", path) }
        return try #require(found)
    }

    @Test(
        "one document contains the lists and the counts",
        arguments: ["/v1/csv/results/job-12345", "/v1/csv/results/job-12345?format=json"])
    func whole(path: String) async throws {
        let answer = try await read(path, Self.pages())
        #expect(answer.status == 200)
        let envelope = try answer.decode(SuccessEnvelope<ImportResults>.self)
        #expect(envelope.metadata.provider == "kv_cache")
        let results = envelope.data
        #expect(results.books.map(\.row) == [1, 2])
        #expect(results.errors.map(\.row) == [3])
        #expect(results.skipped.map(\.row) == [4])
        #expect(results.successRate == "2/3")
        #expect(results.timestamp == 1_763_236_800_000)
        #expect(results.totalRows == 4)
        #expect(results.metadata.processingTime == 21)
        #expect(results.source.columns.count == 2)
        #expect(results.enrichment == nil)
    }

    @Test("a list without rows is empty rather than missing, whatever its position")
    func empty() async throws {
        let all = try Self.pages()
        for pages in [[(.books, [])], [all[0]], [all[2]], [all[3]], [all[0], all[3]]] as [[(ImportPart, [String])]] {
            let results = try await read("/v1/csv/results/job-12345", pages).decode(
                SuccessEnvelope<ImportResults>.self
            ).data
            #expect(results.books.count == pages.filter { $0.0 == .books }.flatMap(\.1).count)
            #expect(results.errors.count == pages.filter { $0.0 == .errors }.count)
            #expect(results.skipped.count == pages.filter { $0.0 == .skipped }.count)
        }
    }

    @Test(
        "the general results route also returns an import's results, and the enrichment route responds with a 404 that names the pipeline"
    )
    func otherRoutes() async throws {
        let head = ReadResults.Head(
            jobId: try job("job-12345"), pipeline: .csvImport, resultsRevision: 0,
            expiresAt: "2025-11-16T20:00:00.000Z",
            successCount: 0, failureCount: 0)
        let general = try await read("/v1/jobs/job-12345/results", Self.pages()) { $0.head = head }
        #expect(try general.decode(SuccessEnvelope<ImportResults>.self).data.books.count == 2)
        let enrichment = try await read("/v1/enrichment/results/job-12345", Self.pages()) { $0.head = head }
        #expect(enrichment.status == 404)
        #expect(try enrichment.failure.details?["pipeline"] == "csv_import")
    }

    @Test("the results contain the linked enrichment without its token")
    func enrichment() async throws {
        var head = ReadImportResults.Head.example(try job("job-12345"))
        head.enrichment = try job("linked-12345")
        let answer = try await read("/v1/csv/results/job-12345", Self.pages()) { [head] in $0.importHead = head }
        let results = try answer.decode(SuccessEnvelope<ImportResults>.self).data
        #expect(results.enrichment?.jobId.text == "linked-12345")
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("token"))
    }

    @Test("results for shipped apps contain the books twice, and errors as sentences")
    func shipped() async throws {
        for pages in [try Self.pages(), [(.books, [])]] as [[(ImportPart, [String])]] {
            let answer = try await read("/api/v2/imports/job-12345/results", pages) { $0.head = .ofImport }
            let data = try #require(try answer.object["data"] as? [String: Any])
            let results = try #require(data["results"] as? [[String: Any]])
            let hasRows = pages.count > 1
            #expect(results.map { $0["title"] as? String } == (hasRows ? ["Title 1", "Title 2"] : []))
            #expect((data["books"] as? [[String: Any]])?.count == results.count)
            #expect(data["errors"] as? [String] == (hasRows ? ["Line 4: The row has no title."] : []))
            #expect((data["skipped"] as? [Any])?.count == (hasRows ? 1 : 0))
            #expect(data["enrichmentSucceeded"] as? Int == 0)
            #expect(data["enrichmentFailed"] as? Int == 0)
        }
    }

    @Test("a failed import has no results, and the error states the reason")
    func failed() async throws {
        var head = ReadImportResults.Head.example(try job("job-12345"))
        head.summary = nil
        head.status = .failed
        head.failure = ImportFault(.csvParseError, "No column looks like a title.", lineNumber: 1)
        for path in ["/v1/csv/results/job-12345", "/v1/csv/results/job-12345?format=csv"] {
            let answer = try await read(path, [(.books, [])]) { [head] in $0.importHead = head }
            #expect(answer.status == 404)
            let failure = try answer.failure
            #expect(failure.message.hasSuffix("No column looks like a title."))
            #expect(
                failure.details == [
                    "jobId": "job-12345", "status": "failed", "reason": "CSV_PARSE_ERROR", "lineNumber": 1,
                ])
        }
    }

    @Test("the CSV download contains only the books")
    func csv() async throws {
        let answer = try await read("/v1/csv/results/job-12345?format=csv", Self.pages())
        #expect(answer["content-type"] == "text/csv; charset=utf-8")
        #expect(answer["content-disposition"] == "attachment; filename=\"library.csv\"")
        let lines = String(decoding: answer.body, as: UTF8.self).components(separatedBy: "\r\n")
        #expect(lines.count == 4)
        #expect(lines[0].hasPrefix("title,subtitle,author,"))
        #expect(lines[0].hasSuffix(",Lent to"))
        #expect(lines[1].hasPrefix("Title 1,,Author,"))
        #expect(lines[3].isEmpty)
    }

    @Test("the CSV download of failed rows contains them as they were in the file")
    func failedRows() async throws {
        var pages = try Self.pages()
        pages[2].1 = [
            try ImportRows.error(
                3,
                [
                    .init(column: "Title", text: ""), .init(column: "Lent to", text: "=\"a\", b"),
                    .init(column: "2", text: "x"),
                ])
        ]
        let answer = try await read("/v1/csv/results/job-12345?format=csv&rows=failed", pages)
        #expect(answer["content-disposition"] == "attachment; filename=\"failed-rows.csv\"")
        #expect(String(decoding: answer.body, as: UTF8.self) == "Title,Lent to\r\n,\"=\"\"a\"\", b\",x\r\n")
    }

    @Test("an invalid query is refused", arguments: ["format=xml", "rows=failed", "format=csv&rows=all"])
    func queries(query: String) async throws {
        let answer = try await read("/v1/csv/results/job-12345?" + query, Self.pages())
        #expect(answer.status == 400)
    }
}
