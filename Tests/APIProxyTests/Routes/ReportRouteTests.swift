import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOPosix
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("Reporting missing metadata")
struct ReportRouteTests {
    private static let path = "/v1/reports/missing-metadata"

    /// Runs `body` with a worker that accepts every report, and returns the reports.
    private func reports(
        _ script: FakeHost.Script = .init(), _ body: (RunningProxy) async throws -> Void
    ) async throws -> [ReportMissingMetadata.Parameters] {
        let reports = NIOLockedValueBox<[ReportMissingMetadata.Parameters]>([])
        try await RunningProxy.run(script: script, { _ in }) { proxy in
            var router = RPCRouter()
            router.handle(ReportMissingMetadata.self) { report, _ in
                reports.withLockedValue { $0.append(report) }
                return ReportReceipt(isbn: report.isbn, fields: report.fields, lookup: .scheduled)
            }
            router.handle(HealthCheck.self) { _, _ in
                HealthCheck.Result(
                    service: .enrichmentWorker, version: "0", readiness: ReadinessReport(status: .ready))
            }
            let server = try await RPCServer.bind(
                path: SuiteSockets(directory: proxy.directory.path).path(of: .enrichmentWorker), router: router,
                allowedUIDs: [getuid()], group: MultiThreadedEventLoopGroup.singleton,
                logger: Logger(label: "fake-worker"))
            try await proxy.connect(to: .enrichmentWorker)
            try await body(proxy)
            await server.shutdown()
        }
        return reports.withLockedValue { $0 }
    }

