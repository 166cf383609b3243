import NIOCore
import SuiteMethods

/// Frames that wait for a socket whose peer reads slowly (spec/03 "Slow reader", spec/07 "WebSocket").
///
/// At most `frameLimit` frames and `byteLimit` bytes wait. Of waiting progress frames only the newest is kept, so that such a
/// connection sees a gap in `seq`. A terminal frame is always taken and does not count against the bytes. The array behind an empty queue is
/// not allocated, since nearly all sockets never wait.
struct SlowReaderQueue {
    static let frameLimit = 64
    static let byteLimit = 256 * 1_024

    /// One frame, as its bytes on the wire.
    struct Entry: Equatable {
        var kind: SocketDelivery.Kind
        var bytes: ByteBuffer
    }

    enum Verdict: Equatable {
        case kept
        /// Kept in place of an older progress frame.
        case coalesced
        /// Not kept: the bound is reached and the socket is to be closed with 1013.
        case overflow
    }

    private var entries: [Entry] = []
    /// Bytes of the entries that count.
    private(set) var waitingBytes = 0

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    mutating func append(_ entry: Entry) -> Verdict {
        let replaced = entry.kind == .progress ? removeProgress() : false
        if entry.kind != .terminal {
            let size = entry.bytes.readableBytes
            guard entries.count < Self.frameLimit, waitingBytes + size <= Self.byteLimit else { return .overflow }
            waitingBytes += size
        }
        entries.append(entry)
        return replaced ? .coalesced : .kept
    }

    mutating func popFirst() -> Entry? {
        guard !entries.isEmpty else { return nil }
        let entry = entries.removeFirst()
        if entry.kind != .terminal { waitingBytes -= entry.bytes.readableBytes }
        if entries.isEmpty { entries = [] }
        return entry
    }

    /// Gives up everything but the terminal frame.
    mutating func discard() {
        entries.removeAll { $0.kind != .terminal }
        waitingBytes = 0
    }

    private mutating func removeProgress() -> Bool {
        guard let index = entries.firstIndex(where: { $0.kind == .progress }) else { return false }
        waitingBytes -= entries.remove(at: index).bytes.readableBytes
        return true
    }
}
