import BookstrackContract
import NIOConcurrencyHelpers
import NIOCore
import ProgressClient
import SuiteFixture

/// Asks for the job's state twice a second.
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

/// When each count was reached, and how much later a client knew.
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
