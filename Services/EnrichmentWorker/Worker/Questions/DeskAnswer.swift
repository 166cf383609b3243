/// An answer of the desk, and where it came from.
struct DeskAnswer: Sendable {
    let records: ProviderRecords
    /// Nil for an answer that has just come from the provider.
    let age: Duration?
    /// How much longer it serves as it is; zero for one that has expired.
    let freshFor: Duration

    /// Whether it has expired, and serves while it is asked for again or because the provider fails.
    var isStale: Bool { age != nil && freshFor <= .zero }
}
