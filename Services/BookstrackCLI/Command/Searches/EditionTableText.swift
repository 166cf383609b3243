import BookstrackContract

/// Editions of a work as a table.
enum EditionTableText {
    private static let columns: [TextTable.Column] = [
        .init("Title", .text), .init("Published"), .init("Publisher", .text), .init("Format"), .init("Pages", .figure),
        .init("Language", least: 8), .init("ISBN"), .init("Cover", .text, least: CoverList.least),
    ]

    /// A row per edition with all columns.
    static func table(_ editions: [EditionDTO]) -> TextTable {
        TextTable(columns: columns, rows: editions.map(cells))
    }

    /// A row per edition; covers as in ``BookTableText``.
    static func text(_ editions: [EditionDTO], style: OutputStyle, covers: Bool) -> String {
        guard covers else { return table(editions).lines(style).joined(separator: "\n") + "\n" }
        let table = TextTable(
            columns: [.init("#", .figure)] + columns.dropLast(),
            rows: editions.enumerated().map { number, edition in ["\(number + 1)"] + cells(edition).dropLast() })
        return (table.lines(style) + CoverList.lines(editions.map(\.coverImageURL))).joined(separator: "\n") + "\n"
    }

    private static func cells(_ edition: EditionDTO) -> [String] {
        [
            edition.title ?? edition.editionTitle ?? "", edition.publicationDate ?? "", edition.publisher ?? "",
            edition.knownFormat ?? "", edition.pageCount.map(String.init) ?? "", edition.language ?? "",
            edition.preferredISBN ?? "", edition.coverImageURL ?? "",
        ]
    }
}
