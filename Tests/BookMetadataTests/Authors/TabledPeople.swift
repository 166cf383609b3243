import BookMetadata
import BookstrackContract

/// The people of the recorded tables, to be found by name.
struct TabledPeople {
    private let byName: [String: [PersonRecord]]
    private let authors: [String: [TabledAuthor]]

    init(records: [String: PersonRecord], authors: [String: [TabledAuthor]]) {
        self.authors = authors
        let names = records.values.flatMap { record in record.names.map { (Self.key($0), record) } }
        byName = Dictionary(grouping: names, by: \.0).mapValues { $0.map(\.1) }
    }

    /// The people with the same family name and initial, whom a search for the name might find.
    func named(_ name: String) -> [PersonRecord] { byName[Self.key(name)] ?? [] }

    /// Every region that the tables give an author.
    func regions(of id: String) -> Set<CulturalRegion> {
        Set((authors[id] ?? []).flatMap(\.countries).compactMap(TabledAuthor.region))
    }

    private static func key(_ name: String) -> String {
        let words = name.lowercased().split { !$0.isLetter }
        return "\(words.first?.first.map(String.init) ?? "") \(words.last ?? "")"
    }
}
