import BookstrackContract
import ServiceKit

/// A table of books.
enum BookTableText {
    private static let columns: [TextTable.Column] = [
        .init("Title", .text), .init("Authors", .text), .init("Year"), .init("Publisher", .text, least: 12),
        .init("Format"), .init("Pages", .figure), .init("ISBN"), .init("Cover", .text, least: CoverList.least),
    ]

    /// A row per book. There is a column for authors if they are known per book, and one for covers if there is room; with `covers`, the full cover
    /// URLs follow the table instead.
    static func text(_ books: [SearchHit], style: OutputStyle, covers: Bool) -> String {
        let hidden = Set((books.allSatisfy { $0.authors == nil } ? ["Authors"] : []) + (covers ? ["Cover"] : []))
        let shown = columns.indices.filter { !hidden.contains(columns[$0].title) }
        let table = TextTable(
            columns: (covers ? [.init("#", .figure)] : []) + shown.map { columns[$0] },
            rows: books.enumerated().map { number, book in
                (covers ? ["\(number + 1)"] : []) + shown.map { cells(book)[$0] }
            })
        return (table.lines(style) + (covers ? CoverList.lines(books.map(\.cover)) : []))
            .joined(separator: "\n") + "\n"
    }

    /// A row per book with all columns.
    static func csv(_ books: [SearchHit]) -> String { TextTable(columns: columns, rows: books.map(cells)).csv }

    private static func cells(_ book: SearchHit) -> [String] {
        let edition = book.edition
        return [
            book.title, book.authors?.map(\.name).joined(separator: "; ") ?? "", book.year, edition?.publisher ?? "",
            edition?.knownFormat ?? "", edition?.pageCount.map(String.init) ?? "", edition?.preferredISBN ?? "",
            book.cover ?? "",
        ]
    }
}

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

    /// A row per edition; covers are shown as in ``BookTableText``.
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

/// Full cover URLs, numbered like the rows above.
enum CoverList {
    /// Minimum width of the cover column, at which a shortened URL still shows its host.
    static let least = 24

    static func lines(_ covers: [String?]) -> [String] {
        let digits = "\(covers.count)".count
        return ["", "Covers:", ""]
            + covers.enumerated().map { row, cover in
                DisplayWidth.right("\(row + 1)", digits) + "  " + TerminalText.line(cover ?? "none")
            }
    }
}
