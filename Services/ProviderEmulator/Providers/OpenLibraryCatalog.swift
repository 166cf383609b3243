import BookIdentifiers

/// The records that Open Library knows, indexed by everything that can be requested.
struct OpenLibraryCatalog: Sendable {
    struct Edition: Sendable {
        let key: String
        let isbns: [ISBN]
        let title: String
        let languages: [String]
        let coverID: Int?
        let document: RenderedObject
        let details: RenderedObject
        let data: RenderedObject
        /// An entry in the `docs` of a work's `editions` in `search.json`.
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
        /// Indices of the work's editions.
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
        var worksByAuthor: [String: [Int]] = [:]
        for (index, work) in stock.works.enumerated() {
            for key in work.authorKeys { worksByAuthor[key, default: []].append(index) }
        }
        self.worksByAuthor = worksByAuthor
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

    /// Indices of an author's works.
    func works(ofAuthor key: String) -> [Int] { worksByAuthor[key] ?? [] }

    func authors(named name: String) -> [Author] {
        authorNames.search(TitleIndex.Query(title: name)).map { authorList[$0] }
    }

    /// An author by key, for example `/authors/OL26320A`.
    func author(key: String) -> Author? { authorNamesByKey[key].map { Author(key: key, name: $0) } }

    func work(key: String) -> Work? { place(ofWork: key).map { works[$0] } }

    func place(ofWork key: String) -> Int? { worksByKey[key] }

    func works(_ isbn: ISBN) -> [Int] { worksByISBN[isbn] ?? [] }

    /// An edition other than the requested one, the same in every run.
    func wrongEdition(for isbn: ISBN) -> Edition? {
        wrongIndex(for: isbn, known: editionsByISBN[isbn], count: editions.count).map { editions[$0] }
    }

    /// A work other than the requested one, the same in every run.
    func wrongWork(for isbn: ISBN) -> Int? {
        wrongIndex(for: isbn, known: works(isbn).first, count: works.count)
    }
}

/// An Open Library edition before its documents are rendered.
struct CatalogEdition: Sendable {
    let key: String
    let isbns: [ISBN]
    let title: String
    /// The languages, as three-letter codes.
    let languages: [String]
    let workKey: String?
    let coverID: Int?
    /// The document `/books/OL…M.json`.
    let document: @Sendable () -> JSONValue
    /// The `details` of `jscmd=details`.
    let details: @Sendable () -> JSONValue
    /// The value in a response to `jscmd=data`.
    let data: @Sendable () -> JSONValue
}

extension CatalogEdition {
    init(_ book: CatalogBook) {
        self.init(
            key: book.editionKey, isbns: [book.isbn], title: book.title,
            languages: book.language.map { [$0.rawValue] } ?? [], workKey: book.workKey,
            coverID: book.hasCover ? book.coverID : nil,
            document: { book.editionDocument(namingAuthors: false) },
            details: { book.editionDocument(namingAuthors: true) },
            data: { book.dataDocument })
    }
}

extension CatalogEdition {
    /// The edition as `search.json` lists it under its work, without the number of pages, which the search index does not contain.
    var searchDocument: @Sendable () -> JSONValue {
        let (document, isbns) = (document, isbns)
        return {
            let edition = document()
            let date = edition["publish_date"]?.text
            return .members([
                "key": edition["key"],
                "type": "edition",
                "title": edition["title"],
                "subtitle": edition["subtitle"],
                "cover_i": edition["covers"]?.elements.first { ($0.integer ?? -1) > 0 },
                "language": .present(edition.languageCodes),
                "publisher": edition["publishers"],
                "format": edition["physical_format"].map { [$0] },
                "publish_date": date.map { [.string($0)] },
                "publish_year": date.flatMap(CatalogDate.year).map { [.integer($0)] },
                "isbn": .present(isbns.flatMap(\.forms)),
                "ebook_access": "no_ebook",
            ])
        }
    }
}

extension JSONValue {
    /// The codes of an edition's `languages`: for example `eng` for `/languages/eng`.
    var languageCodes: [String] {
        (self["languages"]?.elements ?? []).compactMap { $0["key"]?.text?.split(separator: "/").last.map(String.init) }
    }
}

/// An Open Library work with the fields of its search document.
struct CatalogWork: Sendable {
    let key: String
    var title: String
    var subtitle: String?
    var authorKeys: [String] = []
    var authorNames: [String] = []
    var firstYear: Int?
    var isbns: [ISBN] = []
    var editionKeys: [String] = []
    /// Edition titles that differ from the work's title.
    var otherTitles: [String] = []
    var coverID: Int?
    var subjects: [String] = []
    var languages: [String] = []
    var publishers: [String] = []
    var pages: [Int] = []
    /// The document `/works/OL…W.json`; nil if only editions or a search document of the work are known.
    var document: (@Sendable () -> JSONValue)?
    /// A recorded search document, served unchanged.
    var recordedSearchDocument: JSONValue?

