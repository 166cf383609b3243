import BookIdentifiers

/// An Open Library edition before its documents are rendered.
struct EditionRecord: Sendable {
    let key: String
    let isbns: [ISBN]
    let title: String
    /// Three-letter codes.
    let languages: [String]
    let workKey: String?
    let coverID: Int?
    /// `/books/OL…M.json`.
    let document: @Sendable () -> JSONValue
    /// The `details` of `jscmd=details`.
    let details: @Sendable () -> JSONValue
    /// The value in an answer to `jscmd=data`.
    let data: @Sendable () -> JSONValue
}

extension EditionRecord {
    init(_ book: CatalogueBook) {
        self.init(
            key: book.editionKey, isbns: [book.isbn], title: book.title,
            languages: book.language.map { [$0.rawValue] } ?? [], workKey: book.workKey,
            coverID: book.hasCover ? book.coverID : nil,
            document: { book.editionDocument(namingAuthors: false) },
            details: { book.editionDocument(namingAuthors: true) },
            data: { book.dataDocument })
    }
}
