import BookMetadata

/// How many records of a provider have each field, for the printed summary.
struct FieldCount: CustomStringConvertible {
    private var total = 0
    private var filled: [(name: String, count: Int)] = [
        "title", "subtitle", "authors", "isbns", "publisher", "date", "pages", "language", "format", "cover",
        "description", "subjects", "work keys",
    ].map { ($0, 0) }

    mutating func add(_ edition: EditionRecord) {
        let present = [
            edition.title != nil, edition.subtitle != nil, !edition.authors.isEmpty || !edition.authorKeys.isEmpty,
            !edition.isbns.isEmpty, edition.publisher != nil, edition.publicationDate != nil, edition.pageCount != nil,
            edition.language != nil, edition.format != nil, edition.cover != nil, edition.description != nil,
            !edition.subjects.isEmpty, !edition.workKeys.isEmpty,
        ]
        total += 1
        for (index, isPresent) in present.enumerated() where isPresent { filled[index].count += 1 }
    }

    /// Per cent of the records that have a field.
    func share(of name: String) -> Int {
        100 * (filled.first { $0.name == name }?.count ?? 0) / max(1, total)
    }

    var description: String {
        "\(total) editions: " + filled.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
    }
}
