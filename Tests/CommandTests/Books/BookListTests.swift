import BookstrackContract
import Foundation
import Testing
@testable import BookstrackCLI

@Suite("Lists of books")
struct BookListTests {
    private func parse(_ text: String) throws -> [BookQuery] { try BookList.parse(Data(text.utf8), name: "list") }

    @Test("a list has one ISBN per line, with comments, blank lines, a BOM and any line ends")
    func isbnList() throws {
        let rows = try parse("\u{FEFF}# my books, \"all\" of them\r\n978-0-441-17271-9  # Dune\r\n\r\n 0441172717 \n")
        #expect(rows == [BookQuery(isbn: "978-0-441-17271-9"), BookQuery(isbn: "0441172717")])
    }

    @Test(
        "a CSV file is read by its header, whatever the order and the case",
        arguments: [
            "title,author,isbn\nDune,Frank Herbert,9780441172719\n",
            "ISBN13,Title,Extra,Author(s)\r\n9780441172719,Dune,x,Frank Herbert\r\n",
            "\u{FEFF}\"Author\",\"ISBN-13\",\"Book Title\"\n\"Frank Herbert\",9780441172719,\"Dune\"",
        ])
    func header(text: String) throws {
        let expected = [BookQuery(title: "Dune", author: "Frank Herbert", isbn: "9780441172719")]
        #expect(try parse(text.replacing("Author(s)", with: "Authors")) == expected)
    }

