import Foundation
import LibraryImport
import TestSupport
import Testing

/// Files written by people and applications; the rows were counted with Python's `csv` module and by hand.
@Suite("Tables of real library files", .enabled(if: TestData.isExpected, "\(TestData.absence)"))
struct RealFileTests {
    struct File: Sendable, CustomStringConvertible {
        let name: String
        let encoding: TextEncoding
        let delimiter: Character
        let lineEnd: TableShape.LineEnd
        /// Including the header.
        let rows: Int
        let width: Int

        init(
            _ name: String, _ encoding: TextEncoding, _ delimiter: Character, _ lineEnd: TableShape.LineEnd, rows: Int,
            width: Int
        ) {
            self.name = name
            self.encoding = encoding
            self.delimiter = delimiter
            self.lineEnd = lineEnd
            self.rows = rows
            self.width = width
        }

        var description: String { name }
    }

    static let files = [
        File("0xdstn_goodreads_noheader_crlf_811.csv", .utf8, ",", .crlf, rows: 812, width: 24),
        File("andgineer_goodreads_create.csv", .utf8, ",", .lf, rows: 8, width: 24),
        File("argv1_goodreads_1451.csv", .utf8, ",", .lf, rows: 1452, width: 31),
        File("asadisaghar_goodreads_persian_266.csv", .utf8, ",", .lf, rows: 267, width: 31),
        File("books_v3_combined_title_author_isbn13_774.csv", .utf8, ",", .crlf, rows: 775, width: 3),
        File("books_v3_goodreads_769.csv", .utf8, ",", .lf, rows: 770, width: 24),
        File("books_v3_year_title_author_isbn13.csv", .utf8, ",", .lf, rows: 359, width: 4),
        File("bookwyrm_calibre.csv", .utf8, ",", .lf, rows: 2, width: 21),
        File("bookwyrm_generic.csv", .utf8, ",", .lf, rows: 5, width: 9),
        File("bookwyrm_goodreads.csv", .utf8, ",", .lf, rows: 4, width: 31),
        File("bookwyrm_librarything_latin1.tsv", .utf8, "\t", .lf, rows: 4, width: 49),
        File("bookwyrm_native.csv", .utf8, ",", .lf, rows: 4, width: 27),
        File("bookwyrm_openlibrary.csv", .utf8, ",", .lf, rows: 5, width: 3),
        File("bookwyrm_openreads.csv", .utf8, ",", .lf, rows: 5, width: 19),
        File("bookwyrm_storygraph.csv", .utf8, ",", .lf, rows: 3, width: 23),
        File("bsanser_storygraph_short_crlf.csv", .utf8, ",", .crlf, rows: 15, width: 23),
        File("dklbooks_bookbuddy_506.csv", .utf8, ",", .lf, rows: 507, width: 38),
        File("eitanshay_goodreads_hebrew_823.csv", .utf8, ",", .lf, rows: 824, width: 24),
        File("gigikenneth_goodreads_289.csv", .utf8, ",", .lf, rows: 290, width: 24),
        File("gqmendes_goodreads_8_columns_crlf.csv", .utf8, ",", .crlf, rows: 11, width: 8),
        File("helgeegil_goodreads_493.csv", .utf8, ",", .lf, rows: 494, width: 31),
        File("homelibraries_hardcover.csv", .utf8, ",", .lf, rows: 6, width: 37),
        File("inventaire_babelio_critiques_cp1252_semicolon.csv", .windows1252, ";", .crlf, rows: 2, width: 5),
        File("inventaire_goodreads.csv", .utf8, ",", .lf, rows: 7, width: 31),
        File("ivanalba_storygraph_124_es.csv", .utf8, ",", .lf, rows: 125, width: 23),
        File("jelu_goodreads1.csv", .utf8, ",", .lf, rows: 11, width: 31),
        File("jelu_goodreads_2022.csv", .utf8, ",", .lf, rows: 11, width: 24),
        File("jelu_goodreads_duplicates.csv", .utf8, ",", .lf, rows: 7, width: 31),
        File("openlibrary_goodreads.csv", .utf8, ",", .lf, rows: 4, width: 31),
        File("stefan_goodreads_excel_damaged_open.csv", .utf8, ",", .lf, rows: 180, width: 31),
        File("tellico_book.csv", .utf8, ",", .lf, rows: 2, width: 6),
        File("thomazbastiaanssen_goodreads_468.csv", .utf8, ",", .lf, rows: 469, width: 24),
        File("turtleengr_librarything_422_latin1.tsv", .windows1252, "\t", .lf, rows: 423, width: 49),
    ]

