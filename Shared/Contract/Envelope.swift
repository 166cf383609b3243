/// A successful response (http-api.md "Envelope").
public struct SuccessEnvelope<Body: Codable & Sendable>: Codable, Sendable {
    /// Always true.
    public var success: Bool
    /// The content of the response.
    public var data: Body
    /// Metadata about the response.
    public var metadata: ResponseMetadata

    /// Wraps `data`.
    public init(data: Body, metadata: ResponseMetadata) {
        success = true
        self.data = data
        self.metadata = metadata
    }
}

/// A failed response (http-api.md "Envelope"): `data` is `null`, and `error` is always an object.
public struct FailureEnvelope: Codable, Sendable {
    /// The `error` object.
    public struct Failure: Codable, Sendable {
        /// What went wrong, in words.
        public var message: String
        /// The stable code of the error.
        public var code: APIErrorCode
        /// Context; never contains nulls.
        public var details: [String: DetailValue]?
        /// Whether a client should repeat the same request later.
        public var retryable: Bool
        /// The HTTP status, repeated for clients that see only the body.
        public var statusCode: Int

        /// Creates a failure.
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
    /// Metadata about the response.
    public var metadata: ResponseMetadata
    /// The error, with its message, code and details.
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

    /// Encodes `"data":null` explicitly, as the contract specifies and decoders of `T | null` expect.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(success, forKey: .success)
        try container.encodeNil(forKey: .data)
        try container.encode(metadata, forKey: .metadata)
        try container.encode(error, forKey: .error)
    }
}

/// A value in `error.details`: a string, an integer, a Boolean or a list of strings; never null (http-api.md "Envelope").
public enum DetailValue: Codable, Sendable, Equatable {
    case text(String)
    case integer(Int)
    case flag(Bool)
    case list([String])

    /// Decodes a value of any of the four types.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let integer = try? container.decode(Int.self) {
            self = .integer(integer)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .list(try container.decode([String].self))
        }
    }

    /// Encodes the bare value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .integer(let integer): try container.encode(integer)
        case .flag(let flag): try container.encode(flag)
        case .list(let list): try container.encode(list)
        }
    }
}

extension DetailValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    /// A string.
    public init(stringLiteral value: String) { self = .text(value) }
    /// An integer.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A Boolean.
    public init(booleanLiteral value: Bool) { self = .flag(value) }
}

/// The `metadata` of every enveloped response (http-api.md "Envelope").
public struct ResponseMetadata: Codable, Sendable, Equatable {
    /// When the response was created, ISO 8601 with milliseconds.
    public var timestamp: String
    /// Milliseconds from the request head to this response.
    public var processingTime: Int?
    /// Source of the data: a provider's name, "none" if nothing was found, or "kv_cache" for stored results; absent if no provider was involved.
    public var provider: String?
    /// Whether the response was served from a cache.
    public var cached: Bool?
    /// Whether the response has expired but is served because no newer one is available yet.
    public var stale: Bool?
    /// The outcome of each provider; present only if one failed.
    public var providers: [ProviderReport]?

    /// Creates metadata.
    public init(timestamp: String, processingTime: Int? = nil, provider: String? = nil, cached: Bool? = nil) {
        self.timestamp = timestamp
        self.processingTime = processingTime
        self.provider = provider
        self.cached = cached
    }
}

/// The outcome of one provider: an entry of `metadata.providers` (http-api.md "Searches").
public struct ProviderReport: Codable, Sendable, Equatable {
    /// How a provider's lookup ended.
    public enum Outcome: String, Codable, Sendable {
        case ok
        case notFound = "not_found"
        case timeout
        case error
        case quotaExhausted = "quota_exhausted"
    }

    /// The provider.
    public var provider: DataProvider
    /// Outcome of the provider's lookup.
    public var outcome: Outcome
    /// Duration of the longest query to the provider, in milliseconds.
    public var durationMs: Int

    /// Creates a report.
    public init(provider: DataProvider, outcome: Outcome, durationMs: Int) {
        self.provider = provider
        self.outcome = outcome
        self.durationMs = durationMs
    }
}
