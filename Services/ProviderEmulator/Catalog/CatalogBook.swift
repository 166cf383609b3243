import BookIdentifiers

/// The facts that the emulator knows about one edition. All providers' documents are generated from them.
struct CatalogBook: Sendable {
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
    var subtitle: String?
    let authors: [String]
    /// Year of the work's first publication; negative for BCE.
    var firstPublished: Int?
    /// The edition's date: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
    var published: String?
    var publisher: String?
    var pages: Int?
    var format: Format?
    var language: CatalogLanguage?
    var subjects: [String] = []
    var series: String?
    /// The work's title if it differs from the edition's; editions with the same work title and first author share a work.
    var work: String?
    var about: String?
    var hasCover = false
    var withheld: [Provider: Set<Field>] = [:]
    var knownTo = Provider.catalogs

    var workTitle: String { work ?? title }

    /// The book with the facts known to `provider`.
    func known(to provider: Provider) -> CatalogBook {
        var book = self
        for field in withheld[provider] ?? [] {
            switch field {
            case .pages: book.pages = nil
            case .publisher: book.publisher = nil
            case .about: book.about = nil
            case .cover: book.hasCover = false
            case .dayOfPublication: book.published = published.map { String($0.prefix(4)) }
            }
        }
        return book
    }
}

/// Identifiers in the providers' formats. They are derived from the facts, so they are the same in every run. They differ from the real
/// providers' identifiers.
extension CatalogBook {
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