    @Test("without a header the order is title, author, ISBN; missing cells and empty rows are left out")
    func noHeader() throws {
        let rows = try parse(
            "Dune,Frank Herbert,9780441172719\n\"Emma, a novel\",Jane Austen\n,,\n# note,x\n0441172717,\n")
        #expect(
            rows == [
                BookQuery(title: "Dune", author: "Frank Herbert", isbn: "9780441172719"),
                BookQuery(title: "Emma, a novel", author: "Jane Austen"), BookQuery(isbn: "0441172717"),
            ])
    }

    @Test("a comma in a comment behind an ISBN is part of the comment, in a list and in CSV")
    func commaInComment() throws {
        let dune = BookQuery(isbn: "9780441172719")
        #expect(try parse("9780441172719 # Dune, Frank Herbert\n") == [dune])
        #expect(try parse("978-0-441-17271-9# Dune, \"the\" book\n\"0441172717\" # a, b\n").map(\.isbn).count == 2)
        let emma = BookQuery(title: "Emma", author: "Jane Austen")
        #expect(try parse("Emma,Jane Austen\n9780441172719 # Dune, Frank Herbert\n") == [emma, dune])
    }

    @Test("a number sign in a title does not start a comment")
    func numberSign() throws {
        let rows = try parse("Harry #2,J. K. Rowling\n")
        #expect(rows == [BookQuery(title: "Harry #2", author: "J. K. Rowling")])
    }

    @Test("invalid ISBNs are sent unchanged: the server checks them")
    func damaged() throws {
        #expect(
            try parse("978044117271X\nnot an isbn\n") == [
                BookQuery(isbn: "978044117271X"), BookQuery(isbn: "not an isbn"),
            ])
    }

    @Test("a file that is not UTF-8 or not CSV is rejected with the position of the error")
    func refused() {
        let titles = CommandFailure(.badInput, "list, line 2: neither an ISBN nor a row of title,author,isbn")
        #expect(throws: titles) { try parse("9780441172719\nThe Hitchhiker's Guide to the Galaxy\n") }
        #expect(throws: CommandFailure(.badInput, "list, line 1: a quote that is not closed")) { try parse("\"a,b\n") }
    }

    @Test("StoryGraph's ISBN/UID is an ISBN, and of two ISBN columns the one that has a value counts")
    func isbnColumns() throws {
        let story = try parse("Title,Authors,Contributors,ISBN/UID,Format\nX,\"A, B\",,9780441172719,paperback\n")
        #expect(story == [BookQuery(title: "X", author: "A, B", isbn: "9780441172719")])
        let both = try parse("Title,ISBN,ISBN13\nX,0441172717,\nY,,9780441172719\n")
        #expect(both.map(\.isbn) == ["0441172717", "9780441172719"])
    }

    @Test(
        "semicolons and tabs separate columns as commas do, whatever stands inside the cells",
        arguments: [
            "Title;Author;ISBN\n\"Dune; a novel\";Herbert, Frank;9780441172719\n",
            "Title\tPrimary Author\tISBN\r\nDune; a novel\tHerbert, Frank\t9780441172719\r\n",
            "# my books; all\n\"ISBN\";\"Titre\";\"Auteur\"\n9780441172719;\"Dune; a novel\";\"Herbert, Frank\"\n",
        ])
    func delimiters(text: String) throws {
        let expected = BookQuery(title: "Dune; a novel", author: "Herbert, Frank", isbn: "9780441172719")
        #expect(try parse(text) == [expected])
    }

    @Test(
        "a header without a column that can be used is refused and never sent as a book",
        arguments: [
            "name,writer\nDune,Frank Herbert\n", "Naam;Prijs;Aantal;Winkel\nDune;1;2;x\n",
            "Work Id,Edition Id\nOL1W,\n",
            "author,year\nFrank Herbert,1965\n",
        ])
    func unknownHeader(text: String) {
        let failure = #expect(throws: CommandFailure.self) { try parse(text) }
        #expect(failure?.status == .badInput)
        #expect(failure?.message.contains("no column is named title or isbn") == true)
        #expect(failure?.message.contains(text.split(whereSeparator: { ",;\n".contains($0) })[0]) == true)
    }

    @Test(
        "a file that is not UTF-8 text is rejected with its actual type",
        arguments: [
            (Data([0xFF, 0xFE, 0x44, 0x00]), "list is UTF-16; save it as UTF-8"),
            (Data([0x44, 0x00, 0x75, 0x00, 0x6E, 0x00]), "list is UTF-16; save it as UTF-8"),
            (Data([0x4C, 0x27, 0xE9, 0x74]), "list is not UTF-8 but probably Latin-1"),
            (Data("{\"1\": {\"title\": \"Dune\"}}".utf8), "list is JSON; export the list as CSV"),
            (Data("{\"a\":1}".utf8), "list is JSON; export the list as CSV"),
        ])
    func encodings(bytes: Data, message: String) {
        let failure = #expect(throws: CommandFailure.self) { try BookList.parse(bytes, name: "list") }
        #expect(failure?.status == .badInput)
        #expect(failure?.message.hasPrefix(message) == true)
    }

    @Test("an argument is a file, or an ISBN, or an error")
    func arguments() throws {
        let path = FileManager.default.temporaryDirectory.path + "/bookstrack-list-\(UUID().uuidString)"
        try "9780441172719\n".write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let rows = try BookList.read(arguments: [path, "0-441-17271-7", "978 0 441 17271 9"])
        #expect(rows.map(\.isbn) == ["9780441172719", "0-441-17271-7", "978 0 441 17271 9"])
        #expect(throws: CommandFailure.self) { try BookList.read(arguments: ["nowhere.txt"]) }
    }
}

@Suite("CSV")
struct CSVReaderTests {
    @Test(
        "cells, quotes and line ends are read as RFC 4180 says",
        arguments: [
            ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"], [""]]),
            ("a,b\nc,d", [["a", "b"], ["c", "d"]]),
            ("a\rb", [["a"], ["b"]]),
            ("\"a, b\",\"say \"\"hi\"\"\"", [["a, b", "say \"hi\""]]),
            ("\"two\nlines\",x", [["two\nlines", "x"]]),
            (" a , \"b\" ,", [["a", "b", ""]]),
            ("a\"b,c", [["a\"b", "c"]]),
            ("", [[""]]),
            ("日本,\"語\"", [["日本", "語"]]),
        ])
    func records(text: String, records: [[String]]) throws {
        #expect(try CSVReader.records(of: text) == records)
    }

    @Test("an unclosed quote is reported at its start, text after a quote at its position")
    func errors() {
        #expect(throws: CSVError(line: 2, problem: "a quote that is not closed")) {
            try CSVReader.records(of: "a\nb,\"c\nd")
        }
        #expect(throws: CSVError(line: 1, problem: "text after a closing quote")) {
            try CSVReader.records(of: "\"a\"b")
        }
    }
}
