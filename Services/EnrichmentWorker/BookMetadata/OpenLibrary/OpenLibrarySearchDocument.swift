/// A work as `search.json` sends it; which fields are present depends on the request's `fields`.
struct OpenLibrarySearchDocument {
    /// Most ISBNs looked at per work; the Bible has more.
    private static let mostISBNs = 5_000

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
    let languages: [String]
    let medianPageCount: Int?
    let bestEdition: OpenLibrarySearchEdition?

    init(_ node: JSONNode) {
        key = node["key"]?.string
        title = node["title"]?.string
        subtitle = node["subtitle"]?.string
        authorNames = node.strings("author_name")
        authorKeys = node.strings("author_key")
        firstPublishYear = node["first_publish_year"]?.int
        isbns = node.strings("isbn", limit: Self.mostISBNs)
        coverID = node["cover_i"]?.int
        coverEditionKey = node["cover_edition_key"]?.string
        subjects = node.strings("subject")
        languages = node.strings("language")
        medianPageCount = node["number_of_pages_median"]?.int
        bestEdition = node["editions"]?.list("docs", limit: 1, OpenLibrarySearchEdition.init).first
    }
}
