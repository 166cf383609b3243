import BookIdentifiers

/// A book of ISBNdb before it is rendered.
struct ISBNdbRecord: Sendable {
    let isbns: [ISBN]
    let title: String
    let authors: [String]
    let date: String?
    let document: @Sendable () -> JSONValue
}

extension ISBNdbRecord {
    init(_ book: CatalogueBook) {
        self.init(
            isbns: [book.isbn], title: book.title, authors: book.authors, date: book.published,
            document: { book.isbndbDocument })
    }

    /// A book as it stood in a recorded answer; nil without a usable number.
    init?(recorded document: JSONValue) {
        let numbers = ["isbn13", "isbn", "isbn10"].compactMap { document[$0]?.text }.compactMap { ISBN($0) }
        guard let title = document["title"]?.text, !numbers.isEmpty else { return nil }
        self.init(
            isbns: Array(Set(numbers)).sorted(), title: title, authors: document["authors"]?.texts ?? [],
            date: document["date_published"]?.text, document: { document })
    }
}
