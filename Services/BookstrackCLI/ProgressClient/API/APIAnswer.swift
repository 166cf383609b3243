package import BookstrackContract
package import NIOCore

/// A success of the API, with what it says about itself.
package struct APIAnswer<Body: Codable & Sendable>: Sendable {
    /// The envelope's `data`.
    package var data: Body
    /// The envelope's `metadata`.
    package var metadata: ResponseMetadata
    /// Seconds since the answer was made, for one from a cache (RFC 9111 §5.1).
    package var ageSeconds: Int?
    /// The whole envelope as it came.
    package var text: ByteBuffer

    package init(data: Body, metadata: ResponseMetadata, ageSeconds: Int? = nil, text: ByteBuffer = ByteBuffer()) {
        self.data = data
        self.metadata = metadata
        self.ageSeconds = ageSeconds
        self.text = text
    }
}
