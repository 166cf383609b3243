import BookIdentifiers

/// What ISBNdb knows, indexed by everything it can be asked for.
struct ISBNdbShelf: Sendable {
    struct Book: Sendable {
        let date: String?
        let document: RenderedObject
    }

    let books: [Book]
    let titles: TitleIndex

    private let byISBN: [ISBN: Int]

    init(_ stock: Stock) {
        books = stock.isbndbBooks.map { Book(date: $0.date, document: RenderedObject($0.document)) }
        titles = TitleIndex(stock.isbndbBooks.map { TitleIndex.Entry(title: $0.title, authors: $0.authors) })
        byISBN = Dictionary(
            stock.isbndbBooks.enumerated().flatMap { place, book in book.isbns.map { ($0, place) } },
            uniquingKeysWith: { first, _ in first })
    }

    func book(_ isbn: ISBN) -> Int? { byISBN[isbn] }

    /// A book that is not the one asked for, always the same one.
    func wrongBook(for isbn: ISBN) -> Int? {
        wrongIndex(for: isbn, known: byISBN[isbn], count: books.count)
    }
}
