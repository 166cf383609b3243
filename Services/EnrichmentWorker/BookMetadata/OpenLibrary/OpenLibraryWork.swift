/// A work as `/works/OL…W.json` and the works dump send it.
struct OpenLibraryWork: Decodable {
    let key: String
    let title: String?
    let subtitle: String?
    let authors: [OpenLibraryEntry]
    let firstPublishDate: String?
    let covers: [Int]
    let description: String?
    let subjects: [OpenLibraryEntry]

    private enum CodingKeys: String, CodingKey {
        case key, title, subtitle, authors, covers, description, subjects
        case firstPublishDate = "first_publish_date"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        key = try fields.decode(String.self, forKey: .key)
        title = fields.lenient(.title)
        subtitle = fields.lenient(.subtitle)
        authors = fields.list(.authors)
        firstPublishDate = fields.lenient(.firstPublishDate)
        covers = fields.list(.covers)
        description = fields.lenient(.description, as: OpenLibraryText.self)?.value
        subjects = fields.list(.subjects)
    }
}
