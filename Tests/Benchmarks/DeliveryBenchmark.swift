import ArgumentParser
import BookstrackContract
import NIOConcurrencyHelpers
import NIOCore
import SuiteFixture
import SuiteMethods
import WireClient

/// The time from the recording of an item by the worker to the arrival of its frame at a WebSocket client; the item is
/// committed before the frame is sent.
struct DeliveryBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delivery", abstract: "Item recorded -> frame received, 1 000 updates/s over 100 jobs")

    @Option(help: "Number of jobs, each with one watching client.")
    var jobs = 100
    @Option(help: "Total number of updates per second.")
    var rate = 1_000
    @Option(help: "Duration, in seconds.")
    var seconds = 10

    func run() async throws {
        try await Suite.run(Self.options) { suite in
            await suite.worker.end()
            let latencies = try await Self.latencies(suite, jobs: jobs, rate: rate, seconds: seconds)
            latencies.report(
                "item recorded -> frame received (\(latencies.count) frames)", p50: 180, p99: 700,
                comparison: FramesBenchmark.pacedComparison)
        }
    }

    /// The throttle is off, so every update is a frame.
    static var options: Suite.Options {
        Suite.Options(settings: [
            "BOOKSTRACK_PROGRESS_INTERVAL_MS": "0", "BOOKSTRACK_MAX_BATCH_BOOKS": "10000",
            "BOOKSTRACK_LOG_LEVEL": "warning",
        ])
    }

    static func latencies(_ suite: Suite, jobs: Int, rate: Int, seconds: Int) async throws -> Latencies {
        let puppet = try await WorkerPuppet(runtimeDirectory: suite.runtimeDirectory)
        let perJob = rate * seconds / jobs
        let receipts = Receipts()
        var (ids, listeners): ([JobID], [Task<Void, any Error>]) = ([], [])
        for _ in 0..<jobs {
            let id = JobID.random()
            ids.append(id)
            // One more item than is measured, so the job stays open.
            let token = try await puppet.createJob(id, count: perJob + 1)
            let socket = try await ProgressSocket.connect(
                to: suite.address, path: "/ws/progress?jobId=\(id)&token=\(token)")
            try await socket.send(text: #"{"type":"ready"}"#)
            listeners.append(
                Task {
                    for await event in socket.events {
                        guard let message = event.message, let frame = try? ProgressFrame(message),
                            case .progress(let payload) = frame.content, payload.keepAlive != true
                        else { continue }
                        receipts.note(id, processed: payload.processedCount, at: event.receivedAt)
                        if payload.processedCount >= perJob { break }
                    }
                    await socket.cut()
                })
        }
        let items = try await puppet.claimAll(ids, count: perJob + 1)
        try await pace(items, perJob: perJob, rate: rate, puppet: puppet, receipts: receipts)
        for listener in listeners { try await listener.value }
        for rest in items { try await puppet.record(rest[perJob...]) }
        await puppet.disconnect()
        return receipts.latencies
    }

    /// Records items round-robin across the jobs, one item per call, at even intervals.
    private static func pace(
        _ items: [[ClaimedItem]], perJob: Int, rate: Int, puppet: WorkerPuppet, receipts: Receipts
    ) async throws {
        let started = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            var sent = 0
            for round in 0..<perJob {
                for job in items.indices {
                    let due = started + .nanoseconds(Int64(sent) * 1_000_000_000 / Int64(rate))
                    if due > .now { try await Task.sleep(until: due, clock: .continuous) }
                    let item = items[job][round]
                    receipts.noteSent(item.key.jobId, processed: round + 1, at: .now())
                    group.addTask { try await puppet.record([item]) }
                    sent += 1
                }
            }
            try await group.waitForAll()
        }
    }
}

/// Matches the time at which an update was sent with the time at which its frame arrived.
final class Receipts: Sendable {
    private struct Update: Hashable {
        var job: JobID
        var processed: Int
    }

    private struct State {
        var sent: [Update: NIODeadline] = [:]
        var latencies = Latencies()
    }

    private let state = NIOLockedValueBox(State())

    var latencies: Latencies { state.withLockedValue { $0.latencies } }

    func noteSent(_ job: JobID, processed: Int, at time: NIODeadline) {
        state.withLockedValue { $0.sent[Update(job: job, processed: processed)] = time }
    }

    func note(_ job: JobID, processed: Int, at time: NIODeadline) {
        state.withLockedValue { state in
            guard let sent = state.sent.removeValue(forKey: Update(job: job, processed: processed)) else { return }
            state.latencies.record(.nanoseconds((time - sent).nanoseconds))
        }
    }
}
