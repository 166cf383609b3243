import BookIdentifiers
import BookstrackContract

extension EditionRecord {
    /// Normalises an edition of Open Library (metadata.md "Mapping").
    init(_ edition: OpenLibraryEdition) {
        self.init(provider: .openLibrary)
        title = ProviderDocument.line(edition.title)
        subtitle = ProviderDocument.line(edition.subtitle)
        editionTitle = ProviderDocument.line(edition.editionName)
        authors = AuthorCredit.unique(
            edition.authors.compactMap { entry in
                entry.name.flatMap { AuthorCredit(name: $0, openLibraryKey: entry.key) }
            })
        authorKeys = edition.authors.filter { $0.name == nil }.compactMap(\.key).uniqued()
        isbns = edition.isbns.compactMap(ISBN.init).uniqued()
        publisher = edition.publishers.lazy.compactMap { ProviderDocument.line($0.name) }.first
        publicationDate = edition.publishDate.flatMap(PublicationDate.normalise)
        pageCount = ProviderDocument.pageCount(edition.numberOfPages ?? edition.pagination.flatMap(Self.pages))
        language = edition.languages.first
        originalLanguage = edition.translatedFrom.first
        format = edition.physicalFormat.flatMap(BookFormat.from)
        cover =
            edition.covers.lazy.compactMap(CoverImage.openLibrary(id:)).first
            ?? edition.coverAddress.flatMap(CoverImage.openLibrary(address:))
        description = edition.description.flatMap(PlainText.from)
        subjects = edition.subjects.compactMap(\.name)
        workKeys = edition.works.compactMap(\.key).uniqued()
        identifiers = EditionIdentifiers(edition)
    }

    /// The pages in "xii, 159 p. :", the number before the `p`.
    private static func pages(in pagination: String) -> Int? {
        let words = pagination.prefix(100).split { !$0.isLetter && !$0.isNumber }
        guard let unit = words.firstIndex(where: { ["p", "pp", "pages"].contains($0.lowercased()) }), unit > 0 else {
            return nil
        }
        return Int(words[unit - 1])
    }
}

extension EditionIdentifiers {
    fileprivate init(_ edition: OpenLibraryEdition) {
        let stated = edition.identifiers
        openLibraryEdition = edition.key.flatMap(OpenLibraryEntry.identifier) ?? stated.openLibrary.first
        goodreads = stated.goodreads.uniqued()
        librarything = stated.librarything.uniqued()
        amazon = stated.amazon.uniqued()
        googleVolumes = stated.google.uniqued()
    }
}
