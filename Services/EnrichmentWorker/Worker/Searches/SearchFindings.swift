import BookstrackContract

/// The result of a search, and what is to be said about it.
struct SearchFindings<Results: Sendable>: Sendable {
    var results: Results
    /// The provider that gave the first match.
    let provider: DataProvider?
    /// Age of the oldest part when all of them were known; nil when a provider was asked.
    let age: Duration?
    /// How long the result serves as it is; zero when a part is missing.
    var freshFor: Duration
    let isStale: Bool
    /// The providers that failed, while others answered.
    let failure: SearchFailure?

    /// What each provider did, when one failed.
    var reports: [ProviderReport]? { failure?.reports }
}
