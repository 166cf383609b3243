import BookstrackContract
import Dispatch
import GRDB
import JSONRPC
import NIOCore

/// The v1 `complete` frame with its array of works, cut to what a frame may be (websocket.md "v1 dialect": descriptions go first, then
/// works from the end).
struct V1Completion {
    /// Leaves room for the RPC envelope around the frame, whose own bound is 1 MiB.
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

    /// The first works that fit.
    private func fitting(_ works: [V1Frame.EnrichedWork], byteLimit: Int) throws -> [V1Frame.EnrichedWork] {
        var size = try composer.v1Complete([]).readableBytes
        var kept = 0
        for work in works {
            // The comma that separates it counts too.
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

/// Makes v1 `complete` frames on threads of its own, from what is committed.
struct V1CompletionMaker: Sendable {
    private let pool: DatabasePool
    private let queue = DispatchQueue(label: "v1-completions", attributes: .concurrent)

    init(pool: DatabasePool) { self.pool = pool }

    /// Hands `done` the frame, or why it cannot be made.
    func make(
        _ request: V1Completions.Request, done: @escaping @Sendable (Result<ByteBuffer, any Error>) -> Void
    ) {
        queue.async { done(Result { try frame(request) }) }
    }

    /// The frame of a completed job.
    func frame(_ request: V1Completions.Request) throws -> ByteBuffer {
        let (rows, counts) = try pool.read { db in
            let items = ItemStore(db: db)
            let job = request.job
            return (
                try items.resultRows(job: job.number), try items.counts(job: job.number, total: job.total)
            )
        }
        let composer = FrameComposer(job: request.job, counts: counts, now: request.now)
        return try V1Completion(composer: composer).frame(rows: rows)
    }
}
