import BookIdentifiers

/// An Open Library work with what its search document is made of.
struct WorkRecord: Sendable {
    let key: String
    var title: String
    var subtitle: String?
    var authorKeys: [String] = []
    var authorNames: [String] = []
    var firstYear: Int?
    var isbns: [ISBN] = []
    var editionKeys: [String] = []
    /// Titles of editions that are not the work's.
    var otherTitles: [String] = []
    var coverID: Int?
    var subjects: [String] = []
    var languages: [String] = []
    var publishers: [String] = []
    var pages: [Int] = []
    /// `/works/OL…W.json`, where the work itself is known and not only its editions.
    var document: (@Sendable () -> JSONValue)?
    /// A search document that was recorded; it is served as it is.
    var recordedSearchDocument: JSONValue?

    init(key: String, title: String) {
        self.key = key
        self.title = title
    }

    init(_ book: CatalogueBook) {
        self.init(key: book.workKey, title: book.workTitle)
        authorKeys = book.authors.map(CatalogueBook.authorKey)
        authorNames = book.authors
        subtitle = book.work == nil ? book.subtitle : nil
        firstYear = book.firstPublished
        subjects = book.subjects
        document = { book.workDocument }
    }

    mutating func add(editionOf book: CatalogueBook) {
        isbns.append(book.isbn)
        editionKeys.append(book.editionKey)
        if book.title != title { otherTitles.appendNew(book.title) }
        coverID = coverID ?? (book.hasCover ? book.coverID : nil)
        languages.appendNew(book.language?.rawValue)
        publishers.appendNew(book.publisher)
        if let count = book.pages { pages.append(count) }
    }

    /// One of the `docs` of `search.json`, with every field that can be asked for.
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
