import BookIdentifiers
import BookstrackContract
import JSON

/// An edition as sent by Open Library: the record in `/books/…`, `/isbn/…`, lists of editions and `jscmd=details`, or in `jscmd=data`.
struct OpenLibraryEdition {
    let key: String?
    let title: String?
    let subtitle: String?
    let editionName: String?
    let authors: [OpenLibraryEntry]
    let works: [OpenLibraryEntry]
    let isbns: [String]
    let publishers: [OpenLibraryEntry]
    let publishDate: String?
    let numberOfPages: Int?
    let pagination: String?
    /// The languages of the edition, as ISO 639-1 codes.
    let languages: [String]
    /// The languages from which the edition was translated, as ISO 639-1 codes.
    let translatedFrom: [String]
    let physicalFormat: String?
    let covers: [Int]
    let coverAddress: String?
    let description: String?
    let subjects: [OpenLibraryEntry]
    let identifiers: OpenLibraryIdentifiers

    init(_ node: JSONNode) {
        key = node["key"]?.string
        title = Self.title(node["title"]?.string, after: node["title_prefix"]?.string)
        subtitle = node["subtitle"]?.string
        editionName = node["edition_name"]?.string
        authors = node.list("authors", OpenLibraryEntry.init)
        works = node.list("works", OpenLibraryEntry.init)
        identifiers = OpenLibraryIdentifiers(node["identifiers"])
        isbns = node.strings("isbn_13") + node.strings("isbn_10") + identifiers.isbns
        publishers = node.list("publishers", OpenLibraryEntry.init)
        publishDate = node["publish_date"]?.string
        numberOfPages = node["number_of_pages"]?.int
        pagination = node["pagination"]?.string
        languages = node.list("languages", Self.language)
        translatedFrom = node.list("translated_from", Self.language)
        physicalFormat = node["physical_format"]?.string
        covers = node.list("covers", \.int)
        coverAddress = node["cover"]?["large"]?.string
        description = Self.text(node["description"])
        subjects = node.list("subjects", OpenLibraryEntry.init)
    }

    /// Text that Open Library sends either as a string or as `{"type": "/type/text", "value": …}`.
    static func text(_ node: JSONNode?) -> String? { node?.string ?? node?["value"]?.string }

    /// The title with the article that old records store separately: `"title_prefix": "The ", "title": "idiot"`.
    static func title(_ title: String?, after prefix: String?) -> String? {
        guard let title, let prefix, !prefix.isEmpty else { return title }
        let isElided = prefix.last.map { "'’ ".contains($0) } ?? false
        return prefix + (isElided ? "" : " ") + title
    }

    /// The ISO 639-1 code for a reference such as `{"key": "/languages/eng"}`.
    private static func language(_ node: JSONNode) -> String? {
        node["key"]?.string.flatMap { LanguageCode.iso6391(openLibraryKey: $0) }
    }
}

/// The `identifiers` object of an edition or a work.
struct OpenLibraryIdentifiers {
    let goodreads: [String]
    let librarything: [String]
    let amazon: [String]
    let google: [String]
    let openLibrary: [String]
    let isbns: [String]

    init(_ node: JSONNode?) {
        func list(_ name: StaticString) -> [String] {
            node?.strings(name, limit: EditionIdentifiers.limit).filter(EditionIdentifiers.admits) ?? []
        }
        goodreads = list("goodreads")
        librarything = list("librarything")
        amazon = list("amazon")
        google = list("google")
        openLibrary = list("openlibrary")
        isbns = list("isbn_13") + list("isbn_10")
    }
}

extension EditionRecord {
    /// Normalizes an Open Library edition (metadata.md "Mapping").
    init(_ edition: OpenLibraryEdition) {
        self.init(provider: .openLibrary)
        title = ProviderDocument.line(edition.title)
        subtitle = ProviderDocument.line(edition.subtitle)
        editionTitle = ProviderDocument.line(edition.editionName)
        authors = AuthorCredit.unique(
            edition.authors.compactMap { entry in
                entry.name.flatMap { AuthorCredit(name: $0, openLibraryKey: entry.key) }
            })
        authorKeys = edition.authors.filter { $0.name == nil }.compactMap(\.key).uniqued()
        isbns = edition.isbns.compactMap(ISBN.init).uniqued()
        publisher = edition.publishers.lazy.compactMap { ProviderDocument.line($0.name) }.first
        publicationDate = edition.publishDate.flatMap(PublicationDate.normalize)
        pageCount = ProviderDocument.pageCount(edition.numberOfPages ?? edition.pagination.flatMap(Self.pages))
        language = edition.languages.first
        originalLanguage = edition.translatedFrom.first
        format = edition.physicalFormat.flatMap(BookFormat.from)
        cover =
            edition.covers.lazy.compactMap(CoverImage.openLibrary(id:)).first
            ?? edition.coverAddress.flatMap(CoverImage.openLibrary(address:))
        description = edition.description.flatMap(PlainText.from)
        subjects = edition.subjects.compactMap(\.name)
        workKeys = edition.works.compactMap(\.key).uniqued()
        identifiers = EditionIdentifiers(edition)
    }

    /// The page count in "xii, 159 p. :", which is the number before the `p`, `pp` or `pages`.
    private static func pages(in pagination: String) -> Int? {
        let words = pagination.cut(to: 100).split { !$0.isLetter && !$0.isNumber }
        guard let unit = words.firstIndex(where: { ["p", "pp", "pages"].contains($0.lowercased()) }), unit > 0 else {
            return nil
        }
        return Int(words[unit - 1])
    }
}

extension EditionIdentifiers {
    fileprivate init(_ edition: OpenLibraryEdition) {
        let stated = edition.identifiers
        openLibraryEdition = edition.key.flatMap(OpenLibraryEntry.identifier) ?? stated.openLibrary.first
        goodreads = stated.goodreads.uniqued()
        librarything = stated.librarything.uniqued()
        amazon = stated.amazon.uniqued()
        googleVolumes = stated.google.uniqued()
    }
}
