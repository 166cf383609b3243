/// What a provider answered earlier.
struct CachedAnswer: Sendable {
    let records: ProviderRecords
    /// Time since the answer came.
    let age: Duration
    /// How much longer it serves as it is; not positive for one that has expired.
    let freshFor: Duration

    /// Whether it serves as it is (metadata.md "Cache").
    var isFresh: Bool { freshFor > .zero }
}
