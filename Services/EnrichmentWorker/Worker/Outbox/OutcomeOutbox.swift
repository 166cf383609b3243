import BookstrackContract
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOCore
import ProviderHTTP
import SuiteMethods

/// Records outcomes at the host and keeps each until it is confirmed: over lost connections, restarts of the host and its
/// refusals (Services/README.md "When a process is down").
final class OutcomeOutbox: Sendable {
    private struct State: Sendable {
        var queue: OutboxQueue
        /// Refusals in a row; calls pause for longer after each.
        var refusals = 0
        var isPausing = false
    }

    private static let shortestPause = Duration.milliseconds(250)
    private static let longestPause = Duration.seconds(5)

    private let host: RPCClient
    private let held: HeldWork
    private let limit: Int
    private let clock: any ProviderClock
    private let logger: Logger
    private let state: NIOLockedValueBox<State>

    /// - Parameter limit: Outcomes that may wait; ``isFull`` beyond.
    init(
        host: RPCClient, held: HeldWork, limit: Int, limits: OutboxQueue.Limits = .init(),
        clock: any ProviderClock, logger: Logger
    ) {
        self.host = host
        self.held = held
        self.limit = limit
        self.clock = clock
        self.logger = logger
        state = NIOLockedValueBox(State(queue: OutboxQueue(limits: limits)))
    }

    /// Outcomes that are not confirmed.
    var count: Int { state.withLockedValue { $0.queue.count } }

    /// Whether nothing more should be claimed.
    var isFull: Bool { count >= limit }

    /// Takes an outcome.
    func add(_ item: FinishedItem) {
        state.withLockedValue { $0.queue.append(item) }
        sendCalls()
    }

    /// Sends what waits; to be called when the host is connected again.
    func sendCalls() {
        while host.isConnected, let call = nextCall() {
            Task { await send(call) }
        }
    }

    /// Returns when everything is confirmed, or after `limit`.
    func drain(within limit: Duration) async {
        let deadline = clock.now.advanced(by: limit)
        while count > 0, clock.now < deadline {
            try? await clock.sleep(until: min(deadline, clock.now.advanced(by: .milliseconds(20))))
        }
    }

    private func nextCall() -> [FinishedItem]? {
        state.withLockedValue { state in
            state.isPausing ? nil : state.queue.nextCall { held.contains($0.id) }
        }
    }

    private func send(_ call: [FinishedItem]) async {
        do {
            let work = RecordWork(outcomes: call.map(\.outcome), rows: call.map(\.row))
            _ = try await host.callRaw(RecordWork.name, try work.raw(), deadline: RecordWork.deadline)
            confirmed(call)
        } catch let error as RPCError where Self.mayRepeat(error) {
            await putBack(call, error)
        } catch {
            logger.error("outcomes were refused", metadata: ["items": "\(call.count)", "error": "\(error)"])
            confirmed(call)
        }
        sendCalls()
    }

    private func confirmed(_ call: [FinishedItem]) {
        state.withLockedValue { state in
            state.queue.end(call)
            state.refusals = 0
        }
        held.remove(call.map(\.id))
    }

    /// Recording twice does no harm, so whatever may be lost is sent again.
    private static func mayRepeat(_ error: RPCError) -> Bool {
        guard case .remote = error.kind else { return error.kind != .frameTooLarge }
        return error.applicationCode == APIErrorCode.serviceUnavailable.rawValue
    }

    private func putBack(_ call: [FinishedItem], _ error: RPCError) async {
        let pause = state.withLockedValue { state in
            state.queue.putBack(call)
            guard host.isConnected, !state.isPausing else { return Duration?.none }
            state.isPausing = true
            state.refusals += 1
            return min(Self.longestPause, Self.shortestPause * (1 << min(state.refusals - 1, 8)))
        }
        guard let pause else { return }
        logger.warning("outcomes are not taken", metadata: ["error": "\(error)", "pause": "\(pause)"])
        try? await clock.sleep(until: clock.now.advanced(by: pause))
        state.withLockedValue { $0.isPausing = false }
    }
}
