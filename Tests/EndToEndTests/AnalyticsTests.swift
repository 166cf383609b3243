import BookstrackContract
import Foundation
import NIOCore
import NIOHTTP1
import SuiteFixture
import Testing
import WireClient

@Suite("Enrichment analytics, end to end", .serialized)
struct AnalyticsTests {
    @Test("results are counted in analytics and insights, and reported ISBNs appear among the failing ones")
    func wholeWay() async throws {
        try await SuiteFixture.Suite.run { suite in
            let found = ["9780441172719", "9780141439587"]
            let job = try await suite.api.start(
                EnrichmentBatchRequest(books: (found + ["9780000000002"]).map { BookQuery(isbn: $0) }))
            var watcher = Watcher(suite, job)
            try await watcher.watch()
            let analytics = try await Self.json(suite, "analytics", "--json")
            #expect((analytics["counts"] as? [String: Int])?["books"] == 3)
            #expect((analytics["counts"] as? [String: Int])?["isbnsFound"] == 2)
            let table = try await suite.bookstrack("analytics", "--since", "1d")
            #expect(table.status == 0)
            #expect(table.output.contains("ISBNs with a book"))
            let insights = try await Self.data(suite, HTTPCall(.GET, "/v1/jobs/\(job.jobId)/insights"))
            #expect(insights["books"] as? Int == 3)
            #expect(insights["found"] as? Int == 2)
            let report = #"{"jobId":"\#(job.jobId)","index":2,"fields":["title"],"note":"It exists"}"#
            let receipt = try await Self.data(
                suite,
                HTTPCall(
                    .POST, "/v1/reports/missing-metadata", headers: ["Content-Type": "application/json"],
                    body: ByteBuffer(string: report)))
            #expect(receipt["lookup"] as? String == "scheduled")
            let failing = try await Self.json(suite, "analytics", "--failing", "--json")
            let first = try #require((failing["isbns"] as? [[String: Any]])?.first)
            #expect(first["isbn"] as? String == "9780000000002")
            #expect(first["code"] as? String == "NOT_FOUND")
            #expect(first["reports"] as? Int == 1)
            #expect(first["note"] as? String == "It exists")
        }
    }

    private static func json(_ suite: SuiteFixture.Suite, _ arguments: String...) async throws -> [String: Any] {
        let run = try await suite.bookstrack(arguments)
        #expect(run.status == 0, "\(run.errors)")
        return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }

    /// The `data` of a successful response.
    private static func data(_ suite: SuiteFixture.Suite, _ call: HTTPCall) async throws -> [String: Any] {
        let text = try await suite.http.send(call).text
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return try #require(object?["data"] as? [String: Any], "\(text)")
    }
}
