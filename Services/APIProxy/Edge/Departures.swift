import NIOCore
import Synchronization

/// Connections whose clients closed their side while they were owed an answer: they have left, for all that anybody knows.
///
/// RFC 9112 §9.6 lets a client close only its sending side and read on, but clients of HTTP do not, and until something is written the
/// two look the same.
final class Departures: Sendable {
    private let count = Atomic<Int>(0)
    private let channels = Mutex<Set<ObjectIdentifier>>([])

    func note(_ channel: any Channel) {
        let isNew = channels.withLock { $0.insert(ObjectIdentifier(channel)).inserted }
        if isNew { count.add(1, ordering: .relaxed) }
    }

    /// The connection is over.
    func forget(_ channel: any Channel) {
        guard !isEmpty else { return }
        let isKnown = channels.withLock { $0.remove(ObjectIdentifier(channel)) != nil }
        if isKnown { count.subtract(1, ordering: .relaxed) }
    }

    var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    /// Costs next to nothing as long as nobody has left, which is nearly always.
    func contains(_ channel: any Channel) -> Bool {
        !isEmpty && channels.withLock { $0.contains(ObjectIdentifier(channel)) }
    }
}
