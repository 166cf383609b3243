/// What one provider did for an answer: an entry of `metadata.providers` (spec/07).
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

/// `metadata` of every enveloped answer (contract §4, spec/02).
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
