import BookstrackClientTesting
import BookstrackContract
import Foundation
import TestSupport
import Testing

@testable import BookstrackClient

@Suite("The documented app classes", .timeLimit(.minutes(1)))
@MainActor
struct AppServicesTests {
    private let server = FakeServer(steps: .manual)
    private let client: BookstrackClient
    private let isbns = ["9780441172719", "9780547928227"]

    init() async {
        client = BookstrackClient(transport: server, clock: TestClock())
        await server.add(FakeBook(isbn: isbns[0], title: "Dune", author: "Frank Herbert"))
        await server.add(FakeBook(isbn: isbns[1], title: "The Hobbit", author: "J. R. R. Tolkien"))
    }

    @Test("the progress manager shows the connection state and passes on every event")
    func manager() async throws {
        let job = try await EnrichmentAPIClient(client: client).startEnrichment(jobId: .random(), isbns: isbns)
        let manager = WebSocketProgressManager(client: client)
        var seqs: [Int] = []
        manager.connect(jobId: job.jobId) { seqs.append($0.seq) }
        await server.advance(job.jobId)
        try await until { manager.lastEvent?.seq == 2 }
        try await until { manager.isConnected }
        #expect(manager.transport == .webSocket)
        #expect(manager.lastError == nil)
        await server.advance(job.jobId, by: 2)
        try await until { !manager.isConnected }
        #expect(seqs == [1, 2, 3, 4])
    }

