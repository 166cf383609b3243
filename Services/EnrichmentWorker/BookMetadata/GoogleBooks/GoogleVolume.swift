import BookIdentifiers
import BookstrackContract
import JSON

/// A volume as sent by Google Books (https://developers.google.com/books/docs/v1/reference/volumes).
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
    /// The URL of a thumbnail; the URL of a larger rendition is derived from it.
    let thumbnail: String?
    /// Whether the provider states that it has images larger than thumbnails; search responses never state this.
    let hasLargerImages: Bool
    /// Whether an e-book of the volume is on sale; this does not mean that this edition is an e-book.
    let hasEbookOnSale: Bool

    /// `nil` if the node is not a volume.
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

extension EditionRecord {
    /// Normalizes a Google Books volume (metadata.md "Mapping").
    init(_ volume: GoogleVolume) {
        self.init(provider: .googleBooks)
        title = ProviderDocument.line(volume.title)
        subtitle = ProviderDocument.line(volume.subtitle)
        authors = AuthorCredit.unique(volume.authors.compactMap { AuthorCredit(name: $0) })
        isbns = volume.isbns.compactMap { ISBN($0) }.uniqued()
        publisher = ProviderDocument.line(volume.publisher)
        publicationDate = volume.publishedDate.flatMap(PublicationDate.normalize)
        pageCount = ProviderDocument.pageCount(volume.pageCount)
        language = volume.language.flatMap { LanguageCode.iso6391($0) }
        // A volume with an ISBN or a page count may be a printed book whose e-book is also on sale. `printType` separates only books from magazines.
        format = volume.hasEbookOnSale && volume.isbns.isEmpty && pageCount == nil ? .ebook : nil
        cover = volume.thumbnail.flatMap {
            CoverImage.google($0, hasLargerRenditions: volume.hasLargerImages)
        }
        description = volume.description.flatMap(PlainText.from)
        subjects = volume.categories
        identifiers.googleVolumes = [volume.id].compactMap(\.self).filter(EditionIdentifiers.admits)
    }
}
