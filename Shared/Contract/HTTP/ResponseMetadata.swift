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
    /// True when the answer has expired and serves because a newer one is not to be had now.
    public var stale: Bool?
    /// What each provider did, when one failed.
    public var providers: [ProviderReport]?

    /// Makes metadata.
    public init(timestamp: String, processingTime: Int? = nil, provider: String? = nil, cached: Bool? = nil) {
        self.timestamp = timestamp
        self.processingTime = processingTime
        self.provider = provider
        self.cached = cached
    }
}
