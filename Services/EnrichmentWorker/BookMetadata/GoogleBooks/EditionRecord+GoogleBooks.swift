import BookIdentifiers
import BookstrackContract

extension EditionRecord {
    /// Normalises a volume of Google Books (metadata.md "Mapping").
    init(_ volume: GoogleVolume) {
        self.init(provider: .googleBooks)
        title = ProviderDocument.line(volume.title)
        subtitle = ProviderDocument.line(volume.subtitle)
        authors = AuthorCredit.unique(volume.authors.compactMap { AuthorCredit(name: $0) })
        isbns = volume.isbns.compactMap { ISBN($0) }.uniqued()
        publisher = ProviderDocument.line(volume.publisher)
        publicationDate = volume.publishedDate.flatMap(PublicationDate.normalise)
        pageCount = ProviderDocument.pageCount(volume.pageCount)
        language = volume.language.flatMap { LanguageCode.iso6391($0) }
        // What has a number or pages is printed, whether or not its e-book is on sale as well. `printType` knows books and magazines only.
        format = volume.hasEbookOnSale && volume.isbns.isEmpty && pageCount == nil ? .ebook : nil
        cover = volume.thumbnail.flatMap {
            CoverImage.google($0, hasLargerRenditions: volume.hasLargerImages)
        }
        description = volume.description.flatMap(PlainText.from)
        subjects = volume.categories
        identifiers.googleVolumes = volume.id.map { [$0] } ?? []
    }
}
