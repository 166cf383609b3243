/// The `identifiers` object of an edition.
struct OpenLibraryIdentifiers: Decodable {
    let goodreads: [String]
    let librarything: [String]
    let amazon: [String]
    let google: [String]
    let openLibrary: [String]
    let isbns: [String]

    private enum CodingKeys: String, CodingKey {
        case goodreads, librarything, amazon, google, openlibrary
        case isbn10 = "isbn_10"
        case isbn13 = "isbn_13"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let limit = EditionIdentifiers.limit
        goodreads = fields.list(.goodreads, limit: limit)
        librarything = fields.list(.librarything, limit: limit)
        amazon = fields.list(.amazon, limit: limit)
        google = fields.list(.google, limit: limit)
        openLibrary = fields.list(.openlibrary, limit: limit)
        isbns = fields.list(.isbn13, limit: limit) + fields.list(.isbn10, limit: limit)
    }
}
