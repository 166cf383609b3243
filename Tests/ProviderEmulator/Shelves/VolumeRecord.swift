import BookIdentifiers

/// A Google Books volume before it is rendered.
struct VolumeRecord: Sendable {
    let id: String
    let isbns: [ISBN]
    let title: String
    let authors: [String]
    let date: String?
    let document: @Sendable () -> JSONValue
}

extension VolumeRecord {
    init(_ book: CatalogueBook) {
        self.init(
            id: book.volumeID, isbns: [book.isbn], title: book.title, authors: book.authors, date: book.published,
            document: { book.volumeDocument })
    }
}
