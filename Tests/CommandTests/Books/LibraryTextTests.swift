import BookstrackContract
import Foundation
import NIOCore
import ServiceKit
import Testing

@testable import BookstrackCLI

@Suite("Descriptions of library files")
struct LibraryTextTests {
    private func source(_ format: LibraryFormat, _ columns: [ImportColumn] = []) -> ImportSource {
        ImportSource(
            format: format, confidence: 1, encoding: "utf-8", delimiter: ",", lineEnd: "lf", hasHeader: true,
            columns: columns)
    }

    @Test(
        "the description of a file starts with the title of its format",
        arguments: [
            (LibraryFormat.goodreads, "Goodreads export"), (.storygraph, "StoryGraph export"),
            (.librarythingJSON, "LibraryThing export"), (.bookwyrmGeneric, "BookWyrm export"),
            (.openlibrary, "Open Library reading log"), (.calibre, "Calibre catalog"),
            (.tellico, "Tellico collection"),
            (.clz, "CLZ Books export"), (.libby, "Libby list"), (.kindle, "Kindle data"),
            (.bookstrack, "BooksTrack library"),
            (.isbnList, "List of ISBNs"), (.titleList, "List of titles"),
            (.unknown, "Table from an unknown application"),
        ])
    func titles(format: LibraryFormat, title: String) {
        #expect(format.title == title)
        #expect(SourceText.sentence(source(format)) == "\(title), utf-8.")
    }

    @Test("columns count as used if they have a role and are not ignored")
    func used() {
        let columns = [
            ImportColumn(index: 0, header: "Title", role: .title, confidence: 1, by: .header),
            ImportColumn(index: 1, header: "x", role: .ignore, confidence: 1, by: .header),
            ImportColumn(index: 2, header: "y"),
        ]
        #expect(SourceText.sentence(source(.goodreads, columns)) == "Goodreads export, utf-8, 1 of 3 columns used.")
        #expect(SourceText.sentence(source(.isbnList, [columns[0]])) == "List of ISBNs, utf-8.")
    }

    private func sample(_ role: ColumnRole?, header: String = "H", _ change: (inout ImportedBook) -> Void) -> String {
        var book = ImportedBook(row: 1, lineNumber: 2, title: "Dune", author: "Frank Herbert")
        change(&book)
        let column = ImportColumn(index: 3, header: header, role: role, confidence: 0.876, by: .header)
        return SourceText.table(source(.unknown, [column]), [book]).rows[0].map(\.text).joined(separator: "|")
    }

    @Test("a column is shown with a sample of what was read from it, the confidence, and how it was recognized")
    func samples() {
        #expect(sample(.title) { _ in } == "H|title|Dune|88 %|header")
        #expect(sample(.author) { _ in } == "H|author|Frank Herbert|88 %|header")
        #expect(sample(.authors) { $0.authors = ["A", "B"] } == "H|authors|A, B|88 %|header")
        #expect(sample(.status) { $0.status = .read } == "H|status|read|88 %|header")
        #expect(sample(.status) { $0.statusRaw = "gelesen" } == "H|status|gelesen|88 %|header")
        #expect(sample(.owned) { $0.owned = false } == "H|owned|no|88 %|header")
        #expect(sample(.readCount) { $0.readCount = 3 } == "H|readCount|3|88 %|header")
        #expect(sample(.shelves) { $0.shelves = ["a", "b"] } == "H|shelves|a, b|88 %|header")
        #expect(sample(.pageCount) { $0.pageCount = 535 } == "H|pageCount|535|88 %|header")
        #expect(sample(.ignore) { _ in } == "H|ignore||88 %|header")
    }

    @Test(
        "a column with no role is shown by its header or number, with a raw cell as its sample",
        arguments: [("H", "H"), ("", "3")])
    func raw(header: String, key: String) {
        let shown = sample(nil, header: header) { $0.raw = RawCells([.init(column: key, text: "red")]) }
        #expect(shown == "\(key)|-|red||header")
    }
}
