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

    /// The same about something made of the result.
    func map<Others: Sendable>(_ transform: (Results) -> Others) -> SearchFindings<Others> {
        SearchFindings<Others>(
            results: transform(results), provider: provider, age: age, freshFor: freshFor, isStale: isStale,
            failure: failure)
    }

    /// What each provider did, when one failed.
    var reports: [ProviderReport]? { failure?.reports }
}
