import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOCore
import NIOPosix
import ProgressClient
import SuiteFixture
import SuiteMethods
import Testing

@Suite("Imports, from the upload to the results", .serialized, .timeLimit(.minutes(3)))
struct ImportTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// A library of so many rows, each of them a book of its own.
    private func library(_ rows: Int) -> String {
        "Title,Author,My Rating\n"
            + (1...rows).map { "The \($0)th Volume of Everything,Author \($0),\($0 % 6)\n" }.joined()
    }

    /// The body of a form with a file that is to be enriched.
    private func form(_ text: String) -> String {
        """
        --edge\r\nContent-Disposition: form-data; name="enrich"\r\n\r\ntrue\r
        --edge\r\nContent-Disposition: form-data; name="file"; filename="library.csv"\r\nContent-Type: text/csv\r\n\r
        \(text)\r\n--edge--\r\n
        """
    }

    /// A connection to progress-host, as api-proxy has one.
    private func withHost<Value>(
        of suite: SuiteFixture.Suite, _ body: (RPCClient) async throws -> Value
    ) async throws -> Value {
        let host = RPCClient(
            path: suite.runtimeDirectory + "/progress-host.sock", router: RPCRouter(),
            group: MultiThreadedEventLoopGroup.singleton, logger: Self.logger)
        let running = Task { await host.run() }
        let result: Result<Value, any Error>
        do {
            try await host.waitUntilConnected(within: .seconds(20))
            result = .success(try await body(host))
        } catch {
            result = .failure(error)
        }
        await host.shutdown()
        await running.value
        return try result.get()
    }

    /// Reserves a job, puts its file in its place and says so.
    private func start(
        _ text: String, at suite: SuiteFixture.Suite, by host: RPCClient
    ) async throws -> BeginImport.Result {
        let id = JobID.random()
        let begun = try await host.call(
            BeginImport.self,
            .init(
                jobId: id, sha256: "sha of \(id)", fileName: "library.csv", bytes: text.utf8.count,
                lines: text.utf8.count(where: { $0 == UInt8(ascii: "\n") }), enrich: true, origin: .peer))
        let folder = URL(filePath: suite.dataDirectory).appending(path: "uploads/\(id)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appending(path: "file"))
        _ = try await host.call(ImportUploaded.self, .init(jobId: id))
        return begun
    }

    /// The head of the results and the row numbers of all books.
    private func results(
        of id: JobID, by host: RPCClient
    ) async throws -> (head: ReadImportResults.Head, rows: [Int]) {
        let raw = try await host.callRaw(
            ReadImportResults.name, try BodyCoding.encode(ReadImportResults.Parameters(jobId: id)),
            deadline: ReadImportResults.deadline)
        let opening = try #require(ReadImportResults(raw: raw))
        var (page, rows) = (opening.page, [Int]())
        while true {
            if page.part == .books {
                let text = "[\(String(buffer: page.rows))]"
                rows += try JSONDecoder().decode([ImportedBook].self, from: Data(text.utf8)).map(\.row)
            }
            guard let next = page.next else { return (opening.head, rows) }
            let raw = try await host.callRaw(
                ReadImportPage.name, try BodyCoding.encode(ReadImportPage.Parameters(jobId: id, cursor: next)),
                deadline: ReadImportPage.deadline)
            page = try #require(ImportRowsPage(raw: raw))
        }
    }

    private func progress(of id: JobID, by host: RPCClient) async throws -> ReadJobProgress.Result {
        while true {
            do throws(RPCError) {
                return try await host.call(ReadJobProgress.self, JobAccess(jobId: id, token: nil))
            } catch {
                // Lost with a process that was killed.
                guard error.applicationCode == nil else { throw error }
                try await host.waitUntilConnected(within: .seconds(20))
            }
        }
    }

    @Test("a library is read, its books are there, and the linked job looks them up")
    func happyPath() async throws {
        try await SuiteFixture.Suite.run { suite in
            try await withHost(of: suite) { host in
                let text = "Title,Author,ISBN13\nDune,Frank Herbert,9780441172719\nEmma,Jane Austen,\n"
                let begun = try await suite.api.startImport(
                    ByteBuffer(string: form(text)), contentType: "multipart/form-data; boundary=edge")
                var watcher = Watcher(
                    suite,
                    StartedJob(
                        jobId: begun.jobId, token: begun.token, status: .pending, totalCount: 2,
                        estimate: .libraryFile))
                try await watcher.watch()
                #expect(watcher.numberingFaults == [])
                #expect(watcher.endings.count == 1)
                let answer = try await suite.http.send(.get(begun.resultsUrl, timeout: .seconds(10)))
                let results = try JSONDecoder().decode(
                    SuccessEnvelope<ImportResults>.self, from: Data(answer.text.utf8)
                ).data
                #expect(results.books.map(\.title) == ["Dune", "Emma"])
                #expect(results.books.map(\.row) == [1, 2])
                #expect(results.successRate == "2/2")
                let link = try #require(begun.enrichment)
                #expect(results.enrichment?.jobId == link.jobId)
                while try await progress(of: link.jobId, by: host).status != .completed {
                    try await Task.sleep(for: .milliseconds(20))
                }
                let enriched = try await suite.api.results(of: link.jobId)
                #expect(enriched.enrichedBooks.map(\.row) == [1, 2])
                #expect(enriched.enrichedBooks.first?.success == true)
                let upload = suite.dataDirectory + "/uploads/\(begun.jobId)"
                #expect(!FileManager.default.fileExists(atPath: upload))
            }
        }
    }

    @Test("whichever process is killed while a file is read, every row is there once")
    func kills() async throws {
        let rows = 4_000
        try await SuiteFixture.Suite.run { suite in
            try await withHost(of: suite) { host in
                for victims in [[suite.worker], [suite.host], [suite.worker, suite.host]] {
                    let begun = try await start(library(rows), at: suite, by: host)
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...400)))
                    for process in victims { await process.end(SIGKILL) }
                    for process in victims { try await process.start() }
                    while try await !progress(of: begun.jobId, by: host).status.isTerminal {
                        try await Task.sleep(for: .milliseconds(20))
                    }
                    let (head, found) = try await results(of: begun.jobId, by: host)
                    #expect(head.status == .completed)
                    #expect(found == Array(1...rows))
                    let link = try #require(begun.enrichment)
                    #expect(try await progress(of: link.jobId, by: host).totalCount == rows)
                    _ = try await host.call(CancelJob.self, JobAccess(jobId: link.jobId, token: nil))
                }
            }
        }
    }
}
