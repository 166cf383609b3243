/// A book as ISBNdb sends it: one edition.
struct ISBNdbBook {
    let title: String?
    /// The title with its subtitle.
    let longTitle: String?
    let authors: [String]
    let isbns: [String]
    let publisher: String?
    /// Text, or a year as a number.
    let publishedDate: String?
    let pages: Int?
    let language: String?
    let binding: String?
    let edition: String?
    let image: String?
    let synopsis: String?
    let overview: String?
    let subjects: [String]

    init(_ node: JSONNode) {
        title = node["title"]?.string
        longTitle = node["title_long"]?.string
        authors = node.texts("authors")
        isbns = [node["isbn13"], node["isbn"], node["isbn10"]].compactMap { $0?.string }
        publisher = node["publisher"]?.string
        publishedDate = Self.date(node["date_published"]) ?? Self.date(node["publish_date"])
        pages = node["pages"]?.int
        language = node["language"]?.string
        binding = node["binding"]?.string
        edition = node["edition"]?.string
        image = node["image"]?.string
        synopsis = node["synopsis"]?.string
        overview = node["overview"]?.string
        subjects = node.texts("subjects")
    }

    private static func date(_ node: JSONNode?) -> String? { node?.string ?? node?.int.map { String($0) } }
}
