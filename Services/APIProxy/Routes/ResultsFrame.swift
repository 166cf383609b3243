import BookstrackContract
import JSONRPC
import NIOCore
import SuiteMethods

/// The results envelope in two halves, between which the rows go.
struct ResultsFrame: Sendable {
    let opening: ByteBuffer
    let closing: ByteBuffer

    init(_ head: ReadResults.Result, metadata: ResponseMetadata) {
        let empty = EnrichmentResults(
            jobId: head.jobId, resultsRevision: head.resultsRevision, expiresAt: head.expiresAt,
            successCount: head.successCount, failureCount: head.failureCount, enrichedBooks: [])
        let whole = JSONBody.encode(SuccessEnvelope(data: empty, metadata: metadata))
        // No text before it can look like the key: a jobId has no quotes, the other members are numbers and times.
        let split = whole.range(of: "\"enrichedBooks\":[")?.upperBound ?? whole.readableBytes
        opening = ByteBuffer(whole.readableBytesView.prefix(split))
        closing = ByteBuffer(whole.readableBytesView.dropFirst(split))
    }
}
