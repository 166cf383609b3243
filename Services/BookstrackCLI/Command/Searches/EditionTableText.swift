import BookstrackContract

/// Editions of a work as a table.
enum EditionTableText {
    private static let titles = ["Title", "Published", "Publisher", "Format", "Pages", "Language", "ISBN", "Cover"]

    /// A row per edition; covers as in ``BookTableText``.
    static func table(_ editions: [EditionDTO], width: Int, covers: Bool) -> String {
        var table = TextTable(
            header: covers ? ["#"] + titles.dropLast() : titles,
            rows: editions.enumerated().map { number, edition in
                covers ? ["\(number + 1)"] + cells(edition).dropLast() : cells(edition)
            })
        table.figures = ["#", "Pages"]
        table.dispense("Language", least: 8)
        table.dispense("Cover", least: CoverList.least)
        return (table.lines(width: width) + (covers ? CoverList.lines(editions.map(\.coverImageURL)) : []))
            .joined(separator: "\n") + "\n"
    }

    private static func cells(_ edition: EditionDTO) -> [String] {
        [
            edition.title ?? edition.editionTitle ?? "", edition.publicationDate ?? "", edition.publisher ?? "",
            edition.knownFormat ?? "", edition.pageCount.map(String.init) ?? "", edition.language ?? "",
            edition.preferredISBN ?? "", edition.coverImageURL ?? "",
        ]
    }
}
