public import BookstrackContract
import Foundation

#if canImport(Combine)
    public import Combine
#else
    public import Observation
#endif

/// Looks up books in the background, at most 100 per job and without duplicates, even across app launches and days without a network.
///
/// ```swift
/// let queue = try EnrichmentQueue(client: client, storage: FileQueueStorage(url: folder.appending(path: "queue.json"))) { delivery in
///     try await library.store(delivery.rows)
/// }
/// queue.start()
/// try queue.enqueue([BookQuery(isbn: "9780441172719")])
/// ```
///
/// - **Nothing is lost.** Books and their job's identifier are stored before the start request is sent, so repeating the request after a crash does
///   not start a second job. Unless they are removed or their job is cancelled, books leave the queue only after the app has accepted their results;
///   after a crash in between, the results are delivered again.
/// - **Refusals.** If the server refuses a job because of its books or their number, the job is divided, so that only a book that is refused on its
///   own is given up. If it refuses the job permanently for another reason, all its books are given up. Books that are given up are delivered with
///   the reason.
/// - **Retries.** If a provider failed, the server retries after 1, 4 and 24 hours, and the queue reads the results a few minutes after each retry.
///   Books that their job did not look up before its deadline are put into another job after the same delays.
#if !canImport(Combine)
    @Observable
#endif
@MainActor
public final class EnrichmentQueue {
    /// Rows of one job that are passed to the app together.
    public struct Delivery: Sendable, Equatable {
        /// The job's identifier.
        public let jobID: JobID
        /// Rows with a result, and rows with the reason why they have none. Their `row` is the row number of the queued book.
        public let rows: [EnrichedBook]
        /// Whether these rows were delivered earlier without a result. An app may then show "We found more metadata for 3 books."
        public let isImprovement: Bool
    }

    /// The job that is being started or followed; nil if there is none.
    public private(set) var currentJobId: JobID? { willSet { announceChange() } }
    /// Number of books waiting for a job, not counting those that an earlier job did not look up and those of a job that was divided.
    public private(set) var pendingCount = 0 { willSet { announceChange() } }
    /// Progress of the current job, from 0 to 1.
    public private(set) var progress = 0.0 { willSet { announceChange() } }
    /// Why the queue is not making progress; nil while there is no error.
    public private(set) var lastError: BookstrackError? { willSet { announceChange() } }

    private let client: BookstrackClient
    private let storage: any QueueStorage
    private let deliver: @MainActor (Delivery) async throws -> Void
    private var state: QueueState
    private let running = OwnedTask()
    private let sleeping = OwnedTask()
    /// The delivery in progress, which ``stop()`` does not interrupt.
    private var delivery: Task<BookstrackError?, Never>?
    /// Whether there is new work since the current step began: an added book, or a job to cancel.
    private var isWoken = false

    /// Loads the queue saved by an earlier launch. Call ``start()`` to continue.
    ///
    /// `deliver` receives results; if it throws, they are delivered again later.
    ///
    /// - Throws: ``BookstrackError`` with `storageFailed` if the storage cannot be read.
    public init(
        client: BookstrackClient, storage: any QueueStorage,
        deliver: @escaping @MainActor (Delivery) async throws -> Void
    ) throws(BookstrackError) {
        self.client = client
        self.storage = storage
        self.deliver = deliver
        do {
            state = try storage.load().map { try JSONDecoder().decode(QueueState.self, from: $0) } ?? QueueState()
        } catch {
            throw BookstrackError(.storageFailed, "the queue cannot be read: \(error)")
        }
        publish()
    }

    // MARK: Books

    /// Adds books; books that are already in the queue are skipped.
    ///
    /// - Throws: ``BookstrackError`` with `storageFailed`; no book was added in that case.
    public func enqueue(_ books: [BookQuery], priority: JobPriority = .normal, source: JobSource = .manual)
        throws(BookstrackError)
    {
        try commit { $0.add(books, priority, source) }
        wake()
    }

