/// An answer of the desk, by where it came from.
enum DeskAnswer: Sendable {
    /// It has just come from the provider.
    case fetched(ProviderRecords)
    /// It was known. One that has expired serves while it is asked for again, or because the provider fails.
    case cached(CachedAnswer)

    var records: ProviderRecords {
        switch self {
        case .fetched(let records): records
        case .cached(let answer): answer.records
        }
    }
}
