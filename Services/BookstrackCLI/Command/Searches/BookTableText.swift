import BookstrackContract

/// Found books as a table.
enum BookTableText {
    private static let columns: [TextTable.Column] = [
        .init("Title", .text), .init("Authors", .text), .init("Year"), .init("Publisher", .text, least: 12),
        .init("Format"), .init("Pages", .figure), .init("ISBN"), .init("Cover", .text, least: CoverList.least),
    ]

    /// A row per book. Authors have a column when it is known who wrote which, covers when there is room for them; with
    /// `covers` they follow in full.
    static func text(_ books: [FoundBook], style: OutputStyle, covers: Bool) -> String {
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

    /// A row per book with all columns, whatever is known.
    static func csv(_ books: [FoundBook]) -> String { TextTable(columns: columns, rows: books.map(cells)).csv }

    private static func cells(_ book: FoundBook) -> [String] {
        let edition = book.edition
        return [
            book.title, book.authors?.map(\.name).joined(separator: "; ") ?? "", book.year, edition?.publisher ?? "",
            edition?.knownFormat ?? "", edition?.pageCount.map(String.init) ?? "", edition?.preferredISBN ?? "",
            book.cover ?? "",
        ]
    }
}