    /// Adds books by ISBN.
    public func enqueue(isbns: [String], priority: JobPriority = .normal, source: JobSource = .manual)
        throws(BookstrackError)
    {
        try enqueue(isbns.map { BookQuery(isbn: $0) }, priority: priority, source: source)
    }

    /// Moves a waiting book to the front and gives it high priority, for example because a user is looking at it; false if the book is not waiting.
    @discardableResult
    public func prioritize(_ book: BookQuery) throws(BookstrackError) -> Bool {
        var isMoved = false
        try commit { isMoved = $0.prioritize(book) }
        return isMoved
    }

    /// Removes a waiting book; false if the book is not waiting. Books in the current job are not removed.
    @discardableResult
    public func dequeue(_ book: BookQuery) throws(BookstrackError) -> Bool {
        var isRemoved = false
        try commit { isRemoved = $0.remove(book) }
        return isRemoved
    }

    /// Cancels the current job and removes its books. A job whose token was lost continues on the server, but its results are not delivered.
    public func cancelBackendJob() async throws(BookstrackError) {
        guard let batch = state.current else { return }
        try await client.abandon(batch.jobID)
        if state.current?.jobID == batch.jobID { try commit { $0.current = nil } }
        restart()
    }

    /// "Library reset": removes every book and cancels the current job.
    ///
    /// - Throws: ``BookstrackError`` with `storageFailed` if the queue cannot be stored, or the reason why the job cannot be cancelled now, such as a
    ///   missing network. In the latter case, the books are removed nevertheless, and the job is cancelled later, when the queue is running.
    public func clear() async throws(BookstrackError) {
        try commit { $0 = QueueState(removed: $0.removed + ($0.current.map { [$0.jobID] } ?? [])) }
        restart()
        try await cancelRemovedJobs()
    }

    /// Whether no book is waiting, being looked up or awaiting a retry.
    public var isEmpty: Bool { state == QueueState(removed: state.removed) }

    // MARK: Running

    /// Runs until ``stop()``; has no effect if the queue is already running.
    public func start() {
        guard !running.isRunning else { return }
        running.start { [weak self] in
            var failures = 0
            while !Task.isCancelled, let pause = await self?.step(failures: &failures) {
                await self?.sleep(pause)
            }
        }
    }

    /// Stops the queue. The current job continues on the server, and ``start()`` resumes following it. A delivery that has begun is completed: if the
    /// app accepts it, the queue is updated.
    public func stop() {
        running.cancel()
        sleeping.cancel()
    }

    private func restart() {
        guard running.isRunning else { return }
        stop()
        start()
    }

    private func wake() {
        isWoken = true
        sleeping.cancel()
    }

    /// A pause between two steps.
    private struct Pause {
        /// How long the server asked the client to wait.
        var requested: Duration = .zero
        /// The rest of the pause, which new work ends early.
        var further: Duration = .zero
    }

    private func sleep(_ pause: Pause) async {
        let clock = client.clock
        if pause.requested > .zero { _ = try? await clock.sleep(for: pause.requested) }
        guard !isWoken, !Task.isCancelled, pause.further > .zero else { return }
        sleeping.start { _ = try? await clock.sleep(for: pause.further) }
        await sleeping.wait()
    }

    /// Performs the work that is due, and returns the pause after it; nil if the task was cancelled.
    private func step(failures: inout Int) async -> Pause? {
        isWoken = false
        _ = await delivery?.value
        if Task.isCancelled { return nil }
        let now = client.clock.date
        var pause = Pause()
        do throws(BookstrackError) {
            try commit { $0.bringForward(at: now) }
            if let visit = state.dueVisit(at: now) {
                try await readAgain(visit)
            } else {
                try commit { $0.begin(at: now) }
                if let batch = state.current {
                    try await work(on: batch)
                } else {
                    pause.further = .seconds(max(state.nextDue?.timeIntervalSince(now) ?? 3_600, 1))
                }
                // Last, so that a job that cannot be cancelled does not delay the lookup of other books for long.
                try await cancelRemovedJobs()
            }
            (failures, lastError) = (0, nil)
            return pause
        } catch {
            if Task.isCancelled || error.code == .cancelled { return nil }
            lastError = error
            failures += 1
            let window = Double(min(1 << min(failures, 6), 60))
            let (requested, backoff) = (error.retryAfter ?? .zero, Duration.seconds(.random(in: 0.5...1) * window))
            return Pause(requested: requested, further: max(backoff - requested, .zero))
        }
    }

