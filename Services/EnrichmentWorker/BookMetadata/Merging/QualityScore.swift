import BookstrackContract

/// The completeness of a merged record, calculated with ISBNdb's rule for every provider (metadata.md "Mapping").
struct QualityScore {
    /// Minimum length, in characters, of a synopsis that counts toward the score.
    private static let minSynopsisLength = 51

    private var value = 50

    /// The score of a book: work and edition together.
    static func of(_ book: EnrichedMetadata) -> Int {
        var score = QualityScore()
        score.add(20, if: book.work.coverImageURL != nil || book.edition?.coverImageURL != nil)
        score.add(10, if: isSynopsis(book.work.description) || isSynopsis(book.edition?.editionDescription))
        score.add(5, if: book.edition?.pageCount != nil)
        score.add(5, if: book.edition?.publisher != nil)
        score.add(5, if: !book.work.subjectTags.isEmpty)
        score.add(5, if: !book.authors.isEmpty)
        return score.value
    }

    /// The score of an edition alone. Its subjects and authors are taken from the records that were merged into it.
    static func of(_ edition: EditionDTO, records: [EditionRecord]) -> Int {
        var score = QualityScore()
        score.add(20, if: edition.coverImageURL != nil)
        score.add(10, if: isSynopsis(edition.editionDescription))
        score.add(5, if: edition.pageCount != nil)
        score.add(5, if: edition.publisher != nil)
        score.add(5, if: records.contains { !$0.subjects.isEmpty })
        score.add(5, if: records.contains { !$0.authors.isEmpty || !$0.authorKeys.isEmpty })
        return score.value
    }

    private mutating func add(_ points: Int, if condition: Bool) {
        if condition { value += points }
    }

    private static func isSynopsis(_ text: String?) -> Bool {
        text?.prefix(minSynopsisLength).count == minSynopsisLength
    }
}
