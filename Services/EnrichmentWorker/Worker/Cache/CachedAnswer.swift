/// What a provider answered earlier.
struct CachedAnswer: Sendable {
    let records: ProviderRecords
    /// Whether it serves as it is; otherwise only when the provider fails (spec/04 "Cache").
    let isFresh: Bool
}
