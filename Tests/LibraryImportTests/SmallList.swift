import BookstrackContract

/// Lists that people keep by hand: a few rows, headers in their own words, and columns that only they understand.
enum SmallList {
    static let books: [(title: String, author: String)] = [
        ("Dune", "Frank Herbert"), ("Emma", "Jane Austen"), ("Ulysses", "James Joyce"), ("Middlemarch", "George Eliot"),
        ("Beloved", "Toni Morrison"), ("Solaris", "Stanisław Lem"), ("Persuasion", "Jane Austen"),
        ("Neuromancer", "William Gibson"), ("Mort", "Terry Pratchett"), ("Kindred", "Octavia Butler"),
    ]

    /// Reads a list with a book for each cell of an additional column, which is the last or the first one.
    static func read(_ header: String, _ cells: [String], first: Bool = false) throws -> ReadText {
        let lines = [("Title", "Author", header)] + zip(books, cells).map { ($0.title, $0.author, $1) }
        return try ReadText(
            lines.map { title, author, cell in
                (first ? [cell, title, author] : [title, author, cell]).joined(separator: ",") + "\n"
            }.joined())
    }
}

extension ReadText {
    var roles: [ColumnRole?] { summary.source.columns.map(\.role) }
}
