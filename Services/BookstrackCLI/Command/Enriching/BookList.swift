import BookIdentifiers
import BookstrackContract
import Foundation
import ImageFiles
import LibraryImport

/// The books given by a user: ISBNs on the command line, and files in the formats that can be imported (imports.md).
struct BookList {
    /// Maximum number of rows in a file. The server's limit for imports does not apply: a longer list is split into several jobs.
    private static let maxRows = 1_000_000

    /// The books, each of them once.
    private(set) var books: [BookQuery] = []
    /// Number of rows and arguments that repeat a book.
    private(set) var repeated = 0
    /// The index of each book. A book with an ISBN is identified by the ISBN alone, any other book by all of its texts.
    private var places: [BookQuery: Int] = [:]

    /// Reads all arguments. An argument is standard input if it is `-`, a file if one of that name exists, or an ISBN if it looks like one. Throws
    /// `CommandFailure` for any other argument, and for a file that cannot be read as a list.
    init(arguments: [String]) throws {
        for argument in arguments {
            if argument == "-" {
                try add(InputFile(argument: argument).bytes, name: "standard input")
            } else if Self.looksLikeISBN(argument), access(argument, F_OK) != 0 {
                // access(2) also fails if the user may not search the current directory; an ISBN is accepted nevertheless.
                add(BookQuery(isbn: argument))
            } else if let file = try InputFile.ifPresent(argument) {
                try add(file.bytes, name: argument)
            } else {
                throw CommandFailure(.noInput, "\"\(argument)\" is neither a file nor an ISBN")
            }
        }
    }

    /// A message about repeated books; nil if there are none.
    var notice: String? {
        switch repeated {
        case 0: nil
        case 1: "1 entry repeats a book."
        default: "\(repeated) entries repeat a book."
        }
    }

    /// Adds a book unless it is already in the list. Of books with the same ISBN, the first one with a title is kept, because a title is looked up if
    /// the ISBN is not found.
    private mutating func add(_ book: BookQuery) {
        let key = book.isbn.map { BookQuery(isbn: ISBN($0)?.isbn13 ?? $0) } ?? book
        guard let place = places[key] else {
            places[key] = books.count
            return books.append(book)
        }
        repeated += 1
        if books[place].title == nil, book.title != nil { books[place] = book }
    }

    private mutating func add(_ file: Data, name: String) throws {
        let (books, repeated) = try Self.parse(file, name: name)
        for book in books { add(book) }
        self.repeated += repeated
    }

    /// The books of a file, and the number of rows that repeat a book and are merged with it. If a row cannot be used, its ISBN is kept even if it is
    /// invalid, since the server reports what is wrong with it. Throws `CommandFailure` if the file cannot be read as a list.
    static func parse(_ bytes: Data, name: String) throws -> (books: [BookQuery], repeated: Int) {
        guard !bytes.isEmpty else { return ([], 0) }
        if let signature = FileSignature(bytes) {
            throw CommandFailure(.badInput, "\(name): \(signature.libraryRefusal)")
        }
        var limits = TableLimits()
        limits.rows = maxRows
        var books: [BookQuery] = []
        do {
            let table = try LibraryTable(bytes: Array(bytes), limits: limits)
            let summary = try LibraryReading(table).readRows { outcome in
                switch outcome {
                case .book(let book):
                    var query = BookQuery(book)
                    query.row = nil
                    books.append(query)
                case .error(let error): if let isbn = error.isbn { books.append(BookQuery(isbn: isbn)) }
                case .skipped: break
                }
            }
            return (books, summary.duplicatesSkipped)
        } catch let fault as LibraryFileFault {
            throw CommandFailure(.badInput, "\(name): \(fault.sentence)")
        } catch let failure as ImportFailure {
            // Unlike an import, a list cannot be read with a mapping.
            let advice = "Rename the title column to title, or the ISBN column to isbn."
            let reason = failure.sentence.replacing(ImportFailure.mappingAdvice, with: advice)
            throw CommandFailure(.badInput, "\(name): \(reason)")
        }
    }

    /// Whether the text consists of 9 to 13 characters, each a digit or X, apart from separators; the server decides whether the ISBN is valid.
    static func looksLikeISBN(_ text: String) -> Bool {
        let digits = text.filter { !"- \u{2010}\u{2011}\u{2012}\u{2013}".contains($0) }
        return (9...13).contains(digits.count)
            && digits.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "X" || $0 == "x") }
    }
}
