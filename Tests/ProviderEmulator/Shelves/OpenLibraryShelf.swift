import BookIdentifiers

/// What Open Library knows, indexed by everything it can be asked for.
struct OpenLibraryShelf: Sendable {
    struct Edition: Sendable {
        let key: String
        let isbns: [ISBN]
        let title: String
        let languages: [String]
        let coverID: Int?
        let document: RenderedObject
        let details: RenderedObject
        let data: RenderedObject
        /// One of the `docs` of a work's `editions` in `search.json`.
        let search: @Sendable () -> JSONValue
    }

    struct Author: Sendable {
        let key: String
        let name: String
    }

    struct Work: Sendable {
        let key: String
        let title: String
        let firstYear: Int?
        /// Places of its editions.
        let editions: [Int]
        let document: RenderedObject?
        let search: RenderedObject
    }

    let editions: [Edition]
    let works: [Work]
    let authors: [String: RenderedObject]
    /// Merged and deleted records by key.
    let retired: [String: RenderedObject]
    let titles: TitleIndex

    private let authorNames: TitleIndex
    private let authorList: [Author]
    private let authorNamesByKey: [String: String]
    private let worksByAuthor: [String: [Int]]

    private let editionsByISBN: [ISBN: Int]
    private let editionsByKey: [String: Int]
    private let worksByISBN: [ISBN: [Int]]
    private let worksByKey: [String: Int]

    init(_ stock: Stock) {
        editions = stock.editions.map {
            Edition(
                key: $0.key, isbns: $0.isbns, title: $0.title, languages: $0.languages, coverID: $0.coverID,
                document: RenderedObject($0.document), details: RenderedObject($0.details),
                data: RenderedObject($0.data), search: $0.searchDocument)
        }
        let places = Dictionary(
            stock.editions.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
        editionsByKey = places
        works = stock.works.map { work in
            Work(
                key: work.key, title: work.title, firstYear: work.firstYear,
                editions: work.editionKeys.compactMap { places[$0] },
                document: work.document.map { RenderedObject($0) },
                search: RenderedObject { work.searchDocument })
        }
        authors = stock.authors.mapValues { RenderedObject($0) }
        retired = Dictionary(
            stock.retired.map { record in (record.key, RenderedObject { record.document }) },
            uniquingKeysWith: { first, _ in first })
        worksByAuthor = Dictionary(
            stock.works.enumerated().flatMap { index, work in work.authorKeys.map { ($0, [index]) } },
            uniquingKeysWith: +)
        var names: [String: String] = [:]
        for work in stock.works {
            for (key, name) in zip(work.authorKeys, work.authorNames) { names[key] = names[key] ?? name }
        }
        let list = names.keys.sorted().compactMap { key in names[key].map { Author(key: key, name: $0) } }
        authorList = list
        authorNamesByKey = names
        authorNames = TitleIndex(list.map { TitleIndex.Entry(title: $0.name, authors: []) })
        titles = TitleIndex(
            stock.works.map { TitleIndex.Entry(title: $0.title, otherTitles: $0.otherTitles, authors: $0.authorNames) })
        editionsByISBN = Dictionary(
            stock.editions.enumerated().flatMap { index, edition in edition.isbns.map { ($0, index) } },
            uniquingKeysWith: { first, _ in first })
        worksByISBN = Dictionary(
            stock.works.enumerated().flatMap { index, work in work.isbns.map { ($0, [index]) } },
            uniquingKeysWith: +)
        worksByKey = Dictionary(stock.works.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func edition(_ isbn: ISBN) -> Edition? { editionsByISBN[isbn].map { editions[$0] } }

    func edition(key: String) -> Edition? { editionsByKey[key].map { editions[$0] } }

    /// Places of an author's works.
    func works(ofAuthor key: String) -> [Int] { worksByAuthor[key] ?? [] }

    func authors(named name: String) -> [Author] {
        authorNames.search(TitleIndex.Query(title: name)).map { authorList[$0] }
    }

    /// An author by the path that is the key in the index, for example `/authors/OL26320A`.
    func author(key: String) -> Author? { authorNamesByKey[key].map { Author(key: key, name: $0) } }

    func work(key: String) -> Work? { place(ofWork: key).map { works[$0] } }

    func place(ofWork key: String) -> Int? { worksByKey[key] }

    func works(_ isbn: ISBN) -> [Int] { worksByISBN[isbn] ?? [] }

    /// An edition that is not the one asked for, always the same one.
    func wrongEdition(for isbn: ISBN) -> Edition? {
        wrongIndex(for: isbn, known: editionsByISBN[isbn], count: editions.count).map { editions[$0] }
    }

    /// A work that is not the one asked for, always the same one.
    func wrongWork(for isbn: ISBN) -> Int? {
        wrongIndex(for: isbn, known: works(isbn).first, count: works.count)
    }
}
