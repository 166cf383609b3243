import BookstrackContract

extension WorkRecord {
    /// Normalises a work record; `nil` without a work key.
    init?(_ work: OpenLibraryWork) {
        guard let key = work.key.flatMap(OpenLibraryEntry.identifier) else { return nil }
        self.init(provider: .openLibrary, key: key)
        title = ProviderDocument.line(work.title)
        subtitle = ProviderDocument.line(work.subtitle)
        authors = AuthorCredit.unique(
            work.authors.compactMap { entry in
                entry.name.flatMap { AuthorCredit(name: $0, openLibraryKey: entry.key) }
            })
        authorKeys = work.authors.filter { $0.name == nil }.compactMap(\.key).uniqued()
        firstPublicationYear = work.firstPublishDate.flatMap(PublicationDate.year)
        cover = work.covers.lazy.compactMap(CoverImage.openLibrary(id:)).first
        description = work.description.flatMap(PlainText.from)
        subjects = work.subjects.compactMap(\.name)
        let identifiers = work.identifiers.goodreads.uniqued()
        if !identifiers.isEmpty { goodreadsIDs = identifiers }
    }

    /// Normalises a search result; `nil` without a work key.
    init?(_ document: OpenLibrarySearchDocument) {
        guard let key = document.key.flatMap(OpenLibraryEntry.identifier) else { return nil }
        self.init(provider: .openLibrary, key: key)
        title = ProviderDocument.line(document.title)
        subtitle = ProviderDocument.line(document.subtitle)
        // Names and keys are parallel lists; where their lengths differ, nothing says which belongs to which.
        let isParallel = document.authorNames.count == document.authorKeys.count
        authors = AuthorCredit.unique(
            document.authorNames.enumerated().compactMap { index, name in
                AuthorCredit(name: name, openLibraryKey: isParallel ? document.authorKeys[index] : nil)
            })
        firstPublicationYear = document.firstPublishYear
        cover = document.coverID.flatMap(CoverImage.openLibrary(id:))
        subjects = document.subjects
        languages = document.languages.compactMap { LanguageCode.iso6391($0) }.uniqued()
        medianPageCount = ProviderDocument.pageCount(document.medianPageCount)
        statedISBNs = document.isbns
        representativeEditionKey = document.coverEditionKey.flatMap(OpenLibraryEntry.identifier)
        bestEdition = document.bestEdition.flatMap { EditionRecord($0, of: key) }
    }
}