    @Test("the progress manager reports why a job cannot be followed")
    func managerFailure() async throws {
        let manager = WebSocketProgressManager(client: client)
        await #expect { try await manager.establishConnection(jobId: .random()) } throws: {
            ($0 as? BookstrackError)?.code == .tokenMissing
        }
        let job = try await client.startEnrichment(isbns: isbns)
        manager.connect(jobId: job.jobId, token: "wrong") { _ in }
        try await until { manager.lastError != nil }
        #expect(manager.lastError?.code == .unauthorized)
        #expect(!manager.isConnected)
    }

    @Test(
        "a late response about one job does not replace a job followed in the meantime")
    func overtaken() async throws {
        let transport = LateResponse(of: server, to: "/v1/jobs/")
        let client = BookstrackClient(transport: transport, clock: TestClock())
        let slow = try await client.startEnrichment(isbns: isbns)
        let shown = try await client.startEnrichment(isbns: isbns)
        let manager = WebSocketProgressManager(client: client)
        let establishing = Task { try await manager.establishConnection(jobId: slow.jobId) }
        try await until { await transport.isHolding }
        manager.connect(jobId: shown.jobId) { _ in }
        await transport.release()
        let result = await establishing.result
        #expect(throws: BookstrackError.self) { try result.get() }
        await server.advance(shown.jobId)
        try await until { manager.lastEvent != nil }
        #expect(manager.lastEvent?.jobID == shown.jobId)
    }

    @Test("a manager that is configured for another job shows no event of the previous one")
    func configured() async throws {
        let job = try await client.startEnrichment(isbns: isbns)
        let manager = WebSocketProgressManager(client: client)
        manager.connect(jobId: job.jobId) { _ in }
        try await until { manager.isConnected }
        manager.configureForJob(.random())
        await server.advance(job.jobId)
        for _ in 0..<100 { await Task.yield() }
        #expect(manager.lastEvent == nil)
        #expect(!manager.isConnected)
    }

    @Test(
        "the generic handler calls the progress and completion closures of a completed job, and not its error closure"
    )
    func handler() async throws {
        let job = try await client.startEnrichment(isbns: isbns)
        var (progress, ends, errors) = (0, 0, 0)
        let handler = GenericWebSocketHandler(
            client: client, jobId: job.jobId, pipeline: .batchEnrichment,
            handlers: .init(
                onProgress: { _ in progress += 1 }, onComplete: { _ in ends += 1 }, onError: { _ in errors += 1 }))
        handler.connect()
        #expect(handler.isConnected)
        await server.advance(job.jobId, by: 3)
        await handler.waitUntilEnd()
        #expect((progress, ends, errors) == (3, 1, 0))
        #expect(!handler.isConnected)
    }

    @Test("a generic handler that connects again right after disconnecting follows the job to its end")
    func connectsAgain() async throws {
        let job = try await client.startEnrichment(isbns: isbns)
        var (progress, ends) = (0, 0)
        let handler = GenericWebSocketHandler(
            client: client, jobId: job.jobId, pipeline: .batchEnrichment,
            handlers: .init(onProgress: { _ in progress += 1 }, onComplete: { _ in ends += 1 }))
        handler.connect()
        await server.advance(job.jobId)
        try await until { progress > 0 }
        handler.disconnect()
        handler.connect()
        await server.advance(job.jobId, by: 2)
        await handler.waitUntilEnd()
        #expect(ends == 1)
    }

    @Test("a generic handler can connect again when it learns that the job cannot be followed")
    func connectsAfterError() async throws {
        let job = try await client.startEnrichment(isbns: isbns)
        await server.failNext(ClientAnswer(status: 401))
        var handler: GenericWebSocketHandler?
        var ends = 0
        handler = GenericWebSocketHandler(
            client: client, jobId: job.jobId, pipeline: .batchEnrichment,
            handlers: .init(onComplete: { _ in ends += 1 }, onError: { _ in handler?.connect() }))
        handler?.connect()
        await handler?.waitUntilEnd()
        #expect(handler?.isConnected == true)
        await server.advance(job.jobId, by: 3)
        await handler?.waitUntilEnd()
        #expect(ends == 1)
        handler = nil
    }

    @Test("the coordinator tracks the state of every job, and cancelAll cancels those that have not ended")
    func coordinator() async throws {
        let coordinator = SyncCoordinator(client: client)
        let done = try await coordinator.startEnrichmentWithWebSocket([BookQuery(isbn: isbns[0])])
        let open = try await coordinator.startEnrichmentWithWebSocket([BookQuery(isbn: isbns[1])])
        #expect(coordinator.jobStatus[open] == .queued)
        await server.advance(done, by: 2)
        guard case .completed(let summary)? = await coordinator.waitUntilEnd(of: done) else {
            Issue.record("the job was not completed")
            return
        }
        #expect(summary.successCount == 1)
        try await coordinator.cancelAll()
        #expect(coordinator.jobStatus.isEmpty)
        #expect(await server.calls.filter { $0.hasPrefix("DELETE") } == ["DELETE /v1/jobs/\(open)"])
        #expect(try await client.tokens.token(of: open) == nil)
    }

    @Test("a job fails if the server no longer stores it, and does not prevent a reset of the library")
    func forgottenJob() async throws {
        let coordinator = SyncCoordinator(client: client)
        let job = try await coordinator.startEnrichmentWithWebSocket([BookQuery(isbn: isbns[0])])
        try await until { await server.hasWebSocket }
        await server.forget(job)
        guard case .failed(let error)? = await coordinator.waitUntilEnd(of: job) else {
            Issue.record("the job has not failed")
            return
        }
        #expect(error.code == .notFound)
        try await coordinator.cancelAll()
        #expect(coordinator.jobStatus.isEmpty)
    }

    @Test("a job that could no longer be followed is cancelled by a reset")
    func unfollowedJob() async throws {
        var policy = FollowPolicy()
        policy.attemptLimit = 0
        let client = BookstrackClient(transport: server, policy: policy, clock: TestClock())
        let coordinator = SyncCoordinator(client: client)
        let job = try await coordinator.startEnrichmentWithWebSocket([BookQuery(isbn: isbns[0])])
        try await until { await server.hasWebSocket }
        await server.setOffline(true)
        let status = await coordinator.waitUntilEnd(of: job)
        #expect(status?.isOver == true)
        await server.setOffline(false)
        try await coordinator.cancelAll()
        #expect(await server.calls.contains("DELETE /v1/jobs/\(job)"))
        #expect(try await client.tokens.token(of: job) == nil)
    }

    @Test("a job whose token was lost does not prevent a reset")
    func lostToken() async throws {
        let coordinator = SyncCoordinator(client: client)
        let job = try await coordinator.startEnrichmentWithWebSocket([BookQuery(isbn: isbns[0])])
        try await until { await server.hasWebSocket }
        try await client.tokens.remove(job)
        try await coordinator.cancelAll()
        #expect(coordinator.jobStatus.isEmpty)
        #expect(await !server.calls.contains { $0.hasPrefix("DELETE") })
    }

    @Test("an import returns its books immediately and queues them for enrichment")
    func imports() async throws {
        await server.setSteps(.automatic)
        await server.setImported([ImportedBook(row: 1, lineNumber: 2, title: "Dune", author: "Frank Herbert")])
        let storage = MemoryStorage()
        let queue = try EnrichmentQueue(client: client, storage: storage) { _ in }
        let file = LibraryFile(name: "library.csv", content: Data("title\nDune\n".utf8))
        let results = try await CSVImportService(client: client).importFile(file, then: queue)
        #expect(results.books.map { DTOMapper.record($0).title } == ["Dune"])
        #expect(queue.pendingCount == 1)
    }

    @Test("books without title and ISBN are queued if they have an Open Library work")
    func importedWorks() async throws {
        await server.setSteps(.automatic)
        await server.setImported(
            (1...3).map { row in
                var book = ImportedBook(row: row, lineNumber: row + 1)
                if row < 3 { book.ids.openLibraryWork = "OL\(row)W" } else { book.ids.goodreadsBookId = "1" }
                return book
            })
        let queue = try EnrichmentQueue(client: client, storage: MemoryStorage()) { _ in }
        let file = LibraryFile(name: "log.csv", content: Data("Work ID\nOL1W\nOL2W\n".utf8))
        _ = try await CSVImportService(client: client).importFile(file, then: queue)
        #expect(queue.pendingCount == 2)
        #expect(try queue.dequeue(BookQuery(workId: "OL2W")))
    }

    @Test("a failure is reported unless following was stopped just before it arrived", arguments: [true, false])
    func lateFailure(isStopped: Bool) async {
        var failures: [BookstrackError] = []
        let following = OwnedTask()
        let failure = BookstrackError(.unauthorized, "the token is wrong")
        following.follow(JobEvents { AsyncThrowingStream { $0.finish(throwing: failure) } }) { _ in
        } ended: {
            if let failure = $0 { failures.append(failure) }
        }
        if isStopped { following.cancel() }
        await following.wait()
        // Lets the stopped task end.
        for _ in 0..<100 { await Task.yield() }
        #expect(failures == (isStopped ? [] : [failure]))
    }

    @Test("a failed import throws an error with the reason")
    func failedImport() async throws {
        await server.setImported([ImportedBook(row: 1, lineNumber: 2, title: "Dune", author: "")])
        let (job, service) = (JobID.random(), CSVImportService(client: client))
        let importing = Task {
            try await service.importFile(LibraryFile(name: "a.csv", content: Data("x".utf8)), jobID: job)
        }
        try await until { await server.jobIDs.contains(job) }
        await server.fail(job, .csvProcessingFailed, retryable: false)
        await #expect { try await importing.value } throws: {
            ($0 as? BookstrackError)?.code.rawValue == "E_CSV_PROCESSING_FAILED"
        }
    }

    @Test("a scan returns books that have been looked up")
    func scans() async throws {
        await server.setSteps(.automatic)
        let results = try await BookshelfScannerService(client: client).scan([Data([0xFF, 0xD8, 0xFF])])
        let records = results.books.map(DTOMapper.record)
        #expect(records.map(\.authors) == [["Frank Herbert"], ["J. R. R. Tolkien"]])
        #expect(!records.contains { $0.needsReview })
    }

    @Test("a record prefers the edition's facts to the work's")
    func mapping() {
        var work = WorkDTO(title: "Dune", reviewStatus: .needsReview)
        (work.firstPublicationYear, work.description, work.coverImageURL) = (1965, "Sand.", "https://work")
        var edition = EditionDTO(isbns: ["0441172717", "9780441172719"], format: .paperback)
        (edition.publicationDate, edition.pageCount, edition.coverImageURL) = ("1990-09-01", 535, "https://edition")
        let record = DTOMapper.record(work: work, edition: edition, authors: [AuthorDTO(name: "Frank Herbert")])
        #expect(record.title == "Dune")
        #expect(record.isbn == "9780441172719")
        #expect(record.publicationYear == 1990)
        #expect(record.coverURL == "https://edition")
        #expect(record.synopsis == "Sand.")
        #expect(record.needsReview)
        let bare = DTOMapper.record(work: work, edition: nil, authors: [])
        #expect(bare.publicationYear == 1965)
        #expect(bare.coverURL == "https://work")
    }

    @Test("a job's results are returned as records in the order of the request")
    func results() async throws {
        await server.setSteps(.automatic)
        let api = EnrichmentAPIClient(client: client)
        let job = try await api.startEnrichment(jobId: .random(), workIds: [isbns[1], "OL1W", isbns[0]])
        _ = try await client.events(of: job.jobId).last()
        #expect(try await api.records(of: job.jobId).map { $0?.title } == ["The Hobbit", nil, "Dune"])
        try await api.cancelJob(job.jobId)
    }
}
