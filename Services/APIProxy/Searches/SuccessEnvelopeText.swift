import BookstrackContract
import JSONRPC
import NIOCore

/// A `SuccessEnvelope` around data that is JSON already (spec/01, raw pass-through).
enum SuccessEnvelopeText {
    private static let opening = ByteBuffer(staticString: "{\"data\":")
    private static let beforeMetadata = ByteBuffer(staticString: ",\"metadata\":")
    private static let closing = ByteBuffer(staticString: ",\"success\":true}")

    static func around(_ data: ByteBuffer, metadata: ResponseMetadata) -> ByteBuffer {
        let about: ByteBuffer
        do {
            about = try BodyCoding.encode(metadata)
        } catch {
            preconditionFailure("metadata has no number that JSON cannot express: \(error)")
        }
        var text = ByteBuffer()
        text.reserveCapacity(data.readableBytes + about.readableBytes + 64)
        for part in [opening, data, beforeMetadata, about, closing] { text.writeImmutableBuffer(part) }
        return text
    }
}
