import BookstrackClient
import BookstrackClientTesting
import BookstrackContract
import Foundation
import Testing

@Suite("The book queue", .timeLimit(.minutes(1)))
@MainActor
struct EnrichmentQueueTests {
    private static let start = Date(timeIntervalSince1970: 1_763_294_400)

    /// The rows that an app has stored; they survive restarts of its queue.
    private final class Library {
        var rows: [EnrichedBook] = []
        var improvements = 0

        func keys(_ isMeant: (EnrichedBook) -> Bool = { _ in true }) -> [String] {
            rows.filter(isMeant).compactMap(\.isbn)
        }
    }

    private let server = FakeServer()
    private let clock = TestClock(date: start, isInstant: true)
    private let storage = MemoryStorage()
    private let library = Library()

    private static func isbn(_ number: Int) -> String { "978000000\(1_000 + number)" }

    private func books(_ count: Int, failure: ItemErrorCode? = nil) async {
        for number in 0..<count {
            await server.add(
                FakeBook(isbn: Self.isbn(number), title: "Book \(number)", author: "Author", failure: failure))
        }
    }

    private func queue(_ transport: (any ClientTransport)? = nil) throws -> EnrichmentQueue {
        let client = BookstrackClient(transport: transport ?? server, clock: clock)
        return try EnrichmentQueue(client: client, storage: storage) { [library] delivery in
            library.rows += delivery.rows
            if delivery.isImprovement { library.improvements += 1 }
        }
    }

    /// Waits until `isDone` returns true, then stops the queue.
    private func drain(_ queue: EnrichmentQueue, _ isDone: () -> Bool) async {
        while !isDone() { await Task.yield() }
        queue.stop()
    }

    // MARK: Books

    @Test("a book is queued once, however its ISBN or title is written")
    func deduplication() throws {
        let queue = try queue()
        try queue.enqueue(isbns: ["978-0-441-17271-9", "0441172717", "9780441172719"])
        try queue.enqueue([
            BookQuery(title: "Dune", author: "Frank Herbert"), BookQuery(title: " dune", author: "frank  herbert"),
        ])
        #expect(queue.pendingCount == 2)
    }

    @Test("different books with the same unusable ISBN are all queued")
    func unusableISBNs() throws {
        let queue = try queue()
        for isbn in ["", "unknown"] {
            try queue.enqueue([
                BookQuery(title: "Emma", isbn: isbn), BookQuery(title: "Dune", isbn: isbn),
                BookQuery(isbn: isbn, workId: "OL1W"), BookQuery(title: " ", isbn: isbn),
            ])
        }
        #expect(queue.pendingCount == 5)
    }

    @Test("delivered rows have the row numbers of the imported books that were queued")
    func rowNumbers() async throws {
        await books(2)
        let queue = try queue()
        try queue.enqueue([BookQuery(isbn: Self.isbn(0), row: 7), BookQuery(isbn: Self.isbn(1))])
        queue.start()
        await drain(queue) { queue.isEmpty }
        #expect(library.rows.map(\.row) == [7, nil])
    }

    @Test("250 books are divided into three jobs of at most 100 books")
    func batches() async throws {
        await books(250)
        let queue = try queue()
        try queue.enqueue(isbns: (0..<250).map(Self.isbn))
        queue.start()
        await drain(queue) { queue.isEmpty }
        var sizes: [Int] = []
        for job in await server.jobIDs { sizes.append(await server.items(of: job).count) }
        #expect(sizes.sorted() == [50, 100, 100])
        #expect(library.keys().sorted() == (0..<250).map(Self.isbn).sorted())
    }

