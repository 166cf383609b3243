/// A work as `search.json` sends it; which fields are present depends on the request's `fields`.
struct OpenLibrarySearchDocument: Decodable {
    /// Most ISBNs looked at per work; the Bible has more.
    private static let mostISBNs = 5_000

    let key: String
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

    private enum CodingKeys: String, CodingKey {
        case key, title, subtitle, isbn, subject, language
        case authorNames = "author_name"
        case authorKeys = "author_key"
        case firstPublishYear = "first_publish_year"
        case coverID = "cover_i"
        case coverEditionKey = "cover_edition_key"
        case medianPageCount = "number_of_pages_median"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        key = try fields.decode(String.self, forKey: .key)
        title = fields.lenient(.title)
        subtitle = fields.lenient(.subtitle)
        authorNames = fields.list(.authorNames)
        authorKeys = fields.list(.authorKeys)
        firstPublishYear = fields.lenient(.firstPublishYear)
        isbns = fields.list(.isbn, limit: Self.mostISBNs)
        coverID = fields.lenient(.coverID)
        coverEditionKey = fields.lenient(.coverEditionKey)
        subjects = fields.list(.subject)
        languages = fields.list(.language)
        medianPageCount = fields.lenient(.medianPageCount)
    }
}