    private func read(_ name: String) throws -> ReadTable {
        try ReadTable(LibraryTable(path: TestData.root.appending(path: "library_exports/\(name)").path))
    }

    @Test("a file's encoding, delimiter, line ending and rows are recognized", arguments: files)
    func shape(_ file: File) throws {
        let table = try read(file.name)
        #expect(table.shape.kind == .delimited)
        #expect(table.shape.encoding == file.encoding)
        #expect(table.shape.delimiter == file.delimiter.asciiValue)
        #expect(table.shape.quote == UInt8(ascii: "\""))
        #expect(table.shape.lineEnd == file.lineEnd)
        #expect(table.shape.width == file.width)
        #expect(table.rows.count == file.rows)
    }

    @Test("no cell of any file contains a replacement character", arguments: files)
    func replacement(_ file: File) throws {
        let broken = try read(file.name).cells.flatMap { $0 }.filter { $0.unicodeScalars.contains("\u{FFFD}") }
        #expect(broken == [])
    }

    @Test(
        "a file whose lines were each wrapped in quotes by a spreadsheet yields the same cells",
        arguments: files.filter { $0.width > 1 })
    func wrapped(_ file: File) throws {
        let rows = try read(file.name).cells
        let lines = rows.map { row in
            let line = RealFile.text([row], delimiter: file.delimiter).dropLast()
            return "\"" + line.replacing("\"", with: "\"\"") + "\"\n"
        }
        let table = try ReadTable(lines.joined())
        #expect(table.shape.isWrapped)
        #expect(zip(table.cells, rows).count { $0 != $1 } == 0)
        #expect(table.rows.count == rows.count)
    }

    @Test("rows in which another program replaced undecodable characters are reported")
    func undecodable() throws {
        let rows = try read("argv1_goodreads_1451.csv").rows.filter { !$0.problems.isEmpty }
        #expect(rows.map(\.lineNumber) == [247, 1321, 1389])
        #expect(rows.map(\.problems) == Array(repeating: [RowProblem(.undecodable, column: 1)], count: 3))
        #expect(rows[1][1] == "Softwareentwicklung Von Kopf Bis Fu␦")
    }

    @Test("UTF-8 cells in a Latin-1 file are repaired")
    func mixedEncodings() throws {
        let rows = try read("turtleengr_librarything_422_latin1.tsv").rows
        #expect(rows[42][3] == "Mayer-Schönberger, Viktor")
        #expect(rows[71][3] == "Frisch, Æleen")
        #expect(rows[69][35].hasPrefix("Compilers (Computer programs)|C♯"))
    }

    @Test("a list of authors has one cell per line")
    func authors() throws {
        let table = try read("saganawski_author_list_no_header.csv")
        #expect(table.shape.kind == .lineList)
        #expect(table.rows.count == 100)
        #expect(table.cells.contains(["Madeleine L’Engle"]))
    }

    @Test("LibraryThing's JSON becomes a table")
    func json() throws {
        let table = try read("inventaire_librarything.json")
        #expect(table.shape.kind == .json)
        #expect(table.rows.count == 3)
        let book = Dictionary(uniqueKeysWithValues: zip(table.cells[0], table.cells[1]))
        #expect(book["title"] == "Harry Potter And The Order Of The Phoenix")
        #expect(book["authors.fl"] == "J. K. Rowling; J.K. Rowling; Mary GrandPr&eacute;")
        #expect(book["isbn"] == "0439358078; 9780439358071")
        #expect(book["lcc.code"] == "PZ7.R79835Halm")
        #expect(table.lines.first == 1)
        #expect(try read("tellico_librarything.json").rows.count == 4)
    }

    @Test("a multi-line review is one cell")
    func multipleLines() throws {
        let table = try read("bookwyrm_openreads.csv")
        #expect(table.lines == [1, 2, 3, 8, 9])
        #expect(table.cells[2][3].count { $0 == "\n" } == 4)
    }
}
