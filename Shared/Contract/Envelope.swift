/// A successful answer (http-api.md "Envelope").
public struct SuccessEnvelope<Body: Codable & Sendable>: Codable, Sendable {
    /// Always true.
    public var success: Bool
    /// The route's answer.
    public var data: Body
    /// Facts about the answer.
    public var metadata: ResponseMetadata

    /// Wraps `data`.
    public init(data: Body, metadata: ResponseMetadata) {
        success = true
        self.data = data
        self.metadata = metadata
    }
}

/// A failed answer (http-api.md "Envelope"): `data` is `null`, `error` always an object.
public struct FailureEnvelope: Codable, Sendable {
    /// The `error` object.
    public struct Failure: Codable, Sendable {
        /// A sentence for users.
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
    /// Facts about the answer.
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

/// A value in `error.details`: a string, an integer, a boolean or a list of strings; never null (http-api.md "Envelope").
public enum DetailValue: Codable, Sendable, Equatable {
    case text(String)
    case integer(Int)
    case flag(Bool)
    case list([String])

    /// Decodes a value of any of the four kinds.
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
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .flag(value) }
}

/// `metadata` of every enveloped answer (http-api.md "Envelope").
public struct ResponseMetadata: Codable, Sendable, Equatable {
    /// ISO 8601 with milliseconds.
    public var timestamp: String
    /// Milliseconds from the request's head to this answer.
    public var processingTime: Int?
    /// Where the answer came from: a provider's name, "none", or absent when no provider was involved.
    public var provider: String?
    /// True when served from a cache.
    public var cached: Bool?
    /// True if the answer has expired but is served because no newer one is available.
    public var stale: Bool?
    /// What each provider did; present only if one failed.
    public var providers: [ProviderReport]?

    /// Makes metadata.
    public init(timestamp: String, processingTime: Int? = nil, provider: String? = nil, cached: Bool? = nil) {
        self.timestamp = timestamp
        self.processingTime = processingTime
        self.provider = provider
        self.cached = cached
    }
}

/// What one provider did for an answer: an entry of `metadata.providers` (http-api.md "Searches").
public struct ProviderReport: Codable, Sendable, Equatable {
    /// How a provider's part ended.
    public enum Outcome: String, Codable, Sendable {
        case ok
        case notFound = "not_found"
        case timeout
        case error
        case quotaExhausted = "quota_exhausted"
    }

    /// The provider.
    public var provider: DataProvider
    /// How its part ended.
    public var outcome: Outcome
    /// Milliseconds.
    public var durationMs: Int

    /// Makes a report.
    public init(provider: DataProvider, outcome: Outcome, durationMs: Int) {
        self.provider = provider
        self.outcome = outcome
        self.durationMs = durationMs
    }
}
