import BookstrackContract
import GRDB
import JSONRPC
import NIOCore
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Reading a library file")
struct ReadingStepTests {
    @Test("the rows of delivered pages become the results, grouped into books, errors and skipped rows")
    func results() async throws {
        let host = try TestHost()
        try host.startImport()
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        #expect(try worker.deliver(["Dune", "Emma"], page: 0, of: step))
        #expect(try worker.deliver(["bad"], page: 1, part: .errors, of: step))
        #expect(try worker.deliver(["Ulysses"], page: 2, of: step))
        #expect(try worker.deliver(["film"], page: 3, part: .skipped, of: step))
        #expect(try worker.finish(step, pages: 4, books: 3, duplicates: 2, errors: 1, skipped: 1))
        #expect(
            try await host.importedRows() == [
                .books: ["Dune", "Emma", "Ulysses"], .errors: ["bad"], .skipped: ["film"],
            ])
        let head = try await host.results.importOpening(of: TestHost.jobID).head
        #expect(head.status == .completed)
        #expect(head.fileName == "library.csv")
        #expect(head.summary?.successRate == "5/6")
        #expect(head.summary?.source.format == .goodreads)
        #expect(head.enrichment == nil)
    }

    @Test("an import has no results before its end, and its results expire after a day")
    func readiness() async throws {
        let host = try TestHost()
        try host.startImport()
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        _ = try worker.deliver(["Dune"], page: 0, of: step)
        await #expect(throws: HostFailure.resultsNotReady(TestHost.jobID, .processing)) {
            try await host.results.importOpening(of: TestHost.jobID)
        }
        try worker.finish(step, pages: 1, books: 1)
        host.advance(by: .seconds(86_401))
        host.advance(by: .seconds(60))
        await #expect(throws: HostFailure.noResults(TestHost.jobID, ttl: .seconds(86_400))) {
            try await host.results.importOpening(of: TestHost.jobID)
        }
        let left = try await host.pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM import_page") }
        #expect(left == 0)
    }

    @Test(
        "the state of an import that did not complete reports no row as found, however much of the file was read",
        arguments: [true, false])
    func unfinished(fails: Bool) throws {
        let host = try TestHost()
        let token = try host.startImport().token
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        try worker.tell(500, of: step)
        host.advance(by: .seconds(1))
        #expect(try host.state(token: token).successCount == 50)
        if fails {
            try worker.fail(step, ImportFault(.csvParseError, "The file has no column Foo."))
        } else {
            _ = try host.cancel(token: token)
        }
        let state = try host.state(token: token)
        #expect(state.status == (fails ? .failed : .cancelled))
        #expect(state.successCount == 0)
        #expect(state.processedCount == 50)
    }

    @Test("a request for import results of an enrichment fails with an error that contains the correct path")
    func otherKind() async throws {
        let host = try TestHost()
        try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        let failure = await #expect(throws: HostFailure.self) {
            try await host.results.importOpening(of: TestHost.jobID)
        }
        #expect(failure == .notAnImport(TestHost.jobID, .batchEnrichment))
        await #expect(throws: HostFailure.notAnImport(TestHost.jobID, .batchEnrichment)) {
            try await host.results.importPage(of: TestHost.jobID, cursor: 0)
        }
        let error = try #require(failure).rpc
        #expect(error.message.contains("/v1/enrichment/results/\(TestHost.jobID)"))
        #expect(try JSON(#require(error.detail.details).readableBytesView)["pipeline"]?.text == "batch_enrichment")
    }

    @Test("a page delivered twice is stored once, and no page can be skipped")
    func repeatedPages() async throws {
        let host = try TestHost()
        try host.startImport()
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        #expect(try worker.deliver(["Dune"], page: 0, of: step))
        #expect(try worker.deliver(["Dune"], page: 0, of: step))
        #expect(throws: HostFailure.self) { try worker.deliver(["Ulysses"], page: 2, of: step) }
        #expect(throws: HostFailure.self) { try worker.finish(step, pages: 2, books: 2) }
        #expect(try worker.deliver(["Emma"], page: 1, of: step))
        #expect(try worker.finish(step, pages: 2, books: 2))
        #expect(try await host.importedRows() == [.books: ["Dune", "Emma"]])
        // The worker repeats the call, as it does if the first response was lost.
        #expect(try !worker.finish(step, pages: 2, books: 2))
    }

    @Test("pages from a lost attempt do not count, even if they arrive after another worker has taken over")
    func lostAttempt() async throws {
        let host = try TestHost()
        try host.startImport()
        let (first, second) = (try TestWorker(host), try TestWorker(host))
        let lost = try #require(try first.claimFile())
        _ = try first.deliver(["Dune", "Emma"], page: 0, of: lost)
        _ = try first.deliver(["Ulysses"], page: 1, of: lost)
        #expect(try second.claimFile() == nil)
        try first.disconnect()
        host.advance(by: .zero)
        let step = try #require(try second.claimFile())
        #expect(step.key.attempt == 2)
        #expect(try !first.deliver(["Walden"], page: 2, of: lost))
        _ = try second.deliver(["Dune"], page: 0, of: step)
        #expect(try !first.finish(lost, pages: 2, books: 3))
        #expect(try second.finish(step, pages: 1, books: 1))
        #expect(try await host.importedRows() == [.books: ["Dune"]])
    }

    @Test("a reading step ends if its worker is silent, and the worker is notified")
    func silence() throws {
        let host = try TestHost()
        try host.startImport()
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        host.advance(by: .seconds(100))
        try worker.tell(10, of: step)
        host.advance(by: .seconds(100))
        #expect(try worker.deliver(["Dune"], page: 0, of: step))
        _ = worker.link.takeWithdrawn()
        host.advance(by: .seconds(121))
        #expect(worker.link.takeWithdrawn() == [TestHost.jobID])
        #expect(try !worker.deliver(["Emma"], page: 1, of: step))
        #expect(try worker.claimFile()?.key.attempt == 2)
    }

    @Test("a file is not read again after three lost attempts")
    func poison() throws {
        let host = try TestHost()
        let begun = try host.startImport()
        for attempt in 1...3 {
            let worker = try TestWorker(host)
            #expect(try worker.claimFile()?.key.attempt == attempt)
            try worker.disconnect()
            host.advance(by: .zero)
        }
        let state = try host.state(token: begun.token)
        #expect(state.status == .failed)
        #expect(try TestWorker(host).claimFile() == nil)
        #expect(!host.uploads.hasFile(UploadFolder.libraryFile, of: TestHost.jobID))
    }

    @Test("a lost attempt counts once, even if the transaction in which its loss was noticed fails")
    func lostInFailedTurn() throws {
        struct Fault: Error {}
        let host = try TestHost()
        try host.startImport()
        _ = try #require(try TestWorker(host).claimFile())
        host.clock.move(by: .seconds(121))
        // The lease expires in the same group.
        #expect(throws: HostFailure.self) { try host.perform { _, _ in throw Fault() } }
        host.advance(by: .seconds(2))
        #expect(host.number("bookstrack_reading_steps_lost_total") == 1)
    }

    @Test("a worker that reports in time keeps its step, even if a transaction fails in which the step seemed lost")
    func keptAfterFailedTurn() throws {
        struct Fault: Error {}
        let host = try TestHost()
        try host.startImport()
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        host.clock.move(by: .seconds(121))
        #expect(throws: HostFailure.self) { try host.perform { _, _ in throw Fault() } }
        #expect(try worker.deliver(["Dune"], page: 0, of: step))
        host.advance(by: .seconds(2))
        #expect(host.number("bookstrack_reading_steps_lost_total") == 0)
        #expect(try worker.finish(step, pages: 1, books: 1))
    }

    @Test("a step that is handed back, or interrupted by a restart of the host, does not count as a lost attempt")
    func benignEnds() throws {
        let host = try TestHost()
        let begun = try host.startImport()
        for _ in 0..<5 {
            let worker = try TestWorker(host)
            let step = try #require(try worker.claimFile())
            try worker.releaseFile(step)
            try worker.disconnect()
            host.advance(by: .zero)
        }
        for _ in 0..<5 {
            #expect(try TestWorker(host).claimFile() != nil)
            try host.restart()
        }
        for _ in 0..<5 {
            let worker = try TestWorker(host)
            #expect(try worker.claimFile() != nil)
            // A host that is stopped closes the connections of its workers.
            try host.perform(writes: false) { engine, _ in engine.prepareToStop() }
            try worker.disconnect()
            host.advance(by: .zero)
            try host.restart(cleanly: true)
        }
        #expect(try host.state(token: begun.token).status == .processing)
    }

    @Test("if the worker cannot read a file, its import fails with the worker's reason and has no rows")
    func failure() async throws {
        let host = try TestHost()
        let begun = try host.startImport()
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        _ = try worker.deliver(["Dune"], page: 0, of: step)
        var fault = ImportFault(.batchTooLarge, "The file has 60000 rows.")
        (fault.rows, fault.limit) = (60_000, 50_000)
        #expect(try worker.fail(step, fault))
        #expect(try host.state(token: begun.token).status == .failed)
        let opening = try await host.results.importOpening(of: TestHost.jobID)
        #expect(opening.head.failure == fault)
        #expect(opening.head.summary == nil)
        #expect(opening.page.rows.readableBytes == 0)
        #expect(!host.uploads.hasFile(UploadFolder.libraryFile, of: TestHost.jobID))
        #expect(throws: HostFailure.notRetryable(TestHost.jobID)) { try host.retry(token: begun.token) }
    }

    @Test("a cancelled import has no rows, and its file is deleted and counted")
    func cancelled() async throws {
        let host = try TestHost()
        let begun = try host.startImport()
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        _ = try worker.deliver(["Dune"], page: 0, of: step)
        let outcome = try host.cancel(token: begun.token)
        #expect(outcome.status == .cancelled)
        #expect(outcome.cleanup.uploadsDeleted == 1)
        #expect(worker.link.takeWithdrawn() == [TestHost.jobID])
        #expect(try !worker.deliver(["Emma"], page: 1, of: step))
        #expect(try await host.importedRows().isEmpty)
        #expect(!host.uploads.hasFile(UploadFolder.libraryFile, of: TestHost.jobID))
        #expect(try host.cancel(token: begun.token).cleanup.uploadsDeleted == 0)
    }

    @Test("files are handed out in the order in which their imports started, one for each claim")
    func order() throws {
        let host = try TestHost()
        let (first, second) = (try TestWorker(host), try TestWorker(host))
        let jobs = ["import-one", "import-two", "import-three"].compactMap { JobID($0) }
        for id in jobs { try host.startImport(id) }
        #expect(try first.claimFile()?.key.jobId == jobs[0])
        #expect(try second.claimFile()?.key.jobId == jobs[1])
        #expect(try first.claimFile()?.key.jobId == jobs[2])
        #expect(try first.claimFile() == nil)
    }

    @Test("each claim receives one response, with no step if the claim is replaced or given up, or its wait ends")
    func claims() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        let replaced = worker.askForFile()
        let late = worker.askForFile(wait: .seconds(5))
        #expect(try replaced.value().step == nil)
        host.advance(by: .seconds(6))
        #expect(try late.value().step == nil)
        let givenUp = worker.askForFile(isAwaited: { false })
        try host.startImport()
        #expect(try givenUp.value().step == nil)
        #expect(try worker.claimFile() != nil)
        #expect([replaced.count, late.count, givenUp.count] == [1, 1, 1])
    }

    @Test("a claim skips a file whose deadline has passed, and receives the next file")
    func endingFile() throws {
        var policy = HostPolicy()
        policy.jobDeadline = .seconds(60)
        let host = try TestHost(policy)
        let worker = try TestWorker(host)
        try host.startImport()
        host.clock.move(by: .seconds(1))
        let next = try #require(JobID("second-import"))
        try host.startImport(next)
        // The claim arrives in the group in which the deadline of the first import passes.
        host.clock.move(by: .seconds(59))
        let answer = Answer<ClaimImport.Result>()
        host.group([
            EngineCommand(
                durable: false, writes: true,
                run: { [link = worker.link] engine, turn in
                    engine.claim(
                        .init(waitMilliseconds: 1_000), in: engine.readingSteps.claims, from: link.id, turn,
                        reply: { answer.give($0) })
                }, refuse: { answer.give(.failure($0)) })
        ])
        #expect(try answer.value().step?.key.jobId == next)
    }

    @Test("an import that no worker reads fails at its deadline")
    func deadline() throws {
        let host = try TestHost()
        let id = try #require(JobID("6f9619ff-8b86-4d01-b42d-00cf4fc964ff"))
        try host.startImport(id)
        host.advance(by: .seconds(86_390))
        #expect(try host.progress(id).status == .pending)
        host.advance(by: .seconds(20))
        #expect(try host.progress(id).status == .failed)
    }
}
