/// A successful answer (http-api.md "Envelope").
public struct SuccessEnvelope<Body: Codable & Sendable>: Codable, Sendable {
    /// Always true.
    public var success: Bool
    /// The route's answer.
    public var data: Body
    /// About the answer.
    public var metadata: ResponseMetadata

    /// Wraps `data`.
    public init(data: Body, metadata: ResponseMetadata) {
        success = true
        self.data = data
        self.metadata = metadata
    }
}