    @Test("a report by ISBN is passed on as ISBN-13 with each field once, and the response states how it is handled")
    func byISBN() async throws {
        let reports = try await reports { proxy in
            let answer = try await proxy.request(
                "POST", Self.path,
                body: Array(#"{"isbn":"0-441-17271-7","fields":["cover","cover","pageCount"],"note":"No cover"}"#.utf8))
            #expect(answer.status == 202)
            let receipt = try answer.decode(SuccessEnvelope<ReportReceipt>.self).data
            #expect(receipt.lookup == .scheduled)
            #expect(receipt.isbn == "9780441172719")
        }
        #expect(reports.count == 1)
        #expect(reports.first?.isbn == "9780441172719")
        #expect(reports.first?.fields == [.cover, .pageCount])
        #expect(reports.first?.note == "No cover")
    }

    @Test("a report about a row refers to the ISBN of its edition, or to the requested ISBN if there is no edition")
    func ofRow() async throws {
        let rows = [
            [#"{"isbn":"9780141439587","success":false}"#],
            [#"{"isbn":"9780141439587","success":true,"enriched":{"edition":{"isbn":"9780441172719"}}}"#],
        ]
        let reports = try await reports(.init(rows: rows)) { proxy in
            for index in 0...1 {
                let answer = try await proxy.request(
                    "POST", Self.path, body: Array(#"{"jobId":"job-12345","index":\#(index)}"#.utf8))
                #expect(answer.status == 202)
            }
        }
        #expect(reports.map(\.isbn) == ["9780141439587", "9780441172719"])
    }

    @Test("a report about a book of an import refers to the row of the linked job")
    func ofImport() async throws {
        var script = FakeHost.Script(rows: [[], [#"{"isbn":"9780441172719","success":true}"#]])
        script.head = .ofImport
        var imported = ReadImportResults.Head.example(.random())
        imported.enrichment = .random()
        script.importHead = imported
        let reports = try await reports(script) { proxy in
            let body = Array(#"{"jobId":"job-12345","index":1}"#.utf8)
            let answer = try await proxy.request("POST", Self.path, body: body)
            #expect(answer.status == 202)
        }
        #expect(reports.map(\.isbn) == ["9780441172719"])
    }

    @Test("a report about a book of an import without a linked job receives a 404")
    func ofImportAlone() async throws {
        var script = FakeHost.Script()
        script.head = .ofImport
        let reports = try await reports(script) { proxy in
            let body = Array(#"{"jobId":"job-12345","index":0}"#.utf8)
            let answer = try await proxy.request("POST", Self.path, body: body)
            #expect(answer.status == 404)
            #expect(try answer.failure.message.contains("not looked up"))
        }
        #expect(reports.isEmpty)
    }

    @Test("the index of a book in a scan counts the books of the results, however they are divided into pages")
    func ofScan() async throws {
        let isbns = ["9780141439587", "9780618260300", "9780441172719"]
        let rows = isbns.map { #"{"isbn":"\#($0)"}"# }
        var script = FakeHost.Script(rows: [Array(rows[..<2]), Array(rows[2...])])
        var head = ReadResults.Head(
            jobId: .random(), pipeline: .aiScan, resultsRevision: 1, expiresAt: "", successCount: 3, failureCount: 0)
        head.scan = ScanFigures(
            detected: 3, approved: 3, enriched: 3, photos: [], modelUsed: "", processingTime: 0, endedAt: 0)
        script.head = head
        let reports = try await reports(script) { proxy in
            for index in isbns.indices {
                let body = Array(#"{"jobId":"job-12345","index":\#(index)}"#.utf8)
                let answer = try await proxy.request("POST", Self.path, body: body)
                #expect(answer.status == 202)
            }
        }
        #expect(reports.map(\.isbn) == isbns)
    }

    @Test("an index after the last book is refused with a 400 that names the member", arguments: [1, 7])
    func afterLast(index: Int) async throws {
        let reports = try await reports { proxy in
            let body = Array(#"{"jobId":"job-12345","index":\#(index)}"#.utf8)
            let answer = try await proxy.request("POST", Self.path, body: body)
            #expect(answer.status == 400)
            #expect(try answer.failure.details?["field"] == .text("index"))
        }
        #expect(reports.isEmpty)
    }

    @Test("a report about a row with no ISBN is refused")
    func rowWithoutISBN() async throws {
        let reports = try await reports(.init(rows: [[#"{"title":"Dune","success":false}"#]])) { proxy in
            let body = Array(#"{"jobId":"job-12345","index":0}"#.utf8)
            let answer = try await proxy.request("POST", Self.path, body: body)
            #expect(answer.status == 400)
            #expect(try answer.failure.code == .invalidISBN)
        }
        #expect(reports.isEmpty)
    }

    @Test(
        "a report that does not identify exactly one book, or has an unknown or invalid member, is refused with a 400",
        arguments: [
            ("{}", APIErrorCode.invalidRequest),
            (#"{"isbn":"9780441172718"}"#, .invalidISBN),
            (#"{"isbn":"9780441172719","jobId":"job-12345","index":0}"#, .invalidRequest),
            (#"{"jobId":"job-12345"}"#, .invalidRequest),
            (#"{"jobId":"job-12345","index":-1}"#, .invalidRequest),
            (#"{"isbn":"9780441172719","fields":["price"]}"#, .invalidRequest),
            (#"{"isbn":"9780441172719","fields":"cover"}"#, .invalidRequest),
            (#"{"isbn":"9780441172719","colour":"red"}"#, .invalidRequest),
            (#"{"isbn":"9780441172719","note":"\#(String(repeating: "a", count: 501))"}"#, .invalidRequest),
        ])
    func refused(body: String, code: APIErrorCode) async throws {
        let reports = try await reports { proxy in
            let answer = try await proxy.request("POST", Self.path, body: Array(body.utf8))
            #expect(answer.status == 400)
            #expect(try answer.failure.code == code)
        }
        #expect(reports.isEmpty)
    }

    @Test("if no worker is connected, a report receives a 503 that names the service")
    func noWorker() async throws {
        try await RunningProxy.run(script: .init(), { _ in }) { proxy in
            let answer = try await proxy.request("POST", Self.path, body: Array(#"{"isbn":"9780441172719"}"#.utf8))
            #expect(answer.status == 503)
            #expect(try answer.failure.message.contains("enrichment-worker"))
        }
    }

    @Test("a report beyond the limit per minute is refused with a 429")
    func limit() async throws {
        var limits = RateLimits()
        limits.reports.requests = 2
        try await RunningProxy.run(script: .init(), { $0.rateLimits = limits }) { proxy in
            var statuses: [Int] = []
            for _ in 0..<3 {
                statuses.append(try await proxy.request("POST", Self.path, body: Array("{}".utf8)).status)
            }
            #expect(statuses == [400, 400, 429])
        }
    }
}
