import BookstrackClient
import BookstrackClientTesting
import Foundation

/// Jobs with 40 books, which have 42 events.
enum FollowedJobs {
    static let isbns = (0..<40).map { "97800000\(10_000 + $0)" }

    /// A client that uses only these transports.
    static func client(
        _ server: any ClientTransport, _ clock: TestClock, _ transports: [EventTransport] = EventTransport.allCases
    ) -> BookstrackClient {
        var policy = FollowPolicy()
        policy.transports = transports
        return BookstrackClient(transport: server, policy: policy, clock: clock)
    }
}

/// Collects the reported states of a connection.
final class Statuses: Sendable {
    private let added: AsyncStream<ConnectionStatus>
    private let source: AsyncStream<ConnectionStatus>.Continuation
    private let collected = Collected()

    init() { (added, source) = AsyncStream.makeStream() }

    var all: [ConnectionStatus] { collected.all }

    func add(_ status: ConnectionStatus) {
        collected.add(status)
        source.yield(status)
    }

    /// Returns once a status that satisfies `isMeant` has been reported; those that an earlier call has passed are not considered.
    func wait(for isMeant: @Sendable (ConnectionStatus) -> Bool) async {
        for await status in added where isMeant(status) { return }
    }
}

/// A list protected by a lock. Sendable because the list is only accessed while the lock is held.
private final class Collected: @unchecked Sendable {
    private let lock = NSLock()
    private var statuses: [ConnectionStatus] = []

    var all: [ConnectionStatus] { lock.withLock { statuses } }

    func add(_ status: ConnectionStatus) { lock.withLock { statuses.append(status) } }
}
