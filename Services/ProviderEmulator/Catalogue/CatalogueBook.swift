import BookIdentifiers

/// The facts that the emulator knows about one edition. All providers' documents are generated from them.
struct CatalogueBook: Sendable {
    enum Format: String, Sendable {
        case paperback = "Paperback"
        case hardcover = "Hardcover"
        case massMarket = "Mass Market Paperback"
        case ebook = "E-book"
        case audiobook = "Audio CD"
    }

    /// A fact that one provider may lack although another one has it.
    enum Field: Sendable {
        case pages
        case publisher
        case about
        case cover
        /// The month and day of publication; without them, only the year is known.
        case dayOfPublication
    }

    let isbn: ISBN
    let title: String
    let subtitle: String?
    let authors: [String]
    /// Year of the work's first publication; negative for BCE.
    let firstPublished: Int?
    /// The edition's date: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
    let published: String?
    let publisher: String?
    let pages: Int?
    let format: Format?
    let language: CatalogueLanguage?
    let subjects: [String]
    let series: String?
    /// The work's title if it differs from the edition's; editions with the same work title and first author share a work.
    let work: String?
    let about: String?
    let hasCover: Bool
    let withheld: [Provider: Set<Field>]
    let knownTo: Set<Provider>

    init(
        isbn: ISBN, title: String, subtitle: String? = nil, authors: [String], firstPublished: Int? = nil,
        published: String? = nil, publisher: String? = nil, pages: Int? = nil, format: Format? = nil,
        language: CatalogueLanguage? = nil, subjects: [String] = [], series: String? = nil, work: String? = nil,
        about: String? = nil, hasCover: Bool = false,
        withheld: [Provider: Set<Field>] = [:], knownTo: Set<Provider> = Provider.catalogues
    ) {
        self.isbn = isbn
        self.title = title
        self.subtitle = subtitle
        self.authors = authors
        self.firstPublished = firstPublished
        self.published = published
        self.publisher = publisher
        self.pages = pages
        self.format = format
        self.language = language
        self.subjects = subjects
        self.series = series
        self.work = work
        self.about = about
        self.hasCover = hasCover
        self.withheld = withheld
        self.knownTo = knownTo
    }

    var workTitle: String { work ?? title }

    /// The book with the facts known to `provider`.
    func known(to provider: Provider) -> CatalogueBook {
        guard let lacking = withheld[provider], !lacking.isEmpty else { return self }
        return CatalogueBook(
            isbn: isbn, title: title, subtitle: subtitle, authors: authors, firstPublished: firstPublished,
            published: lacking.contains(.dayOfPublication) ? published.map { String($0.prefix(4)) } : published,
            publisher: lacking.contains(.publisher) ? nil : publisher, pages: lacking.contains(.pages) ? nil : pages,
            format: format, language: language, subjects: subjects, series: series, work: work,
            about: lacking.contains(.about) ? nil : about, hasCover: hasCover && !lacking.contains(.cover),
            knownTo: knownTo)
    }
}

/// Identifiers in the providers' formats. They are derived from the facts, so they are the same in every run. They differ from the real
/// providers' identifiers.
extension CatalogueBook {
    var editionKey: String { "/books/OL9\(Self.digits(11, of: isbn.isbn13))M" }

    var workKey: String {
        "/works/OL9\(Self.digits(11, of: "\(workTitle)\u{0}\(authors.first ?? "")"))W"
    }

    static func authorKey(_ name: String) -> String { "/authors/OL9\(digits(7, of: name))A" }

    var coverID: Int { 10_000_000 + Int(StableHash.of("cover \(isbn.isbn13)") % 5_000_000) }

    /// Twelve characters from the alphabet of Google's volume IDs.
    var volumeID: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var hash = StableHash.of("volume \(isbn.isbn13)")
        var id = ""
        for _ in 0..<8 {
            id.append(alphabet[Int(hash % 64)])
            hash /= 64
        }
        return id + "AAAJ"
    }

    private static func digits(_ count: Int, of text: String) -> String {
        let digits = String(StableHash.of(text))
        return String(digits.suffix(count))
    }
}

/// FNV-1a, 64 bits: the same number for the same text in every process, unlike `Hasher`.
enum StableHash {
    static func of(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
