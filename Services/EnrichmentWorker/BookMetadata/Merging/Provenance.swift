package import BookstrackContract

/// Picks fields from records and remembers the providers that supplied them (metadata.md "Books": `contributors`).
struct Provenance {
    private(set) var providers: Set<DataProvider> = []
    private(set) var sources = FieldSources()

    /// Contributors in order of preference.
    var contributors: [DataProvider] { providers.sorted() }

    /// When the newest ISBNdb record was retrieved, in ISO 8601; nil if ISBNdb supplied no field (metadata.md "Mapping": `lastISBNDBSync`).
    func lastISBNDBSync(of records: [EditionRecord]) -> String? {
        guard providers.contains(.isbndb) else { return nil }
        let newest = records.filter { $0.provider == .isbndb }.compactMap(\.retrievedAt).max()
        return newest.map(ISO8601Milliseconds.string(fromSeconds:))
    }

    /// The field from the first record that has it.
    ///
    /// - Parameter name: The field for which the provider is credited in analytics, if analytics include the field.
    mutating func first<Record: ProviderRecord, Value>(
        _ records: [Record], as name: BookField? = nil, _ field: (Record) -> Value?
    ) -> Value? {
        for record in records {
            if let value = field(record) {
                credit(record.provider, for: name)
                return value
            }
        }
        return nil
    }

    /// The list from the first record with a non-empty list.
    mutating func firstList<Record: ProviderRecord, Value>(
        _ records: [Record], as name: BookField? = nil, _ field: (Record) -> [Value]
    ) -> [Value] {
        first(records, as: name) { field($0).isEmpty ? nil : field($0) } ?? []
    }

    /// The URL of the widest cover; of equally wide covers, the first one.
    mutating func largestCover(of records: [any ProviderRecord]) -> String? {
        let covers = records.compactMap { record in record.cover.map { (image: $0, provider: record.provider) } }
        guard let largest = covers.max(by: { $0.image.width < $1.image.width }) else { return nil }
        credit(largest.provider, for: .cover)
        return largest.image.url
    }

    /// Credits a provider with a field that was picked elsewhere.
    mutating func credit(_ provider: DataProvider, for name: BookField? = nil) {
        providers.insert(provider)
        if let name { sources.add(provider, for: name) }
    }
}

/// The fields of a merged record, by the provider that supplied them (metadata.md "Quality").
package struct FieldSources: Sendable, Equatable {
    private var fields: [DataProvider: BookFieldSet] = [:]

    package init() {}

    /// The fields that a provider supplied.
    package subscript(provider: DataProvider) -> BookFieldSet { fields[provider] ?? [] }

    mutating func add(_ provider: DataProvider, for field: BookField) {
        fields[provider, default: []].formUnion(BookFieldSet(field))
    }

    mutating func add(_ others: FieldSources) {
        fields.merge(others.fields) { $0.union($1) }
    }
}

/// A merged book and the providers of its fields.
package struct MergedBook: Sendable {
    package var book: EnrichedMetadata
    package let sources: FieldSources

    package init(_ book: EnrichedMetadata, sources: FieldSources = FieldSources()) {
        self.book = book
        self.sources = sources
    }
}

/// A record whose fields all come from one provider.
protocol ProviderRecord {
    var provider: DataProvider { get }
    var cover: CoverImage? { get }
}

extension EditionRecord: ProviderRecord {}
extension WorkRecord: ProviderRecord {}
