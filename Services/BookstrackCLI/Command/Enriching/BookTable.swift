import BookstrackContract
import Foundation

/// Rows of a table as books: columns by header, otherwise in the order title, author, ISBN.
struct BookTable {
    private var title: Int?
    private var author: Int?
    /// Several if an export has ISBN-10 and ISBN-13; a row may have either.
    private var isbns: [Int]

    private static let withoutHeader = BookTable(title: 0, author: 1, isbns: [2])

    /// Names of the supported columns, those of common exports first, only letters and digits.
    private static let names = (
        title: ["title", "booktitle", "originaltitle", "titre", "titel", "titulo", "título", "titolo"],
        author: ["author", "authors", "authorname", "authortext", "primaryauthor", "auteur", "autor", "autore"],
        isbn: ["isbn13", "isbn", "isbn10", "isbnuid", "isbns", "ean"]
    )
    /// Names of unsupported columns, which identify a header even if none of its columns can be used.
    private static let otherNames: Set = [
        "id", "bookid", "workid", "editionid", "name", "book", "writer", "creator", "year", "date", "rating", "shelf",
        "bookshelf", "status", "publisher", "language", "format", "pages", "genre", "series", "price", "notes",
        "review",
        "naam", "nom", "nombre", "schrijver", "verfasser", "verlag", "buch", "jahr", "année", "año",
    ]

    /// The books of a table, without empty rows and comments. Throws if a header has no supported column, since it
    /// must not be read as a book.
    static func rows(of text: String, delimiter: Character = ",") throws(CSVError) -> [BookQuery] {
        let records = try CSVReader.records(of: text, delimiter: delimiter).filter { !$0.isBlankOrComment }
        guard let first = records.first else { return [] }
        if let header = BookTable(header: first) { return records.dropFirst().compactMap(header.book) }
        guard !isUnknownHeader(first) else {
            let found = first.filter { !$0.isEmpty }.map { "\"\($0)\"" }.joined(separator: ", ")
            throw CSVError(
                line: 1,
                problem:
                    "no column is named title or isbn (or ISBN13, ISBN/UID, Book Title …); found: \(found.prefix(200))")
        }
        return records.compactMap(withoutHeader.book)
    }

    /// Whether the first row is a header: it contains known column names, or more names than a row without a header may have columns.
    private static func isUnknownHeader(_ row: [String]) -> Bool {
        let cells = row.filter { !$0.isEmpty }
        let known = otherNames.union(names.author)
        guard row.first.flatMap({ BookList.isbnBeforeComment($0) }) == nil else { return false }
        return cells.allSatisfy { known.contains(folded($0)) } || row.count > 3 && cells.count > 3
    }

    private static func folded(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

    private init(title: Int?, author: Int?, isbns: [Int]) {
        self.title = title
        self.author = author
        self.isbns = isbns
    }

    /// Nil if the row contains no known column name. The first of several ISBN columns with a value is used.
    private init?(header: [String]) {
        let folded = header.map(Self.folded)
        func column(_ known: [String]) -> Int? { known.lazy.compactMap { folded.firstIndex(of: $0) }.first }
        self.init(
            title: column(Self.names.title), author: column(Self.names.author),
            isbns: Self.names.isbn.compactMap { folded.firstIndex(of: $0) })
        guard !isbns.isEmpty || title != nil else { return nil }
    }

    /// A row with one cell, or with one cell before a comment, is an ISBN if it looks like one, in any column.
    private func book(_ cells: [String]) -> BookQuery? {
        if let isbn = cells.first.flatMap({ BookList.isbnBeforeComment($0) }) { return BookQuery(isbn: isbn) }
        let filled = cells.filter { !$0.isEmpty }
        if filled.count == 1, let only = filled.first, BookList.looksLikeISBN(only) { return BookQuery(isbn: only) }
        func cell(_ column: Int?) -> String? {
            column.flatMap { cells.indices.contains($0) && !cells[$0].isEmpty ? cells[$0] : nil }
        }
        let query = BookQuery(title: cell(title), author: cell(author), isbn: isbns.lazy.compactMap(cell).first)
        return query.title == nil && query.author == nil && query.isbn == nil ? nil : query
    }
}

extension [String] {
    fileprivate var isBlankOrComment: Bool {
        allSatisfy(\.isEmpty) || first?.hasPrefix("#") == true
    }
}

/// Parses comma-separated values (RFC 4180), or values with another separator, with any line ends; cells are trimmed.
struct CSVReader {
    private enum State {
        case cellStart
        case plain
        case quoted
        /// After a quote within quotes: the end of the cell, or the first half of an escaped quote.
        case quoteSeen
    }

    private let delimiter: Character
    private var state = State.cellStart
    private var line = 1
    private var quoteLine = 1
    private var cell = ""
    private var record: [String] = []
    private var records: [[String]] = []

    private init(delimiter: Character) { self.delimiter = delimiter }

    /// The records of a text. Throws if a quote is not closed, or is followed by text.
    static func records(of text: String, delimiter: Character = ",") throws(CSVError) -> [[String]] {
        var reader = CSVReader(delimiter: delimiter)
        for character in text { try reader.take(character) }
        return try reader.finish()
    }

    private mutating func take(_ character: Character) throws(CSVError) {
        switch (state, character) {
        case (.quoted, "\""): state = .quoteSeen
        case (.quoted, _): cell.append(character)
        case (.quoteSeen, "\""):
            cell.append("\"")
            state = .quoted
        case (.cellStart, "\""):
            quoteLine = line
            cell = ""
            state = .quoted
        case (_, delimiter): endCell()
        case (_, _) where character.isNewline: endRecord()
        case (.quoteSeen, _):
            guard character.isWhitespace else { throw CSVError(line: line, problem: "text after a closing quote") }
        case (.cellStart, _):
            cell.append(character)
            if !character.isWhitespace { state = .plain }
        case (.plain, _): cell.append(character)
        }
        if character.isNewline { line += 1 }
    }

    private mutating func endCell() {
        record.append(cell.trimmingCharacters(in: .whitespacesAndNewlines))
        cell = ""
        state = .cellStart
    }

    private mutating func endRecord() {
        endCell()
        records.append(record)
        record = []
    }

    private mutating func finish() throws(CSVError) -> [[String]] {
        if case .quoted = state { throw CSVError(line: quoteLine, problem: "a quote that is not closed") }
        endRecord()
        return records
    }
}

/// A syntax error and its position.
struct CSVError: Error, Equatable {
    let line: Int
    let problem: String
}
