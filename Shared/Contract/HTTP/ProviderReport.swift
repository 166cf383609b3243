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
