/// The edition of a work that matches a search best, as `search.json` nests it in the work when `fields` asks for `editions`.
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
