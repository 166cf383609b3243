import BookstrackContract
import Foundation

/// The v1 `complete` frame with its array of works, cut to what a frame may be (spec/03 "v1 dialect", spec/07: descriptions go first, then
/// works from the end).
struct V1Completion {
    /// Leaves room for the RPC envelope around the frame, whose own bound is 1 MiB.
    static let byteLimit = (1 << 20) - 4_096

    let composer: FrameComposer
    let status: String

    /// Builds the frame from the stored rows of the job.
    func frame(rows: [EnrichedBook], byteLimit: Int = V1Completion.byteLimit) throws -> [UInt8] {
        var works = rows.compactMap(Self.work)
        var bytes = try encode(works)
        if bytes.count > byteLimit {
            for index in works.indices { works[index].description = nil }
            bytes = try encode(works)
        }
        while bytes.count > byteLimit, !works.isEmpty {
            works.removeLast(max(1, works.count / 8))
            bytes = try encode(works)
        }
        return bytes
    }

    private func encode(_ works: [V1Frame.EnrichedWork]) throws -> [UInt8] {
        var content = V1Frame.Content(counts: composer.counts, status: status)
        content.successCount = composer.counts.succeeded
        content.failedCount = composer.counts.failed
        content.enrichedWorks = works
        return try FrameEncoding.encode(
            V1Frame(type: .complete, jobId: composer.job.id, timestamp: composer.now.wall, data: content))
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
