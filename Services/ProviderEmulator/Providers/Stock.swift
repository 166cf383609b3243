import BookIdentifiers

/// Collects everything that the emulator knows. If two sources have the same ISBN, the first one is used, so recorded responses are added
/// before the catalogs.
struct Stock: Sendable {
    private(set) var editions: [CatalogEdition] = []
    private(set) var works: [CatalogWork] = []
    private(set) var volumes: [VolumeRecord] = []
    private(set) var isbndbBooks: [ISBNdbRecord] = []
    /// The people of the sample, of the synthetic books and of the tables.
    private(set) var people: [Person] = SamplePeople.all + SyntheticCatalog.people
    /// Recorded Wikidata items.
    private(set) var entities: [JSONValue] = []
    /// Results of recorded searches for items.
    private(set) var searchResults: [JSONValue] = []
    private(set) var authors: [String: @Sendable () -> JSONValue] = [:]
    /// Open Library works that were merged or deleted.
    private(set) var retired: [RetiredRecord] = SampleCatalog.retired
    /// The ISBNs of the catalogs, in order, including those that no provider knows.
    private(set) var isbns: [ISBN] = []

    /// Identified people by each of their folded names.
    private var namedPeople = Self.named(SamplePeople.all)
    private var workIndices: [String: Int] = [:]
    private var editionKeys: Set<String> = []
    private var editionISBNs: Set<ISBN> = []
    private var volumeIDs: Set<String> = []
    private var volumeISBNs: Set<ISBN> = []
    private var isbndbISBNs: Set<ISBN> = []

    mutating func add(_ book: CatalogBook) {
        isbns.append(book.isbn)
        if book.knownTo.contains(.openLibrary), !editionISBNs.contains(book.isbn) {
            let book = book.known(to: .openLibrary)
            add(CatalogEdition(book))
            update(workFor: book.workKey, otherwise: CatalogWork(book)) { $0.add(editionOf: book) }
            for name in book.authors {
                let person = namedPeople[name.folded]
                add(author: CatalogBook.authorKey(name)) { CatalogBook.authorDocument(name, person: person) }
            }
        }
        if book.knownTo.contains(.googleBooks), !volumeISBNs.contains(book.isbn) {
            add(VolumeRecord(book.known(to: .googleBooks)))
        }
        if book.knownTo.contains(.isbndb) { add(ISBNdbRecord(book)) }
    }

    mutating func add(_ edition: CatalogEdition) {
        guard editionKeys.insert(edition.key).inserted else { return }
        editionISBNs.formUnion(edition.isbns)
        editions.append(edition)
    }

    mutating func add(_ volume: VolumeRecord) {
        guard volumeIDs.insert(volume.id).inserted else { return }
        volumeISBNs.formUnion(volume.isbns)
        volumes.append(volume)
    }

    mutating func add(_ book: ISBNdbRecord) {
        guard isbndbISBNs.isDisjoint(with: book.isbns) else { return }
        isbndbISBNs.formUnion(book.isbns)
        isbndbBooks.append(book)
    }

    /// Adds people. Must be called before books are added, because the books' author records refer to people.
    mutating func add(people rows: [Person]) {
        people = people.merged(with: rows)
        namedPeople = Self.named(people)
    }

    private static func named(_ people: [Person]) -> [String: Person] {
        Dictionary(
            people.filter(\.isIdentified).flatMap { person in person.names.map { ($0.folded, person) } },
            uniquingKeysWith: { first, _ in first })
    }

    mutating func add(entities: [JSONValue], searchResults: [JSONValue]) {
        self.entities += entities
        self.searchResults += searchResults
    }

    mutating func add(author key: String, _ document: @escaping @Sendable () -> JSONValue) {
        if authors[key] == nil { authors[key] = document }
    }

    mutating func update(
        workFor key: String, otherwise new: @autoclosure () -> CatalogWork, _ change: (inout CatalogWork) -> Void
    ) {
        let index = workIndices[key] ?? works.count
        if index == works.count {
            works.append(new())
            workIndices[key] = index
        }
        change(&works[index])
    }
}
