import BookIdentifiers

/// The books that Google Books knows, indexed by everything that can be requested.
struct GoogleBooksCatalog: Sendable {
    /// Members can be requested separately down to those of `volumeInfo`.
    private static let fieldDepth = 2

    let volumes: [RenderedObject]
    let titles: TitleIndex
    /// Publication dates as given in the volumes.
    let dates: [String?]

    private let byISBN: [ISBN: [Int]]
    private let byID: [String: Int]

    init(_ stock: Stock) {
        volumes = stock.volumes.map { RenderedObject(fieldDepth: Self.fieldDepth, $0.document) }
        titles = TitleIndex(stock.volumes.map { TitleIndex.Entry(title: $0.title, authors: $0.authors) })
        dates = stock.volumes.map(\.date)
        byISBN = Dictionary(
            stock.volumes.enumerated().flatMap { index, volume in volume.isbns.map { ($0, [index]) } },
            uniquingKeysWith: +)
        byID = Dictionary(stock.volumes.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Every volume with this ISBN; several recorded volumes may share an ISBN.
    func volumes(_ isbn: ISBN) -> [Int] { byISBN[isbn] ?? [] }

    func volume(id: String) -> RenderedObject? { byID[id].map { volumes[$0] } }

    /// A volume other than the requested one, the same in every run.
    func wrongVolume(for isbn: ISBN) -> Int? {
        wrongIndex(for: isbn, known: volumes(isbn).last, count: volumes.count)
    }
}

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
    init(_ book: CatalogBook) {
        self.init(
            id: book.volumeID, isbns: [book.isbn], title: book.title, authors: book.authors, date: book.published,
            document: { book.volumeDocument })
    }
}

extension CatalogBook {
    /// The volume as Google Books returns it. It deliberately differs from Open Library's record: the subjects are one BISAC-like string, the
    /// description contains HTML, the series stands in for a missing subtitle, and dates are numeric.
    var volumeDocument: JSONValue {
        let selfLink = "https://www.googleapis.com/books/v1/volumes/\(volumeID)"
        return [
            "kind": "books#volume",
            "id": .string(volumeID),
            "etag": .string(String(volumeID.reversed())),
            "selfLink": .string(selfLink),
            "volumeInfo": volumeInfo,
            "saleInfo": ["country": "US", "saleability": "NOT_FOR_SALE", "isEbook": .bool(format == .ebook)],
            "accessInfo": [
                "country": "US", "viewability": "NO_PAGES", "embeddable": false, "publicDomain": false,
                "epub": ["isAvailable": false], "pdf": ["isAvailable": false], "accessViewStatus": "NONE",
            ],
        ]
    }

    private var volumeInfo: JSONValue {
        .members([
            "title": .string(title),
            "subtitle": (subtitle ?? series).map(JSONValue.string),
            "authors": .present(authors),
            "publisher": publisher.map(JSONValue.string),
            "publishedDate": published.map(JSONValue.string),
            "description": about.map { .string("<p>\($0)</p>") },
            "industryIdentifiers": .array(industryIdentifiers),
            "readingModes": ["text": false, "image": false],
            "pageCount": pages.map(JSONValue.integer),
            "printType": "BOOK",
            "categories": subjects.isEmpty ? nil : [.string(subjects.joined(separator: " / "))],
            "maturityRating": "NOT_MATURE",
            "allowAnonLogging": false,
            "contentVersion": "preview-1.0.0",
            "imageLinks": hasCover ? imageLinks : nil,
            "language": language.map { .string($0.twoLetterCode) },
            "infoLink": .string("http://books.google.com/books?id=\(volumeID)&source=gbs_api"),
            "canonicalVolumeLink": .string("https://books.google.com/books/about/?id=\(volumeID)"),
        ])
    }

    private var industryIdentifiers: [JSONValue] {
        let thirteen: JSONValue = ["type": "ISBN_13", "identifier": .string(isbn.isbn13)]
        guard let isbn10 = isbn.isbn10 else { return [thirteen] }
        return [["type": "ISBN_10", "identifier": .string(isbn10)], thirteen]
    }

    private var imageLinks: JSONValue {
        let stem = "http://books.google.com/books/content?id=\(volumeID)&printsec=frontcover&img=1"
        return [
            "smallThumbnail": .string("\(stem)&zoom=5&edge=curl&source=gbs_api"),
            "thumbnail": .string("\(stem)&zoom=1&edge=curl&source=gbs_api"),
        ]
    }
}
