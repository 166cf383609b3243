import BookstrackContract

/// Found books as a table.
enum BookTableText {
    private static let titles = ["Title", "Authors", "Year", "Publisher", "Format", "Pages", "ISBN", "Cover"]

    /// A row per book. Authors have a column when it is known who wrote which, covers when there is room for them; with
    /// `covers` they follow in full.
    static func table(_ books: [FoundBook], width: Int, covers: Bool) -> String {
        let hidden = Set((books.allSatisfy { $0.authors == nil } ? ["Authors"] : []) + (covers ? ["Cover"] : []))
        let shown = titles.indices.filter { !hidden.contains(titles[$0]) }
        var table = TextTable(
            header: (covers ? ["#"] : []) + shown.map { titles[$0] },
            rows: books.enumerated().map { number, book in
                (covers ? ["\(number + 1)"] : []) + shown.map { cells(book)[$0] }
            })
        table.figures = ["#", "Pages"]
        table.dispense("Publisher", least: 12)
        table.dispense("Cover", least: CoverList.least)
        return (table.lines(width: width) + (covers ? CoverList.lines(books.map(\.cover)) : []))
            .joined(separator: "\n") + "\n"
    }

    private static func cells(_ book: FoundBook) -> [String] {
        let edition = book.edition
        return [
            book.title, book.authors?.map(\.name).joined(separator: "; ") ?? "", book.year, edition?.publisher ?? "",
            edition?.knownFormat ?? "", edition?.pageCount.map(String.init) ?? "", edition?.preferredISBN ?? "",
            book.cover ?? "",
        ]
    }
}
