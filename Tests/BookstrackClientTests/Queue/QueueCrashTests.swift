import BookstrackClient
import BookstrackClientTesting
import BookstrackContract
import Foundation
import TestSupport
import Testing

@Suite("The queue of an app that dies or restarts", .timeLimit(.minutes(1)))
@MainActor
struct QueueCrashTests {
    private let rig = QueueRig()

    /// For each n, stops the app at its nth write or request, before or after that step has happened, and then starts the app again, with no further
    /// stop.
    @Test("whenever the app dies, no book is in two jobs and none is lost", arguments: [true, false])
    func crashes(isAfter: Bool) async throws {
        let wanted = (0..<150).map(QueueRig.isbn)
        for step in 1...40 {
            let server = FakeServer()
            for number in 0..<150 {
                await server.add(FakeBook(isbn: QueueRig.isbn(number), title: "Book \(number)", author: "Author"))
            }
            let (storage, library, fuse) = (MemoryStorage(), QueueRig.Library(), Fuse(steps: step, isAfter: isAfter))
            var isEnqueued = false
            for run in 0..<2 {
                if run == 1 { fuse.mend() }
                let client = BookstrackClient(transport: BurningTransport(base: server, fuse: fuse), clock: rig.clock)
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
                try await rig.drain(queue) { queue.isEmpty || fuse.isBlown }
            }
            #expect(Set(library.keys { $0.success }) == Set(wanted), "step \(step)")
            var items: [String] = []
            for job in await server.jobIDs { items += await server.items(of: job).compactMap(\.isbn) }
            #expect(items.count == Set(items).count, "step \(step): a book is in two jobs")
        }
    }

    @Test("results that the app is still storing are not delivered again when the queue is stopped and started")
    func restartDuringDelivery() async throws {
        await rig.books(1)
        var deliveries: [CheckedContinuation<Void, Never>] = []
        let client = BookstrackClient(transport: rig.server, clock: rig.clock)
        let queue = try EnrichmentQueue(client: client, storage: rig.storage) { _ in
            await withCheckedContinuation { deliveries.append($0) }
        }
        try queue.enqueue(isbns: [QueueRig.isbn(0)])
        queue.start()
        try await until { !deliveries.isEmpty }
        queue.stop()
        queue.start()
        // Lets the second run read the results, if it does not wait.
        for _ in 0..<1_000 { await Task.yield() }
        #expect(deliveries.count == 1)
        for delivery in deliveries { delivery.resume() }
        try await rig.drain(queue) { queue.isEmpty }
    }

    @Test("a job can be cancelled even if the app died before storing that it was started", arguments: [true, false])
    func cancelledAfterCrash(isCleared: Bool) async throws {
        await rig.server.setSteps(.manual)
        let tokens = MemoryTokenStore()
        let client = BookstrackClient(transport: rig.server, tokens: tokens, clock: TestClock())
        // The third write would store that the job was started.
        let fuse = Fuse(steps: 3, isAfter: false)
        let first = try EnrichmentQueue(client: client, storage: BurningStorage(base: rig.storage, fuse: fuse)) { _ in }
        try first.enqueue(isbns: [QueueRig.isbn(0)])
        first.start()
        try await rig.drain(first) { fuse.isBlown }
        let job = try #require(first.currentJobId)
        let second = try EnrichmentQueue(client: client, storage: rig.storage) { _ in }
        if isCleared { try await second.clear() } else { try await second.cancelBackendJob() }
        #expect(await rig.server.calls.contains("DELETE /v1/jobs/\(job)"))
        #expect(await tokens.token(of: job) == nil)
    }
}