    init(key: String, title: String) {
        self.key = key
        self.title = title
    }

    init(_ book: CatalogBook) {
        self.init(key: book.workKey, title: book.workTitle)
        authorKeys = book.authors.map(CatalogBook.authorKey)
        authorNames = book.authors
        subtitle = book.work == nil ? book.subtitle : nil
        firstYear = book.firstPublished
        subjects = book.subjects
        document = { book.workDocument }
    }

    mutating func add(editionOf book: CatalogBook) {
        isbns.append(book.isbn)
        editionKeys.append(book.editionKey)
        if book.title != title { otherTitles.appendNew(book.title) }
        coverID = coverID ?? (book.hasCover ? book.coverID : nil)
        languages.appendNew(book.language?.rawValue)
        publishers.appendNew(book.publisher)
        if let count = book.pages { pages.append(count) }
    }

    /// An entry in the `docs` of `search.json`, with every field that can be requested.
    var searchDocument: JSONValue {
        recordedSearchDocument
            ?? .members([
                "author_key": .present(authorKeys.map { String($0.dropFirst("/authors/".count)) }),
                "author_name": .present(authorNames),
                "cover_i": coverID.map(JSONValue.integer),
                "edition_count": .integer(editionKeys.count),
                "edition_key": .present(editionKeys.map { String($0.dropFirst("/books/".count)) }),
                "first_publish_year": firstYear.map(JSONValue.integer),
                "isbn": .present(isbns.flatMap(\.forms)),
                "key": .string(key),
                "language": .present(languages),
                "number_of_pages_median": pages.isEmpty ? nil : .integer(pages.sorted()[pages.count / 2]),
                "publisher": .present(publishers),
                "subtitle": subtitle.map(JSONValue.string),
                "subject": .present(subjects),
                "title": .string(title),
            ])
    }
}

extension Array where Element: Equatable {
    mutating func appendNew(_ element: Element?) {
        guard let element, !contains(element) else { return }
        append(element)
    }
}

/// An Open Library work that was merged into another one or deleted. Requests for its key still return status 200, but not the work
/// (https://openlibrary.org/developers/dumps lists both types).
struct RetiredRecord: Sendable {
    /// The key of the work, for example `/works/OL900001W`.
    let key: String
    /// The work that it was merged into; nil if it was deleted.
    let location: String?

    /// The document: `{"type":{"key":"/type/redirect"},"location":…}` or `{"type":{"key":"/type/delete"}}`.
    var document: JSONValue {
        .members([
            "key": .string(key),
            "type": ["key": location == nil ? "/type/delete" : "/type/redirect"],
            "location": location.map(JSONValue.string),
            "latest_revision": 6,
            "revision": 6,
            "last_modified": ["type": "/type/datetime", "value": "2024-02-29T12:00:00.000000"],
        ])
    }
}

extension SampleCatalog {
    /// A merged work, a work merged into that work, a work that redirects to itself, and a deleted work.
    static let retired: [RetiredRecord] = [
        RetiredRecord(key: "/works/OL900001W", location: books.first { $0.title == "Dune" }?.workKey),
        RetiredRecord(key: "/works/OL900002W", location: "/works/OL900001W"),
        RetiredRecord(key: "/works/OL900003W", location: "/works/OL900003W"),
        RetiredRecord(key: "/works/OL900004W", location: nil),
    ]
}
