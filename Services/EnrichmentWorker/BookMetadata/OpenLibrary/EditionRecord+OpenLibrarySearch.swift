import BookIdentifiers
import BookstrackContract

extension EditionRecord {
    /// Normalises the edition that a search nests in its work; `nil` without an edition key.
    init?(_ edition: OpenLibrarySearchEdition, of workKey: String) {
        guard let key = edition.key.flatMap(OpenLibraryEntry.identifier) else { return nil }
        self.init(provider: .openLibrary)
        title = ProviderDocument.line(edition.title)
        subtitle = ProviderDocument.line(edition.subtitle)
        isbns = edition.isbns.compactMap(ISBN.init).uniqued()
        publisher = edition.publishers.lazy.compactMap(ProviderDocument.line).first
        publicationDate = edition.publishDates.lazy.compactMap(PublicationDate.normalise).first
        language = edition.languages.lazy.compactMap { LanguageCode.iso6391($0) }.first
        format = edition.formats.lazy.compactMap(BookFormat.from).first
        cover = edition.coverID.flatMap(CoverImage.openLibrary(id:))
        workKeys = [workKey]
        identifiers.openLibraryEdition = key
    }
}