    /// Cancels the jobs whose books were removed; throws if one of them cannot be cancelled now. A job that the server refuses to cancel continues;
    /// its token is removed, too.
    private func cancelRemovedJobs() async throws(BookstrackError) {
        while let job = state.removed.first {
            do throws(BookstrackError) {
                try await client.abandon(job)
            } catch  where error.isFinalRefusal {
                try await client.forget(job)
            }
            try commit { $0.removed.removeAll { $0 == job } }
        }
    }

    private func work(on batch: QueueState.Batch) async throws(BookstrackError) {
        guard try await begin(batch) else { return }
        // If the job cannot be followed, only its results show whether it has ended.
        do {
            for try await event in client.events(of: batch.jobID) { progress = event.progress ?? progress }
        } catch let error as BookstrackError where error.recovery == .startAgain || error.isMissing {
        } catch {
            throw error as? BookstrackError ?? BookstrackError(.unexpectedAnswer, "\(error)")
        }
        guard !Task.isCancelled else { throw BookstrackError(.cancelled, "the queue was stopped") }
        let results: EnrichmentResults
        do throws(BookstrackError) {
            results = try await client.results(of: batch.jobID)
        } catch  where error.isMissing {
            return try await end(batch, without: error)
        }
        guard state.current?.jobID == batch.jobID else { return }
        let rows = batch.entries.numbered(results.enrichedBooks.filter { !batch.missed($0) })
        let now = client.clock.date
        let change: @Sendable (inout QueueState) -> Void = {
            if $0.current?.jobID == batch.jobID { $0.complete(results.enrichedBooks, at: now) }
        }
        if rows.isEmpty {
            try commit(change)
        } else {
            try await deliverResults(Delivery(jobID: batch.jobID, rows: rows, isImprovement: false), then: change)
        }
        try await client.forget(batch.jobID)
    }

    /// Starts the job unless it has already started; false if the server rejects it, or if it was cancelled meanwhile.
    private func begin(_ batch: QueueState.Batch) async throws(BookstrackError) -> Bool {
        if batch.isStarted { return true }
        do throws(BookstrackError) {
            _ = try await client.startEnrichment(
                books: batch.entries.map(\.book), jobID: batch.jobID, priority: batch.entries.first?.priority,
                source: batch.entries.first?.source)
        } catch  where error.code == .jobExists {
            // The server accepted an earlier start request, but its response, with the token, was lost. Reading the results requires no token.
        } catch  where error.isFinalRefusal {
            try await divide(batch, error)
            return false
        }
        guard state.current?.jobID == batch.jobID else {
            // The job was cancelled while it was being started. This task was cancelled too, so its own calls would fail; the queue's next step
            // cancels the job.
            try commit { $0.removed.append(batch.jobID) }
            wake()
            return false
        }
        try commit { $0.current?.isStarted = true }
        return true
    }

    /// Divides a job that the server refuses. If the job has only one book, or if the refusal has nothing to do with its books or their number
    /// (http-api.md "Error codes"), the books are given up.
    private func divide(_ batch: QueueState.Batch, _ error: BookstrackError) async throws(BookstrackError) {
        guard state.current?.jobID == batch.jobID else { return }
        let count = batch.entries.count
        guard error.status == 400, count > 1 else { return try await giveUp(batch, error) }
        let (half, now) = ((count + 1) / 2, client.clock.date)
        try commit { $0.divide(size: min(error.maxBatchBooks ?? half, half), at: now) }
    }

