import NIOConcurrencyHelpers
import NIOCore
import Synchronization

/// The server is stopping, and the response to a request was not ready in time.
struct ServerStops: Error {}

/// Connections whose clients closed their sending side before they received the response.
///
/// RFC 9112 §9.6 lets a client close only its sending side and continue to read, but HTTP clients do not do that in practice. Until something is
/// written, a half-closed connection cannot be distinguished from a closed one. Therefore, tasks that ``cancelling(_:patience:_:)`` runs for such a
/// connection are cancelled, and their requests end without a response.
final class AbortedConnections: Sendable {
    /// A request that is waiting for its response.
    private struct Waiting {
        var clientLeft: @Sendable () -> Void
        /// Receives the time at which the server began to stop.
        var serverStops: @Sendable (NIODeadline) -> Void
    }

    private struct Watchers {
        var last: UInt64 = 0
        var byChannel: [ObjectIdentifier: [UInt64: Waiting]] = [:]
        /// When the server began to stop; nil until then.
        var stopsSince: NIODeadline?
    }

    /// How long requests may still wait for their responses after the server has begun to stop.
    private let patience: TimeAmount

    private let count = Atomic<Int>(0)
    private let channels = NIOLockedValueBox<Set<ObjectIdentifier>>([])
    private let watched = Atomic<Int>(0)
    private let watchers = NIOLockedValueBox(Watchers())

    /// - Parameter patience: How long requests may still wait for their responses after the server has begun to stop.
    init(patience: TimeAmount = PeerTimeouts().lastSearch) { self.patience = patience }

    func note(_ channel: any Channel) {
        let isNew = channels.withLockedValue { $0.insert(ObjectIdentifier(channel)).inserted }
        if isNew { count.add(1, ordering: .relaxed) }
        notifyWatchers(of: channel)
    }

    /// Runs a task for a connection's client, and cancels it when the client disconnects, or some time after the server has begun to stop.
    ///
    /// - Parameter patience: How long the task may still run after the server has begun to stop; by default, as long as a search.
    /// - Throws: Any error from `body`; ``ServerStops`` if the task is cancelled because the server stops.
    func cancelling<Answer: Sendable>(
        _ channel: any Channel, patience: TimeAmount? = nil, _ body: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let task = Task { try await body() }
        let isStopped = NIOLockedValueBox(false)
        let patience = patience ?? self.patience
        let ticket = watch(
            channel,
            Waiting {
                task.cancel()
            } serverStops: { since in
                channel.eventLoop.scheduleTask(deadline: since + patience) {
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
        } catch is CancellationError where isStopped.withLockedValue({ $0 }) {
            throw ServerStops()
        }
    }

    private func watch(_ channel: any Channel, _ waiting: Waiting) -> UInt64 {
        watched.add(1, ordering: .sequentiallyConsistent)
        let (ticket, stopsSince) = watchers.withLockedValue { watchers in
            watchers.last += 1
            watchers.byChannel[ObjectIdentifier(channel), default: [:]][watchers.last] = waiting
            return (watchers.last, watchers.stopsSince)
        }
        stopsSince.map(waiting.serverStops)
        return ticket
    }

    private func unwatch(_ channel: any Channel, _ ticket: UInt64) {
        watchers.withLockedValue { watchers in
            let key = ObjectIdentifier(channel)
            watchers.byChannel[key]?[ticket] = nil
            if watchers.byChannel[key]?.isEmpty == true { watchers.byChannel[key] = nil }
        }
        watched.subtract(1, ordering: .sequentiallyConsistent)
    }

    private func notifyWatchers(of channel: any Channel) {
        guard watched.load(ordering: .sequentiallyConsistent) > 0 else { return }
        let waiting = watchers.withLockedValue { $0.byChannel[ObjectIdentifier(channel)]?.values.map(\.self) ?? [] }
        for request in waiting { request.clientLeft() }
    }

    /// Call when the server stops; further calls have no effect.
    func serverStops() {
        let now = NIODeadline.now()
        let waiting = watchers.withLockedValue { watchers -> [Waiting] in
            guard watchers.stopsSince == nil else { return [] }
            watchers.stopsSince = now
            return watchers.byChannel.values.flatMap(\.values)
        }
        for request in waiting { request.serverStops(now) }
    }

    /// Call when the connection has closed.
    func forget(_ channel: any Channel) {
        notifyWatchers(of: channel)
        guard !isEmpty else { return }
        let isKnown = channels.withLockedValue { $0.remove(ObjectIdentifier(channel)) != nil }
        if isKnown { count.subtract(1, ordering: .relaxed) }
    }

    var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    /// Whether the connection's client has closed its sending side. Costs almost nothing in the usual case, in which no client has.
    func contains(_ channel: any Channel) -> Bool {
        !isEmpty && channels.withLockedValue { $0.contains(ObjectIdentifier(channel)) }
    }
}