    @Test("a book that the user is viewing is looked up first, and a removed book is not looked up")
    func order() async throws {
        await server.setSteps(.manual)
        let queue = try queue()
        try queue.enqueue(isbns: (0..<150).map(Self.isbn))
        #expect(try queue.prioritize(BookQuery(isbn: Self.isbn(140))))
        #expect(try queue.dequeue(BookQuery(isbn: Self.isbn(0))))
        #expect(try !queue.dequeue(BookQuery(isbn: Self.isbn(0))))
        try queue.enqueue(isbns: [Self.isbn(200)], priority: .high)
        queue.start()
        await drain(queue) { queue.currentJobId != nil && queue.pendingCount == 148 }
        let job = try #require(queue.currentJobId)
        let stored = try JSONDecoder().decode(StoredQueue.self, from: #require(storage.load()))
        #expect(stored.current?.jobID == job)
        #expect(stored.current?.entries.map(\.book.isbn) == [Self.isbn(140), Self.isbn(200)])
    }

    @Test("clearing the queue cancels its job and removes every book")
    func clear() async throws {
        await server.setSteps(.manual)
        let queue = try queue()
        try queue.enqueue(isbns: (0..<150).map(Self.isbn))
        queue.start()
        while await server.jobIDs.isEmpty { await Task.yield() }
        let job = try #require(queue.currentJobId)
        while await !server.calls.contains(where: { $0.hasPrefix("WEBSOCKET") }) { await Task.yield() }
        try await queue.clear()
        queue.stop()
        #expect(queue.isEmpty)
        #expect(await server.calls.contains("DELETE /v1/jobs/\(job)"))
    }

    // MARK: Crashes

    /// For each n, stops the app at its nth write or request, before or after that step has happened, and then starts the app again, with no further
    /// stop.
    @Test("whenever the app dies, no book is in two jobs and none is lost", arguments: [true, false])
    func crashes(isAfter: Bool) async throws {
        await books(150)
        let wanted = (0..<150).map(Self.isbn)
        for step in 1...40 {
            let server = FakeServer()
            for number in 0..<150 {
                await server.add(FakeBook(isbn: Self.isbn(number), title: "Book \(number)", author: "Author"))
            }
            let (storage, library, fuse) = (MemoryStorage(), Library(), Fuse(steps: step, isAfter: isAfter))
            var isEnqueued = false
            for run in 0..<2 {
                if run == 1 { fuse.mend() }
                let client = BookstrackClient(transport: BurningTransport(base: server, fuse: fuse), clock: clock)
                let queue = try EnrichmentQueue(client: client, storage: BurningStorage(base: storage, fuse: fuse)) {
                    if fuse.isBlown { throw CancellationError() }
                    library.rows += $0.rows
                }
                if !isEnqueued {
                    do {
                        try queue.enqueue(isbns: wanted)
                    } catch {}
                }
                isEnqueued = true
                // If the app did not confirm that the books were stored, the user has to add them again.
                if run == 1, queue.isEmpty, library.rows.isEmpty { try queue.enqueue(isbns: wanted) }
                queue.start()
                await drain(queue) { queue.isEmpty || fuse.isBlown }
            }
            #expect(Set(library.keys { $0.success }) == Set(wanted), "step \(step)")
            var items: [String] = []
            for job in await server.jobIDs { items += await server.items(of: job).compactMap(\.isbn) }
            #expect(items.count == Set(items).count, "step \(step): a book is in two jobs")
        }
    }

    @Test("books added while offline are looked up when the network returns, even a day later")
    func offline() async throws {
        await books(120)
        await server.setOffline(true)
        let queue = try queue()
        try queue.enqueue(isbns: (0..<120).map(Self.isbn))
        queue.start()
        while clock.date < Self.start.addingTimeInterval(86_400) { await Task.yield() }
        #expect(queue.lastError?.code == .connectionFailed)
        #expect(library.rows.isEmpty)
        await server.setOffline(false)
        await drain(queue) { queue.isEmpty }
        #expect(library.rows.count == 120)
        #expect(queue.lastError == nil)
    }

    /// A queue with one book whose first start was answered with 503, and which now sleeps.
    private func pausedQueue(on clock: TestClock, retryAfter seconds: Int) async throws -> EnrichmentQueue {
        await server.failNext(ClientAnswer(status: 503, headers: ["retry-after": "\(seconds)"]))
        let client = BookstrackClient(transport: server, clock: clock)
        let queue = try EnrichmentQueue(client: client, storage: storage) { _ in }
        try queue.enqueue(isbns: [Self.isbn(0)])
        queue.start()
        await clock.sleepersArrive()
        return queue
    }

    @Test("the queue pauses after a failure even if the server asks for no pause")
    func noPauseAsked() async throws {
        let clock = TestClock()
        let queue = try await pausedQueue(on: clock, retryAfter: 0)
        #expect(await server.jobIDs.isEmpty)
        queue.stop()
    }

    @Test("results that the app is still storing are not delivered again when the queue is stopped and started")
    func restartDuringDelivery() async throws {
        await books(1)
        var deliveries: [CheckedContinuation<Void, Never>] = []
        let client = BookstrackClient(transport: server, clock: clock)
        let queue = try EnrichmentQueue(client: client, storage: storage) { _ in
            await withCheckedContinuation { deliveries.append($0) }
        }
        try queue.enqueue(isbns: [Self.isbn(0)])
        queue.start()
        while deliveries.isEmpty { await Task.yield() }
        queue.stop()
        queue.start()
        // Lets the second run read the results, if it does not wait.
        for _ in 0..<1_000 { await Task.yield() }
        #expect(deliveries.count == 1)
        for delivery in deliveries { delivery.resume() }
        await drain(queue) { queue.isEmpty }
    }

    @Test("books that are added do not shorten the pause that the server asked for")
    func pauseAsked() async throws {
        await books(2)
        let clock = TestClock()
        let queue = try await pausedQueue(on: clock, retryAfter: 90)
        try queue.enqueue(isbns: [Self.isbn(1)])
        // Lets the queue make its next step, if it does not wait.
        for _ in 0..<1_000 { await Task.yield() }
        #expect(await server.calls.count == 1)
        clock.advance(by: .seconds(90))
        await drain(queue) { queue.isEmpty }
    }

    // MARK: Retries

    @Test(
        "books that no provider could look up are checked three more times over a day, and never put into a second job"
    )
    func visits() async throws {
        await books(3, failure: .providerTimeout)
        let queue = try queue()
        try queue.enqueue(isbns: (0..<3).map(Self.isbn))
        queue.start()
        await drain(queue) { queue.isEmpty }
        let reads = await server.calls.count { $0.hasPrefix("GET /v1/enrichment/results/") }
        #expect(reads == 4)
        #expect(await server.jobIDs.count == 1)
        #expect(clock.date >= Self.start.addingTimeInterval(86_400))
        #expect(library.improvements == 0)
    }

    @Test("a queue whose clock was set back by a year does not wait a year")
    func clockSetBack() async throws {
        await books(1, failure: .providerTimeout)
        let first = try queue()
        try first.enqueue(isbns: [Self.isbn(0)])
        first.start()
        await drain(first) { !library.rows.isEmpty && first.currentJobId == nil }
        let past = Self.start.addingTimeInterval(-365 * 86_400)
        let clock = TestClock(date: past, isInstant: true)
        let client = BookstrackClient(transport: server, clock: clock)
        let second = try EnrichmentQueue(client: client, storage: storage) { _ in }
        second.start()
        await drain(second) { second.isEmpty }
        #expect(clock.date < past.addingTimeInterval(2 * 86_400))
    }

    @Test("a job that failed as a whole is retried three times")
    func failedJobs() async throws {
        await server.setSteps(.manual)
        let queue = try queue()
        try queue.enqueue(isbns: [Self.isbn(0)])
        queue.start()
        var failed: Set<JobID> = []
        while !queue.isEmpty {
            for job in await server.jobIDs where failed.insert(job).inserted { await server.fail(job) }
            await Task.yield()
        }
        queue.stop()
        #expect(failed.count == 4)
        #expect(library.rows.map(\.success) == [false])
    }

    @Test("the books of a job that the server no longer stores are put into a new job")
    func forgottenJob() async throws {
        await books(2)
        await server.setSteps(.manual)
        let queue = try queue()
        try queue.enqueue(isbns: (0..<2).map(Self.isbn))
        queue.start()
        while await !server.calls.contains(where: { $0.hasPrefix("WEBSOCKET") }) { await Task.yield() }
        let job = try #require(queue.currentJobId)
        await server.setSteps(.automatic)
        await server.forget(job)
        await drain(queue) { queue.isEmpty }
        #expect(library.keys { $0.success } == (0..<2).map(Self.isbn))
    }

    /// How a job ends without results.
    enum Ending: CaseIterable, Sendable { case failed, forgotten, cancelled, cancelledByQueue, cleared }

    @Test(
        "the token of a job is removed even if the job ends without results",
        arguments: Ending.allCases)
    func tokens(ending: Ending) async throws {
        await server.setSteps(.manual)
        let client = BookstrackClient(transport: server, clock: TestClock(date: Self.start))
        let queue = try EnrichmentQueue(client: client, storage: storage) { _ in }
        try queue.enqueue(isbns: [Self.isbn(0)])
        queue.start()
        while await !server.calls.contains(where: { $0.hasPrefix("WEBSOCKET") }) { await Task.yield() }
        let job = try #require(queue.currentJobId)
        switch ending {
        case .failed: await server.fail(job)
        case .forgotten: await server.forget(job)
        case .cancelled: try await client.cancel(job)
        case .cancelledByQueue: try await queue.cancelBackendJob()
        case .cleared: try await queue.clear()
        }
        while try await client.tokens.token(of: job) != nil { await Task.yield() }
        #expect(queue.currentJobId != job)
        queue.stop()
    }

    @Test("cancelling a job whose token was lost removes its books from the queue")
    func lostToken() async throws {
        await server.setSteps(.manual)
        let client = BookstrackClient(transport: server, clock: TestClock(date: Self.start))
        let queue = try EnrichmentQueue(client: client, storage: storage) { _ in }
        try queue.enqueue(isbns: [Self.isbn(0)])
        queue.start()
        while await !server.calls.contains(where: { $0.hasPrefix("WEBSOCKET") }) { await Task.yield() }
        try await client.tokens.remove(#require(queue.currentJobId))
        try await queue.cancelBackendJob()
        queue.stop()
        #expect(queue.isEmpty)
    }

    @Test("a late response about a cancelled job does not end the next job")
    func lateResponse() async throws {
        await books(150)
        await server.setSteps(.manual)
        let transport = LateResponse(of: server, to: ErrorPage.results)
        let queue = try queue(transport)
        try queue.enqueue(isbns: (0..<150).map(Self.isbn))
        queue.start()
        while await !server.calls.contains(where: { $0.hasPrefix("WEBSOCKET") }) { await Task.yield() }
        let first = try #require(queue.currentJobId)
        await server.fail(first)
        while await !transport.isHolding { await Task.yield() }
        try await queue.cancelBackendJob()
        while await server.jobIDs.count < 2 { await Task.yield() }
        await transport.release()
        // Lets the task of the first job handle the response.
        for _ in 0..<100 { await Task.yield() }
        let second = try #require(queue.currentJobId)
        #expect(second != first)
        await server.advance(second, by: 50)
        await drain(queue) { queue.isEmpty }
        #expect(await server.jobIDs.count == 2)
        #expect(library.keys() == (100..<150).map(Self.isbn))
    }

    @Test("a job can be cancelled even if the app died before storing that it was started", arguments: [true, false])
    func cancelledAfterCrash(isCleared: Bool) async throws {
        await server.setSteps(.manual)
        let tokens = MemoryTokenStore()
        let client = BookstrackClient(transport: server, tokens: tokens, clock: TestClock())
        // The third write would store that the job was started.
        let fuse = Fuse(steps: 3, isAfter: false)
        let first = try EnrichmentQueue(client: client, storage: BurningStorage(base: storage, fuse: fuse)) { _ in }
        try first.enqueue(isbns: [Self.isbn(0)])
        first.start()
        await drain(first) { fuse.isBlown }
        let job = try #require(first.currentJobId)
        let second = try EnrichmentQueue(client: client, storage: storage) { _ in }
        if isCleared { try await second.clear() } else { try await second.cancelBackendJob() }
        #expect(await server.calls.contains("DELETE /v1/jobs/\(job)"))
        #expect(await tokens.token(of: job) == nil)
    }

    @Test("a job whose start is confirmed only after the queue was cleared is cancelled")
    func lateStart() async throws {
        await server.setSteps(.manual)
        let transport = LateResponse(of: server, to: "/v1/enrichment/batch")
        let queue = try queue(transport)
        try queue.enqueue(isbns: [Self.isbn(0)])
        queue.start()
        while await !transport.isHolding { await Task.yield() }
        let job = try #require(queue.currentJobId)
        try await queue.clear()
        await transport.release()
        while await !server.calls.contains("DELETE /v1/jobs/\(job)") { await Task.yield() }
        queue.stop()
    }

    // MARK: Refusals

    @Test("a text that is too long, U+0000 and the row number of a file do not prevent books from being found")
    func unfit() async throws {
        await books(2)
        let queue = try queue()
        try queue.enqueue([
            BookQuery(title: "Book 0", isbn: Self.isbn(0), row: 1), BookQuery(title: "Book\0 1", isbn: Self.isbn(1)),
            BookQuery(title: String(repeating: "x", count: 501), isbn: String(repeating: "9", count: 33)),
        ])
        queue.start()
        await drain(queue) { queue.isEmpty }
        #expect(library.keys { $0.success } == [Self.isbn(0), Self.isbn(1)])
        #expect(library.rows.count == 3)
        #expect(await server.jobIDs.count == 1)
    }

    @Test("a book whose title was cut is checked again if no provider could look it up")
    func cutTitle() async throws {
        let title = String(repeating: "x", count: 500)
        await server.add(FakeBook(isbn: Self.isbn(0), title: title, author: "Author", failure: .providerTimeout))
        let queue = try queue()
        try queue.enqueue([BookQuery(title: title + "y")])
        queue.start()
        await drain(queue) { queue.isEmpty }
        #expect(await server.calls.count { $0.hasPrefix("GET /v1/enrichment/results/") } == 4)
    }

    @Test("a server that accepts only smaller jobs receives smaller ones, and no book twice")
    func smallerJobs() async throws {
        await books(25)
        await server.limitBatches(to: 10)
        let queue = try queue()
        try queue.enqueue(isbns: (0..<25).map(Self.isbn))
        queue.start()
        await drain(queue) { queue.isEmpty }
        #expect(library.keys { $0.success } == (0..<25).map(Self.isbn))
        #expect(await server.calls.count { $0 == "POST /v1/enrichment/batch" } == 4)
    }

    @Test("if the server refuses a book, only this book is given up")
    func refusedBook() async throws {
        await books(7)
        let queue = try queue(PickyServer(server: server))
        try queue.enqueue((0..<7).map { BookQuery(title: $0 == 4 ? PickyServer.title : nil, isbn: Self.isbn($0)) })
        queue.start()
        await drain(queue) { queue.isEmpty }
        #expect(library.keys { !$0.success } == [Self.isbn(4)])
        #expect(library.keys().sorted() == (0..<7).map(Self.isbn))
    }

    @Test("late outcomes of books that are no longer in the queue are not delivered", arguments: [true, false])
    func lateOutcomes(isRefusal: Bool) async throws {
        await books(1)
        if isRefusal { await server.failNext(ClientAnswer(status: 400, body: Data(PickyServer.refusal.utf8))) }
        let transport = LateResponse(of: server, to: isRefusal ? "/v1/enrichment/batch" : ErrorPage.results)
        let queue = try queue(transport)
        try queue.enqueue(isbns: [Self.isbn(0)])
        queue.start()
        while await !transport.isHolding { await Task.yield() }
        try await queue.clear()
        await transport.release()
        // Lets the task of the removed job handle the response.
        for _ in 0..<100 { await Task.yield() }
        queue.stop()
        #expect(library.rows.isEmpty)
    }

    // MARK: Proxies

    @Test(
        "a start that a proxy answers with an error page is repeated, and no book is given up",
        arguments: [302, 403, 404, 407, 408, 413])
    func refusedStart(status: Int) async throws {
        await books(1)
        await server.failNext(ClientAnswer(status: status, body: Data("<html>".utf8)))
        let queue = try queue()
        try queue.enqueue(isbns: [Self.isbn(0)])
        queue.start()
        await drain(queue) { queue.isEmpty }
        #expect(library.rows.map(\.success) == [true])
        #expect(await server.jobIDs.count == 1)
    }

    @Test("a proxy's 404 in place of results neither starts the job again nor ends the visits", arguments: 1...4)
    func missingResults(read: Int) async throws {
        await books(1, failure: .providerTimeout)
        let queue = try queue(ErrorPage(inPlaceOfRead: read, from: server))
        try queue.enqueue(isbns: [Self.isbn(0)])
        queue.start()
        await drain(queue) { queue.isEmpty }
        #expect(await server.jobIDs.count == 1)
        let reads = await server.calls.count { $0.hasPrefix("GET \(ErrorPage.results)") }
        #expect(reads == 4)
    }
}

/// A server behind a proxy that answers one request for results with an error page.
private actor ErrorPage: ForwardingTransport {
    static let results = "/v1/enrichment/results/"

    let server: FakeServer
    private let failing: Int
    private var reads = 0

    /// The request for results with the number `failing`, counted from 1, does not reach the server.
    init(inPlaceOfRead failing: Int, from server: FakeServer) {
        self.failing = failing
        self.server = server
    }

    func answer(to request: ClientRequest) async throws(TransportFailure) -> ClientAnswer {
        if request.target.hasPrefix(Self.results) {
            reads += 1
            if reads == failing { return ClientAnswer(status: 404, body: Data("<html>".utf8)) }
        }
        return try await server.answer(to: request)
    }
}

/// A server that refuses every job with a certain title.
private struct PickyServer: ForwardingTransport {
    static let title = "An unacceptable title"

    static let refusal =
        #"{"error":{"message":"m","code":"INVALID_REQUEST","retryable":false,"statusCode":400}}"#

    let server: FakeServer

    func answer(to request: ClientRequest) async throws(TransportFailure) -> ClientAnswer {
        if request.body?.firstRange(of: Data(Self.title.utf8)) != nil {
            return ClientAnswer(status: 400, body: Data(Self.refusal.utf8))
        }
        return try await server.answer(to: request)
    }
}

/// The members of a stored queue that the tests read.
private struct StoredQueue: Decodable {
    struct Batch: Decodable {
        var jobID: JobID
        var entries: [Entry]
    }

    struct Entry: Decodable {
        var book: BookQuery
    }

    var current: Batch?
}
