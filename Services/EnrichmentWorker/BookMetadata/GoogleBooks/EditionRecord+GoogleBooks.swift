import BookstrackContract
import BookIdentifiers

extension EditionRecord {
    /// Normalises a volume of Google Books (spec/04 "Mapping").
    init(_ volume: GoogleVolume) {
        let info = volume.info
        self.init(provider: .googleBooks)
        title = ProviderDocument.line(info.title)
        subtitle = ProviderDocument.line(info.subtitle)
        authors = AuthorCredit.unique(info.authors.compactMap { AuthorCredit(name: $0) })
        isbns = info.identifiers.filter { $0.type == "ISBN_13" || $0.type == "ISBN_10" }
            .compactMap { ISBN($0.identifier) }.uniqued()
        publisher = ProviderDocument.line(info.publisher)
        publicationDate = info.publishedDate.flatMap(PublicationDate.normalise)
        pageCount = ProviderDocument.pageCount(info.pageCount)
        language = info.language.flatMap { LanguageCode.iso6391($0) }
        format = volume.isEbook == true ? .ebook : nil
        cover = info.imageLinks.flatMap { links in
            links.address.flatMap { CoverImage.google($0, hasLargerRenditions: links.hasLargerRenditions) }
        }
        description = info.description.flatMap(PlainText.from)
        subjects = info.categories
        identifiers.googleVolumes = volume.id.map { [$0] } ?? []
    }
}
