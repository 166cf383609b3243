import NIOConcurrencyHelpers
import NIOCore
import Synchronization

/// Connections whose clients closed their sending side before they received their answer.
///
/// RFC 9112 §9.6 lets a client close only its sending side and continue to read, but HTTP clients do not do that in practice. Until
/// something is written, a half-closed connection cannot be told from a closed one.
final class AbortedConnections: Sendable {
    private struct Watchers {
        var last: UInt64 = 0
        var byChannel: [ObjectIdentifier: [UInt64: @Sendable () -> Void]] = [:]
    }

    private let count = Atomic<Int>(0)
    private let channels = NIOLockedValueBox<Set<ObjectIdentifier>>([])
    private let watched = Atomic<Int>(0)
    private let watchers = NIOLockedValueBox(Watchers())

    func note(_ channel: any Channel) {
        let isNew = channels.withLockedValue { $0.insert(ObjectIdentifier(channel)).inserted }
        if isNew { count.add(1, ordering: .relaxed) }
        notifyWatchers(of: channel)
    }

    /// Runs a task for the client of a connection, and cancels it when that client leaves.
    func cancelling<Answer: Sendable>(
        _ channel: any Channel, _ body: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let task = Task { try await body() }
        let ticket = watch(channel) { task.cancel() }
        defer { unwatch(channel, ticket) }
        if contains(channel) || !channel.isActive { task.cancel() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func watch(_ channel: any Channel, _ action: @escaping @Sendable () -> Void) -> UInt64 {
        watched.add(1, ordering: .sequentiallyConsistent)
        return watchers.withLockedValue { watchers in
            watchers.last += 1
            watchers.byChannel[ObjectIdentifier(channel), default: [:]][watchers.last] = action
            return watchers.last
        }
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
        let actions = watchers.withLockedValue { $0.byChannel[ObjectIdentifier(channel)]?.values.map(\.self) ?? [] }
        for action in actions { action() }
    }

    /// Call when the connection has closed.
    func forget(_ channel: any Channel) {
        notifyWatchers(of: channel)
        guard !isEmpty else { return }
        let isKnown = channels.withLockedValue { $0.remove(ObjectIdentifier(channel)) != nil }
        if isKnown { count.subtract(1, ordering: .relaxed) }
    }

    var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    /// Costs almost nothing while no client has left, which is the usual case.
    func contains(_ channel: any Channel) -> Bool {
        !isEmpty && channels.withLockedValue { $0.contains(ObjectIdentifier(channel)) }
    }
}
