import NIOCore
import SuiteMethods

/// Frames waiting for a socket whose client reads slowly, or which is being opened (websocket.md "Slow readers").
///
/// At most `frameLimit` frames and `byteLimit` bytes wait; a longer frame is accepted if no other frame waits. Of the waiting progress frames, only
/// the newest is kept, so the client of a slow connection may see gaps in `seq`. While a socket is being opened, the limit is `openingByteLimit`, and
/// all progress frames are kept. Terminal frames are always accepted and do not count. An empty queue allocates no array, since almost no socket ever
/// needs one.
struct SlowReaderQueue {
    static let frameLimit = 64
    static let byteLimit = 256 * 1_024
    /// Maximum number of bytes that wait while the socket is being opened: enough for the longest frame (an RPC message has at most 1 MiB) and the
    /// rest of its page.
    static let openingByteLimit = 2 << 20

    /// One frame, as bytes on the wire.
    struct Entry: Equatable {
        var kind: SocketDelivery.Kind
        var seq = 0
        var bytes: ByteBuffer

        /// Whether the frame counts against the limits.
        var isLimited: Bool { kind != .terminal }
    }

    enum Verdict: Equatable {
        case kept
        /// Kept instead of an older progress frame.
        case coalesced
        /// Not kept: a limit is reached, and the socket must be closed with 1013.
        case overflow
    }

    private var entries: [Entry] = []
    // 32 bits each, because every idle socket has a queue.
    private var limitedFrames: UInt32 = 0
    private var limitedBytes: UInt32 = 0

    /// Number of entries that count against the limits.
    private var waitingFrames: Int { Int(limitedFrames) }
    /// Number of bytes of the entries that count against the limits.
    var waitingBytes: Int { Int(limitedBytes) }

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// Queues a frame; an overflow leaves the queue unchanged. `isOpening` means that the socket is being opened: its client is not slow and must not
    /// miss anything, and progress-host sends at most one page of events, which may include a long `batch-complete`.
    mutating func append(_ entry: Entry, isOpening: Bool = false) -> Verdict {
        let older = !isOpening && entry.kind == .progress ? entries.firstIndex { $0.kind == .progress } : nil
        if entry.isLimited {
            let freed = older.map { entries[$0].bytes.readableBytes } ?? 0
            let frames = older == nil ? waitingFrames + 1 : waitingFrames
            let bytes = waitingBytes - freed + entry.bytes.readableBytes
            let byteLimit = isOpening ? Self.openingByteLimit : Self.byteLimit
            guard frames <= Self.frameLimit, frames == 1 || bytes <= byteLimit else { return .overflow }
            limitedFrames = UInt32(frames)
            limitedBytes = UInt32(bytes)
        }
        if let older { entries.remove(at: older) }
        entries.append(entry)
        return older == nil ? .kept : .coalesced
    }

    mutating func popFirst() -> Entry? {
        guard !entries.isEmpty else { return nil }
        let entry = entries.removeFirst()
        release(entry)
        if entries.isEmpty { entries = [] }
        return entry
    }

    /// Drops everything except the terminal frame. Returns the kinds that were dropped.
    @discardableResult
    mutating func discard() -> [SocketDelivery.Kind] {
        defer {
            entries.removeAll { $0.kind != .terminal }
            limitedFrames = 0
            limitedBytes = 0
        }
        return entries.map(\.kind).filter { $0 != .terminal }
    }

    /// Drops everything. Returns the kinds that were dropped.
    mutating func removeAll() -> [SocketDelivery.Kind] {
        defer { self = SlowReaderQueue() }
        return entries.map(\.kind)
    }

    private mutating func release(_ entry: Entry) {
        guard entry.isLimited else { return }
        limitedFrames -= 1
        limitedBytes -= UInt32(entry.bytes.readableBytes)
    }
}
