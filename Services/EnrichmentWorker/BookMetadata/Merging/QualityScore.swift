import BookstrackContract

/// The completeness of a merged record: ISBNdb's rule for every provider (spec/04 "Mapping").
enum QualityScore {
    private static let shortestSynopsis = 50

    static func of(_ book: EnrichedMetadata) -> Int {
        let edition = book.edition
        let hasImage = book.work.coverImageURL != nil || edition?.coverImageURL != nil
        let synopsis = max(book.work.description?.count ?? 0, edition?.editionDescription?.count ?? 0)
        return 50 + (hasImage ? 20 : 0) + (synopsis > shortestSynopsis ? 10 : 0) + (edition?.pageCount != nil ? 5 : 0)
            + (edition?.publisher != nil ? 5 : 0) + (book.work.subjectTags.isEmpty ? 0 : 5)
            + (book.authors.isEmpty ? 0 : 5)
    }
}
