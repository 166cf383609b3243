import BookstrackContract

/// Picks fields from records and remembers the providers that gave them (metadata.md "Books": `contributors`).
struct Provenance {
    private(set) var providers: Set<DataProvider> = []

    /// Contributors in order of preference.
    var contributors: [DataProvider] { providers.sorted() }

    /// When the newest record of ISBNdb was retrieved, if ISBNdb gave a field (metadata.md "Books": `lastISBNDBSync`).
    func lastISBNDBSync(of records: [EditionRecord]) -> String? {
        guard providers.contains(.isbndb) else { return nil }
        let newest = records.filter { $0.provider == .isbndb }.compactMap(\.retrievedAt).max()
        return newest.map(ISO8601Milliseconds.string(fromSeconds:))
    }

    /// The field of the first record that has it.
    mutating func first<Record: ProviderRecord, Value>(_ records: [Record], _ field: (Record) -> Value?) -> Value? {
        for record in records {
            if let value = field(record) {
                providers.insert(record.provider)
                return value
            }
        }
        return nil
    }

    /// The list of the first record whose list is not empty.
    mutating func firstList<Record: ProviderRecord, Value>(
        _ records: [Record], _ field: (Record) -> [Value]
    ) -> [Value] {
        first(records) { field($0).isEmpty ? nil : field($0) } ?? []
    }

    /// Notes that a provider gave a field that was picked elsewhere.
    mutating func credit(_ provider: DataProvider) {
        providers.insert(provider)
    }
}

/// A record whose fields all come from one provider.
protocol ProviderRecord {
    var provider: DataProvider { get }
}

extension EditionRecord: ProviderRecord {}
extension WorkRecord: ProviderRecord {}
