import BookstrackContract
import Dispatch
import GRDB
import JSONRPC
import NIOCore
import SuiteMethods

/// The newest v1 `complete` frames, and those that sockets are waiting for.
///
/// Frames are created on other threads (`V1CompletionMaker`), because reading a job's rows takes up to a second. Only a few are created at a time,
/// and none while frames not yet taken by sockets use up the memory for frames.
struct V1Completions {
    /// A job and the revision of its results.
    struct Key: Hashable, Sendable {
        var job: Int64
        var revision: Int
    }

    /// A frame to be created.
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

    /// Maximum number of frames created at a time.
    private let atOnce: Int
    /// Size of the kept frames, in bytes, at which no more are created; each frame is below 1 MiB.
    private let byteLimit: Int
    private var entries: [Key: Entry] = [:]
    private var keys: [SocketKey: Key] = [:]
    /// Requested frames, in order.
    private var asked: [Key] = []
    /// Finished frames, oldest first.
    private var made: [Key] = []
    private var beingMade: Set<Key> = []
    private(set) var bytes = 0

    init(atOnce: Int = 2, byteLimit: Int = 16 << 20) {
        self.atOnce = atOnce
        self.byteLimit = byteLimit
    }

    /// The frame for a socket; nil if the socket must wait until it has been created.
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

    /// The next frame to create; nil while enough frames are being created or kept, or if none is requested.
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

    /// Stores a created frame, or drops the request if `frame` is nil because it could not be created; returns the sockets that were waiting for it.
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

    /// Removes a socket that has taken its frame or was closed.
    mutating func release(_ socket: SocketKey) {
        if let key = keys.removeValue(forKey: socket) { entries[key]?.sockets.remove(socket) }
    }

    /// Called after a failed transaction: drops the requests for frames that are not being created yet, whichever turn they are from. Their sockets
    /// request the frames again.
    mutating func undoTurn() {
        for key in asked {
            for socket in entries[key]?.sockets ?? [] { keys[socket] = nil }
            entries[key] = nil
        }
        asked = []
    }

    /// At the byte limit, removes the oldest frames that no socket is waiting for, down to half of the limit.
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

/// The v1 `complete` frame, reduced to the maximum size of a frame (websocket.md "v1 dialect"): the works' descriptions are dropped first, then works
/// from the end of the list; for a scan, books from the end of the list.
struct V1Completion {
    /// Maximum size of the frame in bytes. An RPC frame is at most 1 MiB long, including the envelope around this frame.
    static let byteLimit = (1 << 20) - 4_096

    let composer: FrameComposer

    /// Builds the frame from the stored rows of the job.
    func frame(rows: [EnrichedBook], byteLimit: Int = V1Completion.byteLimit) throws -> ByteBuffer {
        var works = rows.compactMap(Self.work)
        let whole = try composer.v1Complete(works)
        guard whole.readableBytes > byteLimit else { return whole }
        for index in works.indices { works[index].description = nil }
        return try composer.v1Complete(try fitting(works, byteLimit: byteLimit))
    }

    /// Builds the frame of a scan.
    ///
    /// - Parameter books: Reads as many books as fit into a given number of bytes, as JSON text.
    func frame(
        _ scan: ScanFigures, byteLimit: Int = V1Completion.byteLimit, books: (Int) throws -> ByteBuffer
    ) throws -> ByteBuffer {
        let frame = try composer.v1Complete(
            V1Frame.Scan(detected: scan.detected, approved: scan.approved, metadata: scan.reading))
        return FrameEncoding.insert(try books(byteLimit - frame.readableBytes), into: "books", of: frame)
    }

    /// The first works that fit.
    private func fitting(_ works: [V1Frame.EnrichedWork], byteLimit: Int) throws -> [V1Frame.EnrichedWork] {
        var size = try composer.v1Complete([]).readableBytes
        var kept = 0
        for work in works {
            // The separating comma counts too.
            size += try BodyCoding.encode(work).readableBytes + 1
            if size > byteLimit { break }
            kept += 1
        }
        return Array(works.prefix(kept))
    }

    private static func work(_ book: EnrichedBook) -> V1Frame.EnrichedWork? {
        book.enriched.map { found in
            V1Frame.EnrichedWork(
                isbn: found.edition?.isbn ?? book.isbn, title: found.work.title,
                coverUrl: found.edition?.coverImageURL ?? found.work.coverImageURL,
                genres: found.work.subjectTags, description: found.work.description)
        }
    }
}

/// Creates v1 `complete` frames on its own threads, from committed data.
struct V1CompletionMaker: Sendable {
    private let pool: DatabasePool
    private let queue = DispatchQueue(label: "v1-completions", attributes: .concurrent)

    init(pool: DatabasePool) { self.pool = pool }

    /// Calls `done` with the frame, or with the error if it cannot be created.
    func make(
        _ request: V1Completions.Request, done: @escaping @Sendable (Result<ByteBuffer, any Error>) -> Void
    ) {
        queue.async { done(Result { try frame(request) }) }
    }

    /// The frame of a completed job.
    func frame(_ request: V1Completions.Request) throws -> ByteBuffer {
        try pool.read { db in
            let job = request.job
            let counts = try JobStore(db: db).counts(job)
            let composer = FrameComposer(job: job, counts: counts, now: request.now)
            let scans = ScanStore(db: db)
            if let figures = try scans.figures(job) {
                return try V1Completion(composer: composer).frame(figures) { bytes in
                    try scans.page(job: job, from: 0, atMost: bytes).rows
                }
            }
            return try V1Completion(composer: composer).frame(rows: ItemStore(db: db).resultRows(job: job.number))
        }
    }
}
