import NIOCore

/// The v1 `complete` frames that were made last, and those that sockets wait for.
///
/// Frames are made off the engine's thread (`V1CompletionMaker`), because a job's rows take it up to a second. Few are made at
/// once, and none while those that sockets have yet to take fill the memory that is meant for frames.
struct V1Completions {
    /// A job with its results as they were at some revision.
    struct Key: Hashable, Sendable {
        var job: Int64
        var revision: Int
    }

    /// A frame to be made.
    struct Request: Sendable {
        let job: JobRow
        let now: Moment

        var key: Key { Key(job: job.number, revision: job.resultsRevision) }
    }

    private enum Stage {
        case asked(Request)
        case beingMade
        case made(ByteBuffer)
    }

    private struct Entry {
        var stage: Stage
        /// Sockets that have not taken the frame yet.
        var sockets: Set<SocketKey> = []
    }

    /// Frames that are made at once.
    private let atOnce: Int
    /// Bytes of frames that are kept; each is below 1 MiB.
    private let byteLimit: Int
    private var entries: [Key: Entry] = [:]
    private var keys: [SocketKey: Key] = [:]
    /// What is asked for, in order.
    private var asked: [Key] = []
    /// What is made, the oldest first.
    private var made: [Key] = []
    private var beingMade: Set<Key> = []
    private(set) var bytes = 0

    init(atOnce: Int = 2, byteLimit: Int = 16 << 20) {
        self.atOnce = atOnce
        self.byteLimit = byteLimit
    }

    /// The frame for a socket; nil when the socket has to wait until it is made.
    mutating func take(_ request: Request, for socket: SocketKey) -> ByteBuffer? {
        let key = request.key
        if case .made(let frame)? = entries[key]?.stage {
            release(socket)
            return frame
        }
        if keys[socket] != key { release(socket) }
        if entries[key] == nil {
            entries[key] = Entry(stage: .asked(request))
            asked.append(key)
        }
        entries[key]?.sockets.insert(socket)
        keys[socket] = key
        return nil
    }

    /// The next frame to be made; nil while enough are, or nothing is asked for.
    mutating func next() -> Request? {
        makeRoom()
        while beingMade.count < atOnce, bytes < byteLimit, !asked.isEmpty {
            let key = asked.removeFirst()
            guard case .asked(let request)? = entries[key]?.stage else { continue }
            guard entries[key]?.sockets.isEmpty == false else {
                entries[key] = nil
                continue
            }
            entries[key]?.stage = .beingMade
            beingMade.insert(key)
            return request
        }
        return nil
    }

    /// A frame was made, or could not be; the sockets that waited for it.
    mutating func finish(_ key: Key, _ frame: ByteBuffer?) -> Set<SocketKey> {
        beingMade.remove(key)
        guard case .beingMade? = entries[key]?.stage, let sockets = entries[key]?.sockets else { return [] }
        guard let frame else {
            for socket in sockets { keys[socket] = nil }
            entries[key] = nil
            return sockets
        }
        entries[key]?.stage = .made(frame)
        made.append(key)
        bytes += frame.readableBytes
        return sockets
    }

    /// A socket has its frame, or is gone.
    mutating func release(_ socket: SocketKey) {
        if let key = keys.removeValue(forKey: socket) { entries[key]?.sockets.remove(socket) }
    }

    /// What was asked for in a turn whose transaction failed may never have happened. Sockets ask again.
    mutating func undoTurn() {
        for key in asked {
            for socket in entries[key]?.sockets ?? [] { keys[socket] = nil }
            entries[key] = nil
        }
        asked = []
    }

    /// Forgets the oldest frames that no socket waits for, down to half of what may be kept.
    private mutating func makeRoom() {
        guard bytes >= byteLimit else { return }
        made.removeAll { key in
            guard bytes > byteLimit / 2, case .made(let frame)? = entries[key]?.stage,
                entries[key]?.sockets.isEmpty == true
            else { return false }
            bytes -= frame.readableBytes
            entries[key] = nil
            return true
        }
    }
}
