import BookstrackContract
import LibraryImport
import TestSupport

/// The suite's own CSV: a written library reads back the same, even if it is shuffled, joined to itself or truncated.
struct OwnFileStage: FuzzStage {
    let name = "own"

    func fault(in file: [UInt8], using random: inout SeededGenerator) -> String? {
        guard let read = try? ReadLibrary(file) else { return nil }
        let csv = LibraryCSV(source: read.summary.source)
        // Books with a semicolon in a list are left out here; TextCellTests tests how such lists are read.
        let books = read.books.filter { !($0.authors + $0.shelves + $0.tags).contains { $0.contains(";") } }
        // Books that differ only in a position without a series become one book when they are read again, because a
        // position is kept only if its series has a name.
        guard !books.isEmpty, Set(books.map(identity)).count == books.count else { return nil }
        let lines = books.map(csv.line)
        do {
            let whole = try library(csv.header, lines)
            guard whole.summary.source.format == .bookstrack else {
                return "recognized as \(whole.summary.source.format)"
            }
            // If the encoding of a text is repaired again, the text was already garbled in the first file.
            if isRepaired(whole) { return nil }
            if let fault = difference(books, whole.books) { return fault }
            let shuffled = try library(csv.header, lines.shuffled(using: &random))
            if let fault = difference(sorted(whole.books, csv), sorted(shuffled.books, csv)) {
                return "shuffled: " + fault
            }
            let joined = try library(csv.header, lines + [csv.header] + lines)
            if let fault = difference(books, joined.books) { return "joined: " + fault }
            return try faultOfCut(csv.header, lines, whole.books, &random)
        } catch {
            return "the suite's own file cannot be read: \(error)"
        }
    }

    private func library(_ header: String, _ lines: [String]) throws -> ReadLibrary {
        try ReadLibrary(Array((header + lines.joined()).utf8))
    }

    /// The fault of a file that ends in the middle of a row: the rows before it must be unchanged, unless what is left of
    /// the truncated row is merged into one of their books.
    private func faultOfCut(
        _ header: String, _ lines: [String], _ books: [ImportedBook], _ random: inout SeededGenerator
    ) throws -> String? {
        let kept = Int.random(in: 0..<lines.count, using: &random)
        let cut = lines[kept].utf8.prefix(Int.random(in: 0..<lines[kept].utf8.count, using: &random))
        guard kept > 0 else { return nil }
        let bytes = Array((header + lines[..<kept].joined()).utf8) + Array(cut)
        let read = try ReadLibrary(bytes)
        if isRepaired(read) || read.books.prefix(kept).contains(where: { !$0.duplicateRows.isEmpty }) { return nil }
        return difference(Array(books[..<kept]), Array(read.books.prefix(kept))).map { "cut in row \(kept + 1): \($0)" }
    }

    private func isRepaired(_ read: ReadLibrary) -> Bool {
        read.books.contains { $0.remarks.contains { $0.code == .encodingRepaired } }
    }

    private func sorted(_ books: [ImportedBook], _ csv: LibraryCSV) -> [ImportedBook] {
        books.map { (book: $0, line: csv.line($0)) }.sorted { $0.line < $1.line }.map(\.book)
    }

    private func difference(_ books: [ImportedBook], _ again: [ImportedBook]) -> String? {
        if books.count != again.count { return "\(again.count) of \(books.count) books" }
        for (one, other) in zip(books, again) where said(one) != said(other) {
            return "\(said(one))\n  became \(said(other))"
        }
        return nil
    }

    /// The properties that distinguish books.
    private func identity(_ book: ImportedBook) -> [String?] {
        [book.title, book.subtitle, book.author, book.series?.name, book.series?.position, book.isbn]
    }

    /// A book's content, without its position and notation in the file.
    private func said(_ book: ImportedBook) -> ImportedBook {
        var book = book
        (book.row, book.lineNumber, book.confidence) = (0, 0, 1)
        (book.remarks, book.duplicateRows, book.raw) = ([], [], RawCells())
        (book.ratingRaw, book.statusRaw, book.isbnRepair) = (nil, nil, nil)
        return book
    }
}
