/// An edition as Open Library sends it: the record of `/books/…`, `/isbn/…` and `jscmd=details`, or `jscmd=data`.
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
    /// ISO 639-1 codes.
    let languages: [String]
    /// ISO 639-1 codes.
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

    /// A text that Open Library writes either as a string or as `{"type": "/type/text", "value": …}`.
    static func text(_ node: JSONNode?) -> String? { node?.string ?? node?["value"]?.string }

    /// The title with the article that old records keep apart: `"title_prefix": "The ", "title": "idiot"`.
    static func title(_ title: String?, after prefix: String?) -> String? {
        guard let title, let prefix, !prefix.isEmpty else { return title }
        let isElided = prefix.hasSuffix("'") || prefix.hasSuffix("’") || prefix.hasSuffix(" ")
        return prefix + (isElided ? "" : " ") + title
    }

    /// The code of a reference such as `{"key": "/languages/eng"}`.
    private static func language(_ node: JSONNode) -> String? {
        node["key"]?.string.flatMap { LanguageCode.iso6391(openLibraryKey: $0) }
    }
}
