/// A failed answer (http-api.md "Envelope"): `data` is `null`, `error` always an object.
public struct FailureEnvelope: Codable, Sendable {
    /// The `error` object.
    public struct Failure: Codable, Sendable {
        /// A sentence for people.
        public var message: String
        /// The stable code.
        public var code: APIErrorCode
        /// Context; never contains nulls.
        public var details: [String: DetailValue]?
        /// Whether the same request may succeed later.
        public var retryable: Bool
        /// The HTTP status, repeated for clients that only see the body.
        public var statusCode: Int

        /// Makes a failure.
        public init(
            message: String, code: APIErrorCode, details: [String: DetailValue]?, retryable: Bool, statusCode: Int
        ) {
            self.message = message
            self.code = code
            self.details = details
            self.retryable = retryable
            self.statusCode = statusCode
        }
    }

    /// Always false.
    public var success: Bool
    /// About the answer.
    public var metadata: ResponseMetadata
    /// What went wrong.
    public var error: Failure

    /// Wraps `error`.
    public init(error: Failure, metadata: ResponseMetadata) {
        success = false
        self.error = error
        self.metadata = metadata
    }

    private enum CodingKeys: String, CodingKey {
        case success, data, metadata, error
    }

    /// Decodes an envelope; `data` is ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        success = try container.decode(Bool.self, forKey: .success)
        metadata = try container.decode(ResponseMetadata.self, forKey: .metadata)
        error = try container.decode(Failure.self, forKey: .error)
    }

    /// Encodes with `"data":null`, which the contract shows and decoders of `T | null` expect.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(success, forKey: .success)
        try container.encodeNil(forKey: .data)
        try container.encode(metadata, forKey: .metadata)
        try container.encode(error, forKey: .error)
    }
}
