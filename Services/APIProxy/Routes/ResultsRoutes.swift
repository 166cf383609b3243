import BookstrackContract
import JSONRPC
import NIOCore
import NIOHTTP1
import SuiteMethods

/// A job's results: rows pass through as the bytes that are stored (Services/README.md "JSON-RPC").
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
struct ResultsFrame {
    let opening = ByteBuffer(staticString: "{\"data\":{\"enrichedBooks\":[")
    let closing: ByteBuffer

    /// Throws `EncodingError`.
    init(_ head: ReadResults.Head, metadata: ResponseMetadata) throws {
        let members = try BodyCoding.encode(head)
        var text = ByteBuffer(staticString: "],")
        // Without the brace that opens it: rows and head are one object.
        text.writeImmutableBuffer(
            members.getSlice(at: members.readerIndex + 1, length: members.readableBytes - 1) ?? members)
        text.writeStaticString(",\"metadata\":")
        text.writeImmutableBuffer(try BodyCoding.encode(metadata))
        text.writeStaticString(",\"success\":true}")
        closing = text
    }

    /// The envelope around rows that are all there are.
    func whole(around rows: ByteBuffer) -> ByteBuffer {
        var body = ByteBuffer()
        body.reserveCapacity(opening.readableBytes + rows.readableBytes + closing.readableBytes)
        for part in [opening, rows, closing] { body.writeImmutableBuffer(part) }
        return body
    }
}
