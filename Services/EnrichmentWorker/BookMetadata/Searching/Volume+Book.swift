import BookstrackContract

extension Volume {
    init(_ book: EnrichedMetadata, isDatedByWork: Bool) {
        let (work, edition) = (book.work, book.edition)
        var info = VolumeInfo(title: work.title)
        info.authors = book.authors.isEmpty ? nil : book.authors.map(\.name)
        info.publisher = edition?.publisher
        let ofWork = work.firstPublicationYear.map { String($0) }
        info.publishedDate = isDatedByWork ? ofWork ?? edition?.publicationDate : edition?.publicationDate ?? ofWork
        info.description = work.description ?? edition?.editionDescription
        info.industryIdentifiers = Self.identifiers(edition?.isbns ?? [])
        info.pageCount = edition?.pageCount
        info.categories = work.subjectTags.isEmpty ? nil : work.subjectTags
        info.imageLinks = (edition?.coverImageURL ?? work.coverImageURL).map(VolumeInfo.ImageLinks.init)
        info.language = edition?.language ?? work.originalLanguage
        let id =
            edition?.googleBooksVolumeID ?? work.googleBooksVolumeID ?? edition?.openLibraryID ?? work.openLibraryID
        self.init(id: id ?? edition?.isbn ?? work.title, volumeInfo: info)
    }

    private static func identifiers(_ isbns: [String]) -> [VolumeInfo.Identifier]? {
        guard !isbns.isEmpty else { return nil }
        return isbns.map { .init(type: $0.count == 13 ? "ISBN_13" : "ISBN_10", identifier: $0) }
    }
}
