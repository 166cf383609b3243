// The questions sent to Wikidata (metadata.md "Authors").
extension Question {
    /// Wikidata's facts about an author.
    package static func author(_ query: AuthorQuery) -> Question { Question(.author, .author(query)) }
}

extension QuestionKind {
    /// Authors share the requests for their items.
    fileprivate static let author = QuestionKind(
        "wikidata/author", label: .author, batch: RequestBatch(.wikidata, "authors", size: 10), lifetime: .author,
        isAddition: true, method: .authorSearches)
}
