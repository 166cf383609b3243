/// An edition as Open Library sends it: the record of `/books/…`, `/isbn/…` and `jscmd=details`, or `jscmd=data`.
struct OpenLibraryEdition: Decodable {
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
    let languages: [OpenLibraryLanguage]
    let translatedFrom: [OpenLibraryLanguage]
    let physicalFormat: String?
    let covers: [Int]
    let coverAddress: String?
    let description: String?
    let subjects: [OpenLibraryEntry]
    let identifiers: OpenLibraryIdentifiers?

    private enum CodingKeys: String, CodingKey {
        case key, title, subtitle, authors, works, publishers, pagination, languages, covers, cover, description
        case subjects, identifiers
        case editionName = "edition_name"
        case isbn10 = "isbn_10"
        case isbn13 = "isbn_13"
        case publishDate = "publish_date"
        case numberOfPages = "number_of_pages"
        case translatedFrom = "translated_from"
        case physicalFormat = "physical_format"
    }

    private struct Cover: Decodable {
        let large: String
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        key = fields.lenient(.key)
        title = fields.lenient(.title)
        subtitle = fields.lenient(.subtitle)
        editionName = fields.lenient(.editionName)
        authors = fields.list(.authors)
        works = fields.list(.works)
        identifiers = fields.lenient(.identifiers)
        isbns = fields.list(.isbn13) + fields.list(.isbn10) + (identifiers?.isbns ?? [])
        publishers = fields.list(.publishers)
        publishDate = fields.lenient(.publishDate)
        numberOfPages = fields.lenient(.numberOfPages)
        pagination = fields.lenient(.pagination)
        languages = fields.list(.languages)
        translatedFrom = fields.list(.translatedFrom)
        physicalFormat = fields.lenient(.physicalFormat)
        covers = fields.list(.covers)
        coverAddress = fields.lenient(.cover, as: Cover.self)?.large
        description = fields.lenient(.description, as: OpenLibraryText.self)?.value
        subjects = fields.list(.subjects)
    }
}

/// A reference such as `{"key": "/languages/eng"}`.
struct OpenLibraryLanguage: Decodable {
    let key: String

    /// The ISO 639-1 code, where the language has one.
    var code: String? { LanguageCode.iso6391(openLibraryKey: key) }
}
