import BookstrackContract
import Foundation
import ImageFiles
import LibraryImport

/// Reads the books given by a user: ISBNs on the command line, and files in the formats that can be imported (imports.md).
enum BookList {
    /// Maximum number of rows in a file. The server's limit for imports does not apply: a longer list is split into several jobs.
    private static let maxRows = 1_000_000

    /// Reads all arguments. An argument is standard input if it is `-`, a file if one of that name exists, or an ISBN if it looks like one. Throws
    /// `CommandFailure` for any other argument, and for a file that cannot be read as a list.
    static func read(arguments: [String]) throws -> [BookQuery] {
        try arguments.flatMap { argument -> [BookQuery] in
            if argument == "-" { return try parse(InputFile(argument: argument).bytes, name: "standard input") }
            // access(2) also fails if the user may not search the current directory; an ISBN is accepted nevertheless.
            if looksLikeISBN(argument), access(argument, F_OK) != 0 { return [BookQuery(isbn: argument)] }
            guard let file = try InputFile.ifPresent(argument) else {
                throw CommandFailure(.noInput, "\"\(argument)\" is neither a file nor an ISBN")
            }
            return try parse(file.bytes, name: argument)
        }
    }

    /// The books of a file. Rows for the same book are merged. If a row cannot be used, its ISBN is kept even if it is invalid, since the server
    /// reports what is wrong with it. Throws `CommandFailure` if the file cannot be read as a list.
    static func parse(_ bytes: Data, name: String) throws -> [BookQuery] {
        guard !bytes.isEmpty else { return [] }
        if let signature = FileSignature(bytes) {
            throw CommandFailure(.badInput, "\(name): \(signature.libraryRefusal)")
        }
        var limits = TableLimits()
        limits.rows = maxRows
        var books: [BookQuery] = []
        do {
            let table = try LibraryTable(bytes: Array(bytes), limits: limits)
            _ = try LibraryReading(table).readRows { outcome in
                switch outcome {
                case .book(let book):
                    var query = BookQuery(book)
                    query.row = nil
                    books.append(query)
                case .error(let error): if let isbn = error.isbn { books.append(BookQuery(isbn: isbn)) }
                case .skipped: break
                }
            }
        } catch let fault as LibraryFileFault {
            throw CommandFailure(.badInput, "\(name): \(fault.sentence)")
        } catch let failure as ImportFailure {
            // Unlike an import, a list cannot be read with a mapping.
            let advice = "Rename the title column to title, or the ISBN column to isbn."
            let reason = failure.sentence.replacing(ImportFailure.mappingAdvice, with: advice)
            throw CommandFailure(.badInput, "\(name): \(reason)")
        }
        return books
    }

    /// Whether the text consists of 9 to 13 characters, each a digit or X, apart from separators; the server decides whether the ISBN is valid.
    static func looksLikeISBN(_ text: String) -> Bool {
        let digits = text.filter { !"- \u{2010}\u{2011}\u{2012}\u{2013}".contains($0) }
        return (9...13).contains(digits.count)
            && digits.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "X" || $0 == "x") }
    }
}
