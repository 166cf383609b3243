import BookstrackClient
import Foundation

/// Keeps a queue's data in memory while the queue itself is restarted. Sendable because the data is only accessed while the lock is held.
final class MemoryStorage: QueueStorage, @unchecked Sendable {
    private let lock = NSLock()
    private var data: Data?

    func load() -> Data? { lock.withLock { data } }

    func save(_ data: Data) { lock.withLock { self.data = data } }
}

/// Simulates an app that dies just before or just after its nth step: from then on, no step is performed. Sendable because its state is only
/// accessed while the lock is held.
final class Fuse: @unchecked Sendable {
    /// Thrown by the step at which the app dies, and by every later one.
    struct Blown: Error {}

    private let lock = NSLock()
    private var steps: Int?
    private let isAfter: Bool

    /// The nth step is the last one that happens if `isAfter` is true, and otherwise the first one that does not.
    init(steps: Int, isAfter: Bool) {
        self.steps = steps
        self.isAfter = isAfter
    }

    var isBlown: Bool { lock.withLock { steps.map { $0 <= 0 } ?? false } }

    /// Restarts the app: from now on, every step is performed.
    func mend() { lock.withLock { steps = nil } }

    /// Performs a step, unless the app is dead.
    func burn<Value>(_ step: () async throws -> Value) async throws -> Value {
        let (happens, isLast) = try count()
        guard happens else { throw Blown() }
        let value = try await step()
        if isLast { throw Blown() }
        return value
    }

    /// Performs a synchronous step, unless the app is dead.
    func burn<Value>(_ step: () throws -> Value) throws -> Value {
        let (happens, isLast) = try count()
        guard happens else { throw Blown() }
        let value = try step()
        if isLast { throw Blown() }
        return value
    }

    private func count() throws -> (happens: Bool, isLast: Bool) {
        try lock.withLock {
            guard let left = steps else { return (true, false) }
            if left <= 0 { throw Blown() }
            steps = left - 1
            return left > 1 ? (true, false) : (isAfter, true)
        }
    }
}

/// The storage of an app that dies.
struct BurningStorage: QueueStorage {
    let base: MemoryStorage
    let fuse: Fuse

    func load() -> Data? { base.load() }

    func save(_ data: Data) throws { try fuse.burn { base.save(data) } }
}

/// The network of an app that dies.
struct BurningTransport: ClientTransport {
    let base: any ClientTransport
    let fuse: Fuse

    func answer(to request: ClientRequest) async throws(TransportFailure) -> ClientAnswer {
        do {
            return try await fuse.burn { try await base.answer(to: request) }
        } catch {
            throw error as? TransportFailure ?? .cancelled
        }
    }

    func stream(_ request: ClientRequest) async throws(TransportFailure) -> ClientStream {
        do {
            return try await fuse.burn { try await base.stream(request) }
        } catch {
            throw error as? TransportFailure ?? .cancelled
        }
    }

    func webSocket(_ request: ClientRequest, subprotocol: String) async throws(TransportFailure)
        -> any WebSocketConnection
    {
        do {
            return try await fuse.burn { try await base.webSocket(request, subprotocol: subprotocol) }
        } catch {
            throw error as? TransportFailure ?? .cancelled
        }
    }
}
