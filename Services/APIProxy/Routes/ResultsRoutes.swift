import BookstrackContract
import JSONRPC
import NIOCore
import NIOHTTP1
import SuiteMethods

/// A job's results: rows pass through as the bytes that are stored (spec/01, raw pass-through).
struct ResultsRoutes: Sendable {
    let host: RPCClient
    let gate: ReadingGate
    let trustedProxies: TrustedProxies

    var routes: [Route] {
        ["/v1/enrichment/results/{jobId}", "/v1/jobs/{jobId}/results"].map { path in
            Route(onLoop: path, limit: .jobReading) { request in
                let client = trustedProxies.clientNetwork(
                    peer: request.channel.remoteAddress, headers: request.head.headers)
                return ResultsReading(
                    jobId: request.parameter("jobId").flatMap { JobID(String($0)) }, host: host, gate: gate,
                    client: client)
            }
        }
    }
}

/// The results envelope in two halves, between which the rows go.
struct ResultsFrame: Sendable {
    let opening: ByteBuffer
    let closing: ByteBuffer

    init(_ head: ReadResults.Head, metadata: ResponseMetadata) {
        let empty = EnrichmentResults(
            jobId: head.jobId, resultsRevision: head.resultsRevision, expiresAt: head.expiresAt,
            successCount: head.successCount, failureCount: head.failureCount, enrichedBooks: [])
        let whole = JSONBody.encode(SuccessEnvelope(data: empty, metadata: metadata))
        // No text before it can look like the key: a jobId has no quotes, the other members are numbers and times.
        let split = whole.range(of: "\"enrichedBooks\":[")?.upperBound ?? whole.readableBytes
        opening = ByteBuffer(whole.readableBytesView.prefix(split))
        closing = ByteBuffer(whole.readableBytesView.dropFirst(split))
    }

    /// The envelope around rows that are all there are.
    func whole(around rows: ByteBuffer) -> ByteBuffer {
        var body = ByteBuffer()
        body.reserveCapacity(opening.readableBytes + rows.readableBytes + closing.readableBytes)
        for part in [opening, rows, closing] { body.writeImmutableBuffer(part) }
        return body
    }
}
