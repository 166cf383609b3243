/// A volume as Google Books sends it (https://developers.google.com/books/docs/v1/reference/volumes).
struct GoogleVolume: Decodable {
    let id: String?
    let info: Info
    let isEbook: Bool?

    private enum CodingKeys: String, CodingKey {
        case id
        case info = "volumeInfo"
        case saleInfo
    }

    private struct SaleInfo: Decodable {
        let isEbook: Bool?
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = fields.lenient(.id)
        info = try fields.decode(Info.self, forKey: .info)
        isEbook = fields.lenient(.saleInfo, as: SaleInfo.self)?.isEbook
    }

    struct Info: Decodable {
        let title: String?
        let subtitle: String?
        let authors: [String]
        let publisher: String?
        let publishedDate: String?
        let description: String?
        let identifiers: [Identifier]
        let pageCount: Int?
        let categories: [String]
        let imageLinks: ImageLinks?
        let language: String?

        private enum CodingKeys: String, CodingKey {
            case title, subtitle, authors, publisher, publishedDate, description, pageCount, categories, imageLinks
            case language
            case identifiers = "industryIdentifiers"
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            title = fields.lenient(.title)
            subtitle = fields.lenient(.subtitle)
            authors = fields.list(.authors)
            publisher = fields.lenient(.publisher)
            publishedDate = fields.lenient(.publishedDate)
            description = fields.lenient(.description)
            identifiers = fields.list(.identifiers)
            pageCount = fields.lenient(.pageCount)
            categories = fields.list(.categories)
            imageLinks = fields.lenient(.imageLinks)
            language = fields.lenient(.language)
        }
    }

    /// `type` is ISBN_10, ISBN_13, ISSN or OTHER.
    struct Identifier: Decodable {
        let type: String
        let identifier: String
    }

    struct ImageLinks: Decodable {
        private let thumbnail: String?
        private let smallThumbnail: String?
        /// Whether the provider says that it has more than thumbnails; searches never say so.
        let hasLargerRenditions: Bool

        /// The address to derive a larger rendition from.
        var address: String? { thumbnail ?? smallThumbnail }

        private enum CodingKeys: CodingKey {
            case thumbnail, smallThumbnail, medium, large, extraLarge
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            thumbnail = fields.lenient(.thumbnail)
            smallThumbnail = fields.lenient(.smallThumbnail)
            hasLargerRenditions = fields.contains(.medium) || fields.contains(.large) || fields.contains(.extraLarge)
        }
    }
}
