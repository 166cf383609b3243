import BookIdentifiers
import BookstrackContract
import JSON

/// A work as sent by `search.json`; which fields are present depends on the request's `fields`.
struct OpenLibrarySearchDocument {
    /// Maximum number of ISBNs read per work; the Bible has more.
    private static let maxISBNs = 5_000

    let key: String?
    let title: String?
    let subtitle: String?
    let authorNames: [String]
    let authorKeys: [String]
    let firstPublishYear: Int?
    let isbns: [String]
    let coverID: Int?
    let coverEditionKey: String?
    let subjects: [String]
    let bestEdition: OpenLibrarySearchEdition?

    init(_ node: JSONNode) {
        key = node["key"]?.string
        title = node["title"]?.string
        subtitle = node["subtitle"]?.string
        authorNames = node.strings("author_name")
        authorKeys = node.strings("author_key")
        firstPublishYear = node["first_publish_year"]?.int
        isbns = node.strings("isbn", limit: Self.maxISBNs)
        coverID = node["cover_i"]?.int
        coverEditionKey = node["cover_edition_key"]?.string
        subjects = node.strings("subject")
        bestEdition = node["editions"]?.list("docs", limit: 1, OpenLibrarySearchEdition.init).first
    }
}

/// The edition of a work that best matches a search; `search.json` nests it in the work if `fields` includes `editions`.
struct OpenLibrarySearchEdition {
    let key: String?
    let title: String?
    let subtitle: String?
    let isbns: [String]
    let publishers: [String]
    let publishDates: [String]
    let languages: [String]
    let coverID: Int?
    let formats: [String]

    init(_ node: JSONNode) {
        key = node["key"]?.string
        title = node["title"]?.string
        subtitle = node["subtitle"]?.string
        isbns = node.texts("isbn")
        publishers = node.texts("publisher")
        publishDates = node.texts("publish_date")
        languages = node.texts("language")
        coverID = node["cover_i"]?.int
        formats = node.texts("format")
    }
}

extension EditionRecord {
    /// Normalizes the edition nested in a search result's work; `nil` without an edition key.
    init?(_ edition: OpenLibrarySearchEdition, of workKey: String) {
        guard let key = edition.key.flatMap(OpenLibraryEntry.identifier) else { return nil }
        self.init(provider: .openLibrary)
        title = ProviderDocument.line(edition.title)
        subtitle = ProviderDocument.line(edition.subtitle)
        isbns = edition.isbns.compactMap(ISBN.init).uniqued()
        publisher = edition.publishers.lazy.compactMap(ProviderDocument.line).first
        publicationDate = edition.publishDates.lazy.compactMap(PublicationDate.normalize).first
        language = edition.languages.lazy.compactMap { LanguageCode.iso6391($0) }.first
        format = edition.formats.lazy.compactMap(BookFormat.from).first
        cover = edition.coverID.flatMap(CoverImage.openLibrary(id:))
        workKeys = [workKey]
        identifiers.openLibraryEdition = key
    }
}
