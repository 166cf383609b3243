import BookIdentifiers

/// The books that ISBNdb knows, indexed by everything that can be requested.
struct ISBNdbCatalog: Sendable {
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

    /// A book other than the requested one, the same in every run.
    func wrongBook(for isbn: ISBN) -> Int? {
        wrongIndex(for: isbn, known: byISBN[isbn], count: books.count)
    }
}

/// An ISBNdb book before it is rendered.
struct ISBNdbRecord: Sendable {
    let isbns: [ISBN]
    let title: String
    let authors: [String]
    let date: String?
    let document: @Sendable () -> JSONValue
}

extension ISBNdbRecord {
    init(_ book: CatalogBook) {
        self.init(
            isbns: [book.isbn], title: book.title, authors: book.authors, date: book.published,
            document: { book.isbndbDocument })
    }

    /// A book from a recorded response; nil if it has no title or no usable ISBN.
    init?(recorded document: JSONValue) {
        let numbers = ["isbn13", "isbn", "isbn10"].compactMap { document[$0]?.text }.compactMap { ISBN($0) }
        guard let title = document["title"]?.text, !numbers.isEmpty else { return nil }
        self.init(
            isbns: Array(Set(numbers)).sorted(), title: title, authors: document["authors"]?.texts ?? [],
            date: document["date_published"]?.text, document: { document })
    }
}

extension CatalogBook {
    /// The book as ISBNdb returns it. Like the real record, it differs from the other providers' records: some authors have their last name first,
    /// some years are numbers, some language codes have three letters, and synopses contain HTML line breaks.
    var isbndbDocument: JSONValue {
        // Only the upper half of the hash is used: the lowest bit of the hash is the parity of the digits, which is the same for every valid
        // ISBN.
        let variety = StableHash.of("isbndb \(isbn.isbn13)") >> 32
        return .members([
            "publisher": publisher.map(JSONValue.string),
            "synopsis": about.map { .string("\($0)<br/><br/>\(series.map { "Part of \($0)." } ?? "")") },
            "language": language.map { .string(variety % 7 == 0 ? $0.rawValue : String($0.twoLetterCode.prefix(2))) },
            "image": hasCover ? .string(imageURL) : nil,
            "title_long": .string(subtitle.map { "\(title): \($0)" } ?? title),
            "edition": variety % 3 == 0 ? "1" : nil,
            "dewey_decimal": subjects.contains("Poetry") ? "811" : nil,
            "pages": pages.map(JSONValue.integer),
            "date_published": published.map { date in
                Int(date).map { variety % 2 == 0 ? .integer($0) : .string(date) } ?? .string(date)
            },
            "subjects": .present(subjects),
            "authors": .present(variety % 5 == 0 ? authors.map(Self.lastNameFirst) : authors),
            "title": .string(title),
            "isbn13": .string(isbn.isbn13),
            "msrp": "0.00",
            "binding": format.map { .string(binding($0)) },
            "isbn": .string(isbn.isbn10 ?? isbn.isbn13),
            "isbn10": isbn.isbn10.map(JSONValue.string),
        ])
    }

    /// URL of the cover, in two folders named after the last four digits of the ISBN.
    private var imageURL: String {
        let number = isbn.isbn13
        return "https://images.isbndb.com/covers/\(number.suffix(4).prefix(2))/\(number.suffix(2))/\(number).jpg"
    }

    private func binding(_ format: Format) -> String {
        switch format {
        case .ebook: "Kindle Edition"
        case .audiobook: "Audio CD"
        default: format.rawValue
        }
    }

    /// The name with the last name first, such as `Herbert, Frank`; a name without spaces is unchanged.
    private static func lastNameFirst(_ name: String) -> String {
        guard let space = name.lastIndex(of: " ") else { return name }
        return "\(name[name.index(after: space)...]), \(name[..<space])"
    }
}
