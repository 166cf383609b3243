import BookstrackContract
import Foundation

/// Rows of a CSV file as books: columns by header, else in the order title, author, ISBN.
struct BookTable {
    private var title: Int?
    private var author: Int?
    private var isbn: Int?

    private static let withoutHeader = BookTable(title: 0, author: 1, isbn: 2)

    /// The books of a CSV text; empty rows and comment rows are left out.
    static func rows(of text: String) throws -> [BookQuery] {
        let records = try CSVReader.records(of: text).filter { !$0.isBlankOrComment }
        guard let first = records.first else { return [] }
        if let header = BookTable(header: first) { return records.dropFirst().compactMap(header.book) }
        return records.compactMap(withoutHeader.book)
    }

    private init(title: Int?, author: Int?, isbn: Int?) {
        self.title = title
        self.author = author
        self.isbn = isbn
    }

    /// Nil when the row has none of the known column names. The first of several ISBN columns wins.
    private init?(header: [String]) {
        let names = header.map { $0.lowercased().filter { $0.isLetter || $0.isNumber } }
        func column(_ known: [String]) -> Int? { known.lazy.compactMap { names.firstIndex(of: $0) }.first }
        self.init(
            title: column(["title", "booktitle", "originaltitle"]),
            author: column(["author", "authors", "authorname"]),
            isbn: column(["isbn13", "isbn", "isbn10"]))
        guard isbn != nil || title != nil else { return nil }
    }

    /// A row of one cell, or of one before a comment, is an ISBN when it looks like one, whatever its column.
    private func book(_ cells: [String]) -> BookQuery? {
        if let isbn = cells.first.flatMap({ BookList.isbnBeforeComment($0) }) { return BookQuery(isbn: isbn) }
        let filled = cells.filter { !$0.isEmpty }
        if filled.count == 1, let only = filled.first, BookList.looksLikeISBN(only) { return BookQuery(isbn: only) }
        func cell(_ column: Int?) -> String? {
            column.flatMap { cells.indices.contains($0) && !cells[$0].isEmpty ? cells[$0] : nil }
        }
        let query = BookQuery(title: cell(title), author: cell(author), isbn: cell(isbn))
        return query.title == nil && query.author == nil && query.isbn == nil ? nil : query
    }
}

extension [String] {
    fileprivate var isBlankOrComment: Bool {
        allSatisfy(\.isEmpty) || first?.hasPrefix("#") == true
    }
}
