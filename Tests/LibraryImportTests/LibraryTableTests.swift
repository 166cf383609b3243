import LibraryImport
import TestSupport
import Testing

@Suite("Tables of library files")
struct LibraryTableTests {
    @Test("a comma separated file is read row by row")
    func commas() throws {
        let text = "Title,Author\n\"Dune, again\",\"Frank \"\"H\"\" Herbert\"\n\nEmma,Jane Austen"
        let table = try LibraryTable(bytes: Array(text.utf8))
        var rows: [[String]] = []
        try table.forEachRow(hasHeader: true) { rows.append($0.cells) }
        #expect(rows == [["Dune, again", "Frank \"H\" Herbert"], ["Emma", "Jane Austen"]])
        #expect(table.leadingRows.map(\.lineNumber) == [1, 2, 4])
    }
}
