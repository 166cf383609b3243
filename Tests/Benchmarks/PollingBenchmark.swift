import ArgumentParser
import BookstrackContract
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import SuiteFixture
import WireClient

/// Four ways to follow a job, compared in one run with a job for each: polling every 500 ms, long polling, an event stream and a WebSocket.
struct PollingBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "polling", abstract: "Polling, long polling, event stream and WebSocket side by side")

    @Option(help: "Number of books in each job.")
    var books = 100
    @Option(help: "Number of books finished per second.")
    var pace = 10
    @Option(help: "Minimum time between two events of a job, in milliseconds.")
    var interval = 500

    private static let viewers: [(name: String, watch: Viewer)] = [
        ("polling every 500 ms", PollingViewer.watch), ("long polling", LongPollingViewer.watch),
        ("event stream", StreamViewer.watch), ("WebSocket", PushViewer.watch),
    ]

    func run() async throws {
        let options = Suite.Options(settings: [
            "BOOKSTRACK_LOG_LEVEL": "warning", "BOOKSTRACK_PROGRESS_INTERVAL_MS": "\(interval)",
        ])
        try await Suite.run(options) { suite in
            await suite.worker.end()
            var outcomes: [Outcome] = []
            for viewer in Self.viewers { outcomes.append(try await measure(suite, viewer.watch)) }
            print("\(books) books, \(pace) per second, events \(interval) ms apart")
            print("  \(Self.viewers.map(\.name).joined(separator: " | "))")
            line("requests", outcomes, "") { Double($0.traffic.requests) }
            line("bytes in both directions", outcomes, "") { Double($0.traffic.sentBytes + $0.traffic.receivedBytes) }
            line("CPU time (api-proxy and progress-host)", outcomes, "ms") { $0.cpu * 1_000 }
            line("delay of an update, median", outcomes, "ms") { $0.delays.microseconds(50) / 1_000 }
            line("delay of an update, p99", outcomes, "ms") { $0.delays.microseconds(99) / 1_000 }
        }
    }

    struct Outcome {
        var traffic: TrafficCounter.Totals
        var cpu: Double
        var delays: Latencies
    }

    /// Follows a job as a client does: calls `news` with each count that it receives, until the job has ended.
    typealias Viewer =
        @Sendable (
            _ suite: Suite, _ job: JobID, _ token: String, _ traffic: TrafficCounter, _ news: @Sendable (Int) -> Void
        ) async throws -> Void

    private func measure(_ suite: Suite, _ viewer: @escaping Viewer) async throws -> Outcome {
        let puppet = try await WorkerPuppet(runtimeDirectory: suite.runtimeDirectory)
        let id = JobID.random()
        let token = try await puppet.createJob(id, count: books)
        let traffic = TrafficCounter()
        let timeline = Timeline()
        let before = try cpu(suite)
        async let watching: Void = viewer(suite, id, token, traffic) { timeline.learned($0) }
        let items = try await puppet.claim(limit: books)
        let started = ContinuousClock.now
        for (index, item) in items.enumerated() {
            try await Task.sleep(until: started + .milliseconds(index * 1_000 / pace), clock: .continuous)
            timeline.happened()
            try await puppet.record([item])
        }
        try await watching
        let used = try cpu(suite) - before
        await puppet.disconnect()
        return Outcome(traffic: traffic.totals, cpu: used, delays: timeline.delays)
    }

    private func cpu(_ suite: Suite) throws -> Double {
        try KernelUsage(of: suite.proxy).processorSeconds
            + KernelUsage(of: suite.host).processorSeconds
    }

    private func line(_ name: String, _ outcomes: [Outcome], _ unit: String, _ value: (Outcome) -> Double) {
        print("  \(name): \(outcomes.map { "\(Figure.format(value($0))) \(unit)" }.joined(separator: " | "))")
    }
}

/// Polls the job's state twice a second.
enum PollingViewer {
    @Sendable static func watch(
        _ suite: Suite, _ job: JobID, _ token: String, _ traffic: TrafficCounter, _ news: @Sendable (Int) -> Void
    ) async throws {
        let api = APIClient(HTTPClient(address: suite.address, traffic: traffic))
        while true {
            let state = try await api.state(of: job, token: token)
            news(state.processedCount)
            if state.status.isTerminal { break }
            try await Task.sleep(for: .milliseconds(500))
        }
        await api.http.shutdown()
    }
}

/// Waits for each new state (streams.md "Polling").
enum LongPollingViewer {
    @Sendable static func watch(
        _ suite: Suite, _ job: JobID, _ token: String, _ traffic: TrafficCounter, _ news: @Sendable (Int) -> Void
    ) async throws {
        let http = HTTPClient(address: suite.address, traffic: traffic)
        var fields: HTTPHeaders = ["Authorization": "Bearer \(token)"]
        while true {
            let answer = try await http.send(
                HTTPCall(.GET, "\(APIPath.job(job))?wait=30", headers: fields, timeout: .seconds(60)))
            guard answer.status == 200 else { continue }
            let state = try JSONDecoder().decode(
                SuccessEnvelope<JobState>.self, from: Data(answer.body.readableBytesView))
            news(state.data.processedCount)
            if state.data.status.isTerminal { break }
            if let tag = answer.headers.first(name: "ETag") { fields.replaceOrAdd(name: "If-None-Match", value: tag) }
        }
        await http.shutdown()
    }
}

/// Reads the event stream.
enum StreamViewer {
    @Sendable static func watch(
        _ suite: Suite, _ job: JobID, _ token: String, _ traffic: TrafficCounter, _ news: @Sendable (Int) -> Void
    ) async throws {
        let (steps, taken) = AsyncStream.makeStream(of: EventStreamReader.Step.self)
        let channel = try await EventStreamReader.connect(
            to: suite.address, path: "\(APIPath.events(job))?token=\(token)", traffic: traffic
        ) { taken.yield($1) }.get()
        loop: for await step in steps {
            switch step {
            case .event(let event):
                guard case .progress(let payload) = try ProgressFrame(event.data).content else { continue }
                news(payload.processedCount)
            case .opened: continue
            case .ended, .refused, .unanswered, .lost: break loop
            }
        }
        try? await channel.close()
    }
}

/// Listens on the progress socket.
enum PushViewer {
    @Sendable static func watch(
        _ suite: Suite, _ job: JobID, _ token: String, _ traffic: TrafficCounter, _ news: @Sendable (Int) -> Void
    ) async throws {
        let socket = try await ProgressSocket.connect(
            to: suite.address, path: "\(APIPath.websocket(job))&token=\(token)", traffic: traffic)
        try await socket.send(text: #"{"type":"ready"}"#)
        for await event in socket.events {
            guard let message = event.message else { continue }
            switch try ProgressFrame(message).content {
            case .progress(let payload): news(payload.processedCount)
            default: continue
            }
        }
    }
}

/// When each count was reached, and how much later a client received it.
final class Timeline: Sendable {
    private struct State {
        var happened: [ContinuousClock.Instant] = []
        var known = 0
        var delays = Latencies()
    }

    private let state = NIOLockedValueBox(State())

    var delays: Latencies { state.withLockedValue { $0.delays } }

    func happened() { state.withLockedValue { $0.happened.append(.now) } }

    func learned(_ count: Int) {
        state.withLockedValue { state in
            while state.known < count, state.known < state.happened.count {
                state.delays.record(.now - state.happened[state.known])
                state.known += 1
            }
        }
    }
}
