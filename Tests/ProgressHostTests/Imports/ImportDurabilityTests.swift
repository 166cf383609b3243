import BookstrackContract
import Foundation
import GRDB
import JSONRPC
import NIOCore
import SuiteMethods
import SuiteStorage
import Testing

@testable import ProgressHost

@Suite("Imports survive process and disk failures", .timeLimit(.minutes(1)))
struct ImportDurabilityTests {
    private func refuseWrites(_ host: TestHost, _ refused: Bool = true) throws {
        try host.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = \(refused ? 1 : 0)") }
    }

    @Test(
        "if the host dies between any two calls from the worker, the file is read to the end with no row repeated or lost"
    )
    func kills() async throws {
        for kill in 0..<6 {
            let host = try TestHost()
            let begun = try host.startImport(enrich: true)
            let link = try #require(begun.enrichment)
            var (isKilled, page) = (false, 0)
            while try host.progress(token: begun.token).status != .completed {
                let worker = try TestWorker(host)
                let step = try #require(try worker.claimFile())
                page = 0
                while page < 4 {
                    if page == kill, !isKilled { break }
                    let query = BookQuery(title: "Book \(page)", row: page + 1)
                    #expect(try worker.deliver(["Book \(page)"], page: page, queries: [query], of: step))
                    page += 1
                }
                if !isKilled, kill < 5 {
                    isKilled = true
                    try host.restart()
                    #expect(try host.violations() == [])
                    continue
                }
                #expect(try worker.finish(step, pages: 4, books: 4))
                if kill == 5 { try host.restart() }
            }
            #expect(try await host.importedRows() == [.books: (0..<4).map { "Book \($0)" }])
            #expect(try host.state(link.jobId, token: link.token).totalCount == 4)
            #expect(try host.violations() == [])
        }
    }

    @Test("a page that could not be written to disk is stored when it is sent again")
    func failingDisk() async throws {
        let host = try TestHost()
        let begun = try host.startImport(enrich: true)
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        let query = [BookQuery(title: "Dune", row: 1)]
        #expect(try worker.deliver(["Dune"], page: 0, queries: query, of: step))
        try refuseWrites(host)
        #expect(throws: HostFailure.self) { try worker.deliver(["Emma"], page: 1, queries: query, of: step) }
        #expect(throws: HostFailure.self) { try worker.finish(step, pages: 1, books: 1) }
        try refuseWrites(host, false)
        host.advance(by: .seconds(2))
        #expect(host.storage == .working)
        #expect(try worker.deliver(["Emma"], page: 1, queries: query, of: step))
        #expect(try worker.finish(step, pages: 2, books: 2))
        #expect(try await host.importedRows() == [.books: ["Dune", "Emma"]])
        #expect(try host.state(try #require(begun.enrichment).jobId, token: begun.enrichment?.token).totalCount == 2)
        #expect(!host.uploads.hasFile(UploadFolder.libraryFile, of: TestHost.jobID))
    }

    @Test("a file is kept until the end of its import is committed")
    func uncommittedEnd() throws {
        let host = try TestHost()
        let begun = try host.startImport()
        let access = JobAccess(jobId: TestHost.jobID, token: begun.token)
        let (cancel, answer) = host.command(durable: true) { engine, turn in try engine.cancel(access, turn) }
        let (fault, _) = host.command { _, _ -> Bool in throw DatabaseError(resultCode: .SQLITE_CONSTRAINT) }
        host.group([cancel, fault])
        #expect(throws: HostFailure.self) { try answer.value() }
        #expect(host.uploads.hasFile(UploadFolder.libraryFile, of: TestHost.jobID))
        #expect(try TestWorker(host).claimFile() != nil)
        #expect(try host.cancel(token: begun.token).cleanup.uploadsDeleted == 1)
        #expect(!host.uploads.hasFile(UploadFolder.libraryFile, of: TestHost.jobID))
    }

