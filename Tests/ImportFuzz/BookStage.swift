import BookstrackContract
import LibraryImport
import TestSupport

/// The books of a file: every row has one outcome, the counts add up, every page can be decoded, and the memory limit makes no difference.
struct BookStage: FuzzStage {
    let name = "books"

    func fault(in file: [UInt8], using random: inout SeededGenerator) -> String? {
        guard let table = try? LibraryTable(bytes: file) else { return nil }
        do {
            let read = try ReadLibrary(table)
            // The results do not depend on how many further rows of a book can be held in memory.
            let again = try ReadLibrary(table, heldBytes: Int.random(in: 0...300, using: &random))
            if read.books != again.books { return "different books when fewer rows are kept" }
            if read.summary != again.summary { return "different counts when fewer rows are kept" }
            return faultOfSums(read) ?? faultOfRows(read) ?? faultOfBooks(read)
        } catch is ImportFailure {
            return nil
        } catch let fault as ReadLibrary.Fault {
            return fault.reason
        } catch {
            return "a page that cannot be decoded: \(error)"
        }
    }

    private func faultOfSums(_ read: ReadLibrary) -> String? {
        let summary = read.summary
        let sum = summary.booksCreated + summary.duplicatesSkipped + summary.errorCount + summary.skippedRows
        if summary.totalRows != sum { return "\(summary.totalRows) rows and \(sum) outcomes" }
        if read.books.count != summary.booksCreated { return "\(read.books.count) of \(summary.booksCreated) books" }
        if read.errors.count != summary.errorCount { return "\(read.errors.count) of \(summary.errorCount) errors" }
        let statuses = summary.statuses.reduce(0) { $0 + $1.count }
        return statuses == summary.booksCreated ? nil : "\(statuses) statuses of \(summary.booksCreated) books"
    }

    private func faultOfRows(_ read: ReadLibrary) -> String? {
        let rows =
            read.books.flatMap { [$0.row] + $0.duplicateRows } + read.errors.map(\.row) + read.skipped.map(\.row)
        if rows.sorted() != Array(1..<(read.summary.totalRows + 1)) {
            return "outcomes for rows \(rows.sorted()) of \(read.summary.totalRows)"
        }
        for part in [read.books.map(\.row), read.errors.map(\.row), read.skipped.map(\.row)] where part != part.sorted()
        {
            return "rows in the order \(part)"
        }
        return nil
    }

    private func faultOfBooks(_ read: ReadLibrary) -> String? {
        for book in read.books {
            if book.title.isEmpty, book.isbn == nil, book.ids.isEmpty { return "row \(book.row) has no content" }
            if book.isbn13 != book.isbn { return "row \(book.row) has two ISBNs" }
            if book.author != book.authors.first ?? "" { return "row \(book.row) has a different first author" }
            if let rating = book.rating, !(0.25...5).contains(rating) { return "row \(book.row) is rated \(rating)" }
            if !(0...1).contains(book.confidence) { return "row \(book.row) has confidence \(book.confidence)" }
        }
        return nil
    }
}