    /// Handles a job without results: it has not ended, or the server no longer stores it.
    private func end(_ batch: QueueState.Batch, without error: BookstrackError) async throws(BookstrackError) {
        guard state.current?.jobID == batch.jobID else { return }
        guard error.details["status"] == nil else {
            throw BookstrackError(
                .serviceUnavailable, "the job has not ended", retryAfter: .seconds(30), isRetryable: true)
        }
        try commit { $0.requeue() }
        try await client.forget(batch.jobID)
    }

    /// Tells the app why there will be no results, and removes the books.
    private func giveUp(_ batch: QueueState.Batch, _ error: BookstrackError) async throws(BookstrackError) {
        let rows = batch.entries.map { entry in
            var row = EnrichedBook(asked: entry.book, success: false)
            (row.error, row.retryable) = (error.message, false)
            return row
        }
        try await deliverResults(Delivery(jobID: batch.jobID, rows: rows, isImprovement: false)) {
            if $0.current?.jobID == batch.jobID { $0.current = nil }
        }
    }

    /// Reads the results of an ended job again, and delivers the rows that have improved.
    private func readAgain(_ visit: QueueState.Visit) async throws(BookstrackError) {
        var rows: [EnrichedBook]?
        do throws(BookstrackError) {
            rows = try await client.results(of: visit.jobID).enrichedBooks
        } catch  where error.isMissing {}
        var changed = state
        let better = changed.note(rows, of: visit)
        if better.isEmpty { return try commit { _ = $0.note(rows, of: visit) } }
        let delivery = Delivery(jobID: visit.jobID, rows: visit.entries.numbered(better), isImprovement: true)
        try await deliverResults(delivery) { [rows] in _ = $0.note(rows, of: visit) }
    }

    /// Passes results to the app and then changes the state. Both happen in a task of their own: if the queue is stopped and started again meanwhile,
    /// the next step waits for them instead of delivering the same results a second time.
    private func deliverResults(_ results: Delivery, then change: @escaping @Sendable (inout QueueState) -> Void)
        async throws(BookstrackError)
    {
        if Task.isCancelled { throw BookstrackError(.cancelled, "the queue was stopped") }
        let task = Task { () -> BookstrackError? in
            do {
                try await deliver(results)
            } catch {
                return BookstrackError(
                    .storageFailed, "the app did not accept the results: \(error)", isRetryable: true)
            }
            do throws(BookstrackError) {
                try commit(change)
                return nil
            } catch {
                return error
            }
        }
        delivery = task
        let failure = await task.value
        if delivery == task { delivery = nil }
        if let failure { throw failure }
    }

    /// Changes the state: on disk first, then in memory.
    private func commit(_ change: (inout QueueState) -> Void) throws(BookstrackError) {
        var changed = state
        change(&changed)
        guard changed != state else { return }
        do {
            try storage.save(JSONEncoder().encode(changed))
        } catch {
            throw BookstrackError(.storageFailed, "the queue cannot be stored: \(error)", isRetryable: true)
        }
        if changed.current?.jobID != state.current?.jobID { progress = 0 }
        state = changed
        publish()
    }

    private func publish() {
        if currentJobId != state.current?.jobID { currentJobId = state.current?.jobID }
        if pendingCount != state.pending.count { pendingCount = state.pending.count }
    }

    private func announceChange() {
        #if canImport(Combine)
            objectWillChange.send()
        #endif
    }
}

#if canImport(Combine)
    extension EnrichmentQueue: ObservableObject {}
#endif

/// What an error reveals about a job. A response without an envelope comes from a proxy and reveals nothing, whatever its status.
extension BookstrackError {
    /// Whether the server has no results for the job.
    fileprivate var isMissing: Bool { code == .notFound && !isCodeOfStatus }

    /// Whether the server refuses the request for good.
    fileprivate var isFinalRefusal: Bool { status != nil && !isRetryable && !isCodeOfStatus }
}