    @Test("a claim whose transaction fails receives no file")
    func failedClaim() throws {
        let host = try TestHost()
        try host.startImport()
        let worker = try TestWorker(host)
        try refuseWrites(host)
        #expect(throws: HostFailure.self) { try worker.askForFile().value() }
        try refuseWrites(host, false)
        host.advance(by: .seconds(2))
        #expect(try worker.claimFile() != nil)
    }

    @Test("if a worker disconnects while it delivers pages, a second worker completes the import over a socket")
    func sockets() async throws {
        let host = try LiveHost()
        try await host.listen()
        let id = try #require(JobID("import-over-socket"))
        let (proxy, proxying) = try await host.connect()
        try await startImport(id, at: host, through: proxy)

        let (first, firstRunning) = try await host.connect()
        _ = try await first.call(AttachWorker.self, .init(held: []))
        let lost = try #require(try await first.call(ClaimImport.self, .init(waitMilliseconds: 10_000)).step)
        #expect(try await deliver("Dune", of: lost, by: first))
        await first.shutdown()
        await firstRunning.value

        let (second, secondRunning) = try await host.connect()
        _ = try await second.call(AttachWorker.self, .init(held: []))
        let step = try #require(try await second.call(ClaimImport.self, .init(waitMilliseconds: 30_000)).step)
        #expect(step.key.attempt == 2)
        #expect(try await deliver("Emma", of: step, by: second))
        let finished = try await second.call(
            FinishImport.self, .init(key: step.key, pages: 1, summary: .sample(books: 1)))
        #expect(finished.isWanted)
        let raw = try await proxy.callRaw(
            ReadImportResults.name, try BodyCoding.encode(ReadImportResults.Parameters(jobId: id)),
            deadline: ReadImportResults.deadline)
        let results = try #require(ReadImportResults(raw: raw))
        #expect(String(buffer: results.page.rows) == #"{"title":"Emma"}"#)
        #expect(results.head.summary?.booksCreated == 1)
        #expect(!host.database.uploads.hasFile(UploadFolder.libraryFile, of: id))
        for (client, running) in [(second, secondRunning), (proxy, proxying)] {
            await client.shutdown()
            await running.value
        }
        await host.stop()
    }

    @Test("stopping the host does not use up an attempt to read a file")
    func gracefulStop() async throws {
        let host = try LiveHost()
        try await host.listen()
        let id = try #require(JobID("import-over-socket"))
        let (worker, running) = try await host.connect()
        try await startImport(id, at: host, through: worker)
        _ = try await worker.call(AttachWorker.self, .init(held: []))
        _ = try #require(try await worker.call(ClaimImport.self, .init(waitMilliseconds: 10_000)).step)
        await host.stopServing()
        let stored = try StoredDatabase(path: JobDatabase.path(in: host.directory)).open()
        let lost = try await stored.read { try Int.fetchOne($0, sql: "SELECT lost_attempts FROM import") }
        #expect(lost == 0)
        try stored.close()
        await worker.shutdown()
        await running.value
        try FileManager.default.removeItem(at: host.directory)
    }

    private func startImport(_ id: JobID, at host: LiveHost, through proxy: RPCClient) async throws {
        let begun = try await proxy.call(
            BeginImport.self,
            .init(
                jobId: id, sha256: "sha", fileName: "f.csv", bytes: 11, lines: 1, enrich: false,
                origin: JobOrigin(client: "c")))
        #expect(begun.needsFile)
        let file = URL(filePath: host.database.uploads.path(of: id, UploadFolder.libraryFile))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("Title\nDune\n".utf8).write(to: file)
        _ = try await proxy.call(ImportUploaded.self, .init(jobId: id))
    }

    private func deliver(_ title: String, of step: ReadingStep, by worker: RPCClient) async throws -> Bool {
        let rows = RecordImportRows(
            head: .init(key: step.key, page: 0, part: .books, rowCount: 1, bytesRead: 11),
            rows: ByteBuffer(string: "[{\"title\":\"\(title)\"}]"))
        let answer = try await worker.callRaw(
            RecordImportRows.name, try rows.raw(), deadline: RecordImportRows.deadline)
        return try BodyCoding.decode(StepAnswer.self, from: answer).isWanted
    }
}
