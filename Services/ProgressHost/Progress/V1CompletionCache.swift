import NIOCore

/// The v1 `complete` frames that were made last, so that every further client of a job costs none of the rows being read again.
struct V1CompletionCache {
    private struct Key: Hashable {
        var job: Int64
        var revision: Int
    }

    /// Frames that are kept; each is below 1 MiB.
    private let limit: Int
    private var frames: [Key: ByteBuffer] = [:]
    /// Keys, the frame that was made longest ago first.
    private var line: [Key] = []

    init(limit: Int = 4) { self.limit = limit }

    /// The frame of a job whose results have this revision; made when it is not kept.
    mutating func frame(job: Int64, revision: Int, make: () throws -> ByteBuffer) rethrows -> ByteBuffer {
        let key = Key(job: job, revision: revision)
        if let kept = frames[key] { return kept }
        let frame = try make()
        if line.count == limit { frames[line.removeFirst()] = nil }
        line.append(key)
        frames[key] = frame
        return frame
    }

    /// Forgets what was made of a transaction that failed.
    mutating func removeAll() {
        frames = [:]
        line = []
    }
}
