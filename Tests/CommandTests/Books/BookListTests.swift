import BookstrackContract
import Foundation
import Testing

@testable import BookstrackCLI

@Suite("Book lists")
struct BookListTests {
    private static let dune = BookQuery(title: "Dune", author: "Frank Herbert", isbn: "9780441172719")

    private func parse(_ text: String) throws -> [BookQuery] {
        try BookList.parse(Data(text.utf8), name: "list").books
    }

    @Test("a list has one ISBN per line, and may contain comments, blank lines, a BOM and any line endings")
    func isbnList() throws {
        let rows = try parse("\u{FEFF}# my books, \"all\" of them\r\n978-0-441-17271-9  # Dune\r\n\r\n 0141439580 \n")
        #expect(rows == [BookQuery(isbn: "9780441172719"), BookQuery(isbn: "9780141439587")])
    }

    @Test(
        "a table's columns are identified by its header, whatever their order, language and separator",
        arguments: [
            "title,author,isbn\nDune,Frank Herbert,9780441172719\n",
            "ISBN13,Title,Extra,Author\r\n9780441172719,Dune,x,Frank Herbert\r\n",
            "\u{FEFF}\"Author\",\"ISBN-13\",\"Book Title\"\n\"Frank Herbert\",9780441172719,\"Dune\"",
            "\"ISBN\";\"Titre\";\"Auteur\"\n9780441172719;\"Dune\";\"Frank Herbert\"\n",
            "Titel\tAutor\tISBN\r\nDune\tFrank Herbert\t9780441172719\r\n",
        ])
    func header(text: String) throws {
        #expect(try parse(text) == [Self.dune])
    }

    @Test("several rows for the same book are looked up once")
    func duplicates() throws {
        #expect(try parse("title,author,isbn\nDune,Frank Herbert,9780441172719\nDune,,0441172717\n") == [Self.dune])
    }

    @Test("a reading log's works are looked up if their rows have no ISBN")
    func works() throws {
        #expect(
            try parse("Work Id,Edition Id,Bookshelf\nOL66562W,OL2M,Already Read\nOL893415W,,Want to Read\n") == [
                BookQuery(workId: "OL66562W"), BookQuery(workId: "OL893415W"),
            ])
        #expect(
            try parse("Title,ISBN,Open Library Work\nEmma,9780141439587,OL66562W\nDune,,OL893415W\n") == [
                BookQuery(title: "Emma", isbn: "9780141439587"), BookQuery(title: "Dune", workId: "OL893415W"),
            ])
    }

    @Test("an invalid ISBN with nothing else to look up is sent unchanged, so the server reports what is wrong")
    func damaged() throws {
        #expect(
            try parse("isbn\n9780141439587\n9780441172710\n") == [
                BookQuery(isbn: "9780141439587"), BookQuery(isbn: "9780441172710"),
            ])
        #expect(
            try parse("title,isbn\nDune,9780441172710\nEmma,9780141439587\n") == [
                BookQuery(title: "Dune"), BookQuery(title: "Emma", isbn: "9780141439587"),
            ])
    }

    @Test("a file with no usable column is rejected with a list of its columns")
    func unknownHeader() {
        let failure = #expect(throws: CommandFailure.self) { try self.parse("Prijs;Aantal;Winkel\n1;2;3\n4;5;6\n") }
        #expect(failure?.status == .badInput)
        #expect(
            failure?.message
                == "list: No column looks like a title. Columns found: Prijs, Aantal, Winkel. "
                + "Rename the title column to title, or the ISBN column to isbn.")
    }

    @Test(
        "a file of another type is rejected with the name of its type",
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "a PNG image"),
            (Array("PK\u{3}\u{4}".utf8), "a ZIP archive or an Excel workbook"),
            (Array("%PDF-1.7".utf8), "a PDF document"),
            ([0x7F] + Array("ELF".utf8), "a program"), (Array("<!DOCTYPE html>".utf8), "a web page"),
        ] as [([UInt8], String)])
    func otherKinds(start: [UInt8], kind: String) {
        let file = Data(start + Array("\nDune,Frank Herbert\nEmma,Jane Austen\n".utf8))
        let failure = #expect(throws: CommandFailure.self) { try BookList.parse(file, name: "shelf") }
        #expect(failure?.status == .badInput)
        #expect(failure?.message.hasPrefix("shelf: This is \(kind), not a CSV file. ") == true)
    }

    @Test("an empty list has no books")
    func empty() throws {
        #expect(try parse("") == [])
    }

    @Test("an argument is read as a file or an ISBN, and anything else is an error")
    func arguments() throws {
        let path = FileManager.default.temporaryDirectory.path + "/bookstrack-list-\(UUID().uuidString)"
        try "9780441172719\n".write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let list = try BookList(arguments: [path, "0-14-143958-7", "978 0 14 310543 5"])
        #expect(list.books.map(\.isbn) == ["9780441172719", "0-14-143958-7", "978 0 14 310543 5"])
        #expect(list.notice == nil)
        #expect(throws: CommandFailure.self) { try BookList(arguments: ["nowhere.txt"]) }
    }

    @Test("a book is looked up once, however often and in whatever form its ISBN is given, and repetitions are counted")
    func repetitions() throws {
        let path = FileManager.default.temporaryDirectory.path + "/bookstrack-list-\(UUID().uuidString)"
        try "title,isbn\nDune,9780441172719\nDune,0441172717\n".write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let once = try BookList(arguments: ["9780441172719", "0-441-17271-7"])
        #expect(once.books == [BookQuery(isbn: "9780441172719")])
        #expect(once.notice == "1 entry repeats a book.")
        let twice = try BookList(arguments: ["0441172717", path, "0441172710", "0441172710"])
        #expect(twice.books == [BookQuery(title: "Dune", isbn: "9780441172719"), BookQuery(isbn: "0441172710")])
        #expect(twice.notice == "3 entries repeat a book.")
    }

    @Test("a book without an ISBN is looked up once, even if several files contain it with the same title and author")
    func repetitionsWithoutISBN() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bookstrack-list-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let texts = ["Dune,Frank Herbert\nEmma,Jane Austen\n", "Dune,Frank Herbert\nEmma,Alexander McCall Smith\n"]
        let paths = try texts.enumerated().map { number, text in
            let file = folder.appending(path: "\(number).csv")
            try "Title,Author\n\(text)".write(to: file, atomically: true, encoding: .utf8)
            return file.path
        }
        let list = try BookList(arguments: paths)
        #expect(
            list.books == [
                BookQuery(title: "Dune", author: "Frank Herbert"), BookQuery(title: "Emma", author: "Jane Austen"),
                BookQuery(title: "Emma", author: "Alexander McCall Smith"),
            ])
        #expect(list.notice == "1 entry repeats a book.")
    }
}
