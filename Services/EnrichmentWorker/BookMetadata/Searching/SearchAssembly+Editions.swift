package import BookstrackContract

extension SearchAssembly {
    /// The editions of one work, most complete first and of equals the newest first.
    ///
    /// Title and author decide what belongs to the work. Open Library's editions name their authors by key only and may be
    /// translations; they belong to it when one of its editions agrees and they are of the same work.
    ///
    /// - Parameter limit: Most editions of the answer.
    package static func editions(
        title: String, author: String?, openLibrary: EditionPage = .none, googleBooks: [EditionRecord] = [],
        isbndb: [EditionRecord] = [], limit: Int
    ) -> EditionResults {
        let question = SearchQuestion(title: title, author: author)
        let workKeys = Set(
            openLibrary.editions.filter { question.score(BookForms(.edition($0))) >= TitleMatch.needsReview }.flatMap(
                \.workKeys))
        let ofWork = openLibrary.editions.filter { !workKeys.isDisjoint(with: $0.workKeys) }
        let others = (googleBooks + isbndb).filter { question.score(BookForms(.edition($0))) >= TitleMatch.verified }
        let editions = EditionGroups.grouping(ofWork + others).map { records in
            EditionMerge(records: records, primary: records[0].provider).edition()
        }
        let sorted = editions.enumerated().sorted { first, second in
            order(first.element, second.element) ?? (first.offset < second.offset)
        }.map(\.element)
        let total = ofWork.isEmpty ? 0 : openLibrary.total
        return EditionResults(editions: Array(sorted.prefix(limit)), totalResults: max(total, editions.count))
    }

    /// Whether one edition comes before another; `nil` for equals.
    private static func order(_ one: EditionDTO, _ other: EditionDTO) -> Bool? {
        if one.isbndbQuality != other.isbndbQuality { return one.isbndbQuality > other.isbndbQuality }
        let (ours, theirs) = (one.publicationDate ?? "", other.publicationDate ?? "")
        return ours == theirs ? nil : ours > theirs
    }
}
