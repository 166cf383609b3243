/// A volume as Google Books sends it (https://developers.google.com/books/docs/v1/reference/volumes).
struct GoogleVolume {
    let id: String?
    let title: String?
    let subtitle: String?
    let authors: [String]
    let publisher: String?
    let publishedDate: String?
    let description: String?
    /// Identifiers of the types ISBN_13 and ISBN_10; ISSN and OTHER are ignored (metadata.md "Mapping").
    let isbns: [String]
    let pageCount: Int?
    let categories: [String]
    let language: String?
    /// The address of a thumbnail, from which that of a larger rendition is derived.
    let thumbnail: String?
    /// Whether the provider says that it has more than thumbnails; searches never say so.
    let hasLargerImages: Bool
    /// Whether an e-book of it is on sale, which says nothing about this edition.
    let hasEbookOnSale: Bool

    /// `nil` when the node is no volume.
    init?(_ node: JSONNode) {
        guard let info = node["volumeInfo"], info.isObject else { return nil }
        id = node["id"]?.string
        title = info["title"]?.string
        subtitle = info["subtitle"]?.string
        authors = info.strings("authors")
        publisher = info["publisher"]?.string
        publishedDate = info["publishedDate"]?.string
        description = info["description"]?.string
        isbns = info.list("industryIdentifiers") { identifier in
            let type = identifier["type"]?.string
            return type == "ISBN_13" || type == "ISBN_10" ? identifier["identifier"]?.string : nil
        }
        pageCount = info["pageCount"]?.int
        categories = info.strings("categories")
        language = info["language"]?.string
        let images = info["imageLinks"]
        thumbnail = images?["thumbnail"]?.string ?? images?["smallThumbnail"]?.string
        hasLargerImages = images?["medium"] != nil || images?["large"] != nil || images?["extraLarge"] != nil
        hasEbookOnSale = node["saleInfo"]?["isEbook"]?.bool ?? false
    }
}
