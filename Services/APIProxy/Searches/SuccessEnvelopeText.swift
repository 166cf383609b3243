import BookstrackContract
import JSONRPC
import NIOCore

/// A `SuccessEnvelope` around data that is JSON already (Services/README.md "JSON-RPC").
enum SuccessEnvelopeText {
    private static let opening = ByteBuffer(staticString: "{\"data\":")
    private static let beforeMetadata = ByteBuffer(staticString: ",\"metadata\":")
    private static let beforeMeta = ByteBuffer(staticString: ",\"meta\":")
    private static let closing = ByteBuffer(staticString: ",\"success\":true}")

    /// - Parameter repeatsMetadata: Whether `metadata` is there again as `meta`.
    static func around(_ data: ByteBuffer, metadata: ResponseMetadata, repeatsMetadata: Bool = false) -> ByteBuffer {
        let about: ByteBuffer
        do {
            about = try BodyCoding.encode(metadata)
        } catch {
            preconditionFailure("metadata has no number that JSON cannot express: \(error)")
        }
        var text = ByteBuffer()
        text.reserveCapacity(data.readableBytes + 2 * about.readableBytes + 64)
        let repetition = repeatsMetadata ? [beforeMeta, about] : []
        for part in [opening, data, beforeMetadata, about] + repetition + [closing] { text.writeImmutableBuffer(part) }
        return text
    }
}
