import JSONRPC
import NIOConcurrencyHelpers
import NIOCore
import Synchronization

/// The server is stopping, and the response to a request was not ready in time.
struct ServerStops: Error {}

/// Connections whose clients closed their sending side before they received the response.
///
/// RFC 9112 §9.6 lets a client close only its sending side and continue to read, but HTTP clients do not do that in practice. Until something is
/// written, a half-closed connection cannot be distinguished from a closed one. Therefore, like nginx and Go's server, api-proxy treats such a client
/// as gone: tasks that ``cancelling(_:gracePeriod:_:)`` runs for the connection are cancelled, waits on the event loop end
/// (``LoopExchange/abandon()``), and their requests end without a response (http-api.md "Validation"). Responses that need no wait are still sent.
///
/// The tasks of all connections are cancelled some time after the server has begun to stop; ``cancelling(_:gracePeriod:_:)`` then throws
/// ``ServerStops``.
final class AbortedConnections: Sendable {
    /// A request that is waiting for its response.
    private struct Waiting {
        var clientLeft: @Sendable () -> Void
        /// Receives the time at which the server began to stop.
        var serverStops: @Sendable (NIODeadline) -> Void
    }

    private struct State {
        var channels: Set<ObjectIdentifier> = []
        var lastTicket: UInt64 = 0
        var waiting: [ObjectIdentifier: [UInt64: Waiting]] = [:]
        /// When the server began to stop; nil until then.
        var stopsSince: NIODeadline?
    }

    /// How long requests may still wait for their responses after the server has begun to stop.
    private let gracePeriod: TimeAmount

    /// Number of ``State/channels``, so that the usual case, in which there are none, needs no lock.
    private let count = Atomic<Int>(0)
    private let state = NIOLockedValueBox(State())

    /// - Parameter gracePeriod: How long requests may still wait for their responses after the server has begun to stop.
    init(gracePeriod: TimeAmount = PeerTimeouts().lastSearch) { self.gracePeriod = gracePeriod }

    func note(_ channel: any Channel) {
        let waiting = state.withLockedValue { state in
            if state.channels.insert(ObjectIdentifier(channel)).inserted { count.add(1, ordering: .relaxed) }
            return state.waiting[ObjectIdentifier(channel)]
        }
        waiting?.values.forEach { $0.clientLeft() }
    }

    /// Runs a task for a connection's client, and cancels it when the client disconnects, or some time after the server has begun to stop.
    ///
    /// - Parameter gracePeriod: How long the task may still run after the server has begun to stop; nil for the limit of the initializer.
    /// - Throws: ``ServerStops`` if the task is cancelled because the server stops, `CancellationError` if it is cancelled for another reason, or any
    ///   other error from `body`.
    func cancelling<Answer: Sendable>(
        _ channel: any Channel, gracePeriod: TimeAmount? = nil, _ body: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let task = Task { try await body() }
        let isStopped = NIOLockedValueBox(false)
        let gracePeriod = gracePeriod ?? self.gracePeriod
        let ticket = watch(
            channel,
            Waiting {
                task.cancel()
            } serverStops: { since in
                channel.eventLoop.scheduleTask(deadline: since + gracePeriod) {
                    isStopped.withLockedValue { $0 = true }
                    task.cancel()
                }
            })
        defer { unwatch(channel, ticket) }
        if contains(channel) || !channel.isActive { task.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch let error where error is CancellationError || (error as? RPCError) == .cancelled {
            throw isStopped.withLockedValue { $0 } ? ServerStops() : CancellationError()
        }
    }

    private func watch(_ channel: any Channel, _ waiting: Waiting) -> UInt64 {
        let (ticket, stopsSince) = state.withLockedValue { state in
            state.lastTicket += 1
            state.waiting[ObjectIdentifier(channel), default: [:]][state.lastTicket] = waiting
            return (state.lastTicket, state.stopsSince)
        }
        stopsSince.map(waiting.serverStops)
        return ticket
    }

    private func unwatch(_ channel: any Channel, _ ticket: UInt64) {
        state.withLockedValue { state in
            let key = ObjectIdentifier(channel)
            state.waiting[key]?[ticket] = nil
            if state.waiting[key]?.isEmpty == true { state.waiting[key] = nil }
        }
    }

    /// Call when the server stops; further calls have no effect.
    func serverStops() {
        let now = NIODeadline.now()
        let waiting = state.withLockedValue { state -> [Waiting] in
            guard state.stopsSince == nil else { return [] }
            state.stopsSince = now
            return state.waiting.values.flatMap(\.values)
        }
        for request in waiting { request.serverStops(now) }
    }

    /// Call when the connection has closed or becomes a WebSocket.
    func forget(_ channel: any Channel) {
        let waiting = state.withLockedValue { state in
            if state.channels.remove(ObjectIdentifier(channel)) != nil { count.subtract(1, ordering: .relaxed) }
            return state.waiting[ObjectIdentifier(channel)]
        }
        waiting?.values.forEach { $0.clientLeft() }
    }

    var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    /// Whether the connection's client has closed its sending side. Costs almost nothing in the usual case, in which no client has.
    func contains(_ channel: any Channel) -> Bool {
        !isEmpty && state.withLockedValue { $0.channels.contains(ObjectIdentifier(channel)) }
    }
}
