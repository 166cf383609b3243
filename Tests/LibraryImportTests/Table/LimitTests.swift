import Foundation
import LibraryImport
import Testing

@Suite("Library file limits")
struct LibraryLimitTests {
    private var limits: TableLimits {
        var limits = TableLimits()
        (limits.rows, limits.columns, limits.cellBytes) = (10, 8, 1_000)
        return limits
    }

    @Test("a file with too many rows is rejected with the number of rows, excluding the header")
    func rows() throws {
        let text = "Title,Author\n" + (1...11).map { "Emma \($0),Austen\n" }.joined()
        let table = try LibraryTable(bytes: Array(text.utf8), limits: limits)
        var delivered = 0
        #expect(throws: LibraryFileFault.tooManyRows(rows: 11, limit: 10)) {
            try table.forEachRow(hasHeader: true) { _ in delivered += 1 }
        }
        #expect(delivered == 10)
        #expect(try ReadTable(String(text.dropLast(15)), hasHeader: true, limits: limits).rows.count == 10)
    }

    @Test("a row with too many cells is reported with its line")
    func columns() {
        let row = Array(repeating: "x", count: 9).joined(separator: ",")
        #expect(LibraryFileFault.of("a,b\nc,d\n\(row)\n", limits: limits) == .tooManyColumns(line: 3, limit: 8))
    }

    @Test("a cell that is too long is reported with its line, whether it is quoted or not")
    func cells() {
        let long = String(repeating: "x", count: 1_001)
        #expect(LibraryFileFault.of("a,b\nc,\(long)\n", limits: limits) == .cellTooLong(line: 2, limit: 1_000))
        #expect(LibraryFileFault.of("a,b\nc,\"\(long)\"\nd,e\n", limits: limits) == .cellTooLong(line: 2, limit: 1_000))
        #expect(LibraryFileFault.of("a,b\nc,\(long.dropLast())\n", limits: limits) == nil)
        #expect(LibraryFileFault.of("a,b\nc,\"\(long.dropLast())\"\n", limits: limits) == nil)
    }

    @Test("a record that is too long is reported although each of its cells is short")
    func records() {
        var limits = TableLimits()
        limits.cellBytes = 10
        let long = Array(repeating: "12345678", count: 10).joined(separator: ",")
        #expect(LibraryFileFault.of("a,b\n\(long)\n", limits: limits) == .recordTooLong(line: 2, limit: 80))
    }

    @Test("an endless line is rejected at the cell size limit")
    func endlessLine() {
        #expect(LibraryFileFault.of(String(repeating: "x", count: 3_000_000)) == .cellTooLong(line: 1, limit: 1 << 20))
        #expect(
            LibraryFileFault.of("\"" + String(repeating: "x", count: 3_000_000))
                == .cellTooLong(line: 1, limit: 1 << 20))
    }

    @Test("an unclosed quote does not turn the rest of the file into one cell")
    func unclosedQuote() throws {
        let rows = (1...200).map { "\($0),Emma,Austen" }
        let text = "id,title,author\n0,\"Emma,Austen\n" + rows.joined(separator: "\n") + "\n"
        var limits = TableLimits()
        limits.cellBytes = 1_000
        let table = try ReadTable(text, limits: limits)
        #expect(table.rows.count == 202)
        #expect(table.problems == [RowProblem(.unclosedQuote, column: 1)])
    }

    @Test("a file without text is reported as empty", arguments: ["", "\n\n", " \r\n\t\n", "\u{FEFF}"])
    func empty(_ text: String) {
        #expect(LibraryFileFault.of(text) == .empty)
    }

    @Test("a file of arbitrary bytes, such as an archive or an e-book, is not text")
    func binary() {
        let bytes = (0..<4_096).map { UInt8(truncatingIfNeeded: 200 + $0 * 167) }
        #expect(throws: LibraryFileFault.notText) { try LibraryTable(bytes: bytes) }
    }

    @Test("a stray control character does not make a table in a code page binary")
    func strayControl() throws {
        let text = "Nr;Titre;Auteur\n" + (1...20).map { "\($0);Léon;Zola\n" }.joined() + "21;Nana;Zola\u{7}\n"
        let table = try ReadTable(text.unicodeScalars.map { UInt8($0.value) })
        #expect(table.shape.encoding == .windows1252)
        #expect(table.cells.last == ["21", "Nana", "Zola\u{7}"])
    }

    @Test("a missing file is reported as unreadable")
    func missing() {
        #expect(throws: LibraryFileFault.unreadable(path: "/nonexistent/books.csv", errno: 2)) {
            _ = try LibraryTable(path: "/nonexistent/books.csv")
        }
    }

    @Test("a file that is truncated while it is being read is reported as unreadable", arguments: [0, 60])
    func truncated(length: Int) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "truncated-\(UUID().uuidString).csv")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(("Title,Author\n" + String(repeating: "Emma,Jane Austen\n", count: 10)).utf8).write(to: file)
        let table = try LibraryTable(path: file.path)
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: UInt64(length))
        try handle.close()
        #expect(throws: LibraryFileFault.unreadable(path: file.path, errno: EIO)) {
            try table.forEachRow(hasHeader: true) { _ in }
        }
    }

    @Test("a file of another size than expected is reported as unreadable")
    func otherSize() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "size-\(UUID().uuidString).csv")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("Title,Author\nEmma,Jane Austen\n".utf8).write(to: file)
        #expect(throws: LibraryFileFault.unreadable(path: file.path, errno: EIO)) {
            try LibraryTable(path: file.path, expectedCount: 31)
        }
        #expect(try LibraryTable(path: file.path, expectedCount: 30).byteCount == 30)
    }

    @Test("a file can be read several times with the same result")
    func severalWalks() throws {
        let table = try LibraryTable(bytes: Array("a,b\nc,d\n\"e\nf\",g\n".utf8))
        let first = try ReadTable(table)
        #expect(first.rows == (try ReadTable(table)).rows)
        #expect(first.rows.last?.byteEnd == table.byteCount)
    }
}

@Suite("JSON exports")
struct JSONExportTests {
    @Test("objects in an array become rows, and columns are in the order in which their names first occur")
    func array() throws {
        let table = try ReadTable(
            #"[{"title": "Emma", "year": 1815}, {"author": "King", "title": "It", "rating": 4.5, "read": true}]"#)
        #expect(table.shape.kind == .json)
        #expect(
            table.cells == [
                ["title", "year", "author", "rating", "read"], ["Emma", "1815", "", "", ""],
                ["It", "", "King", "4.5", "true"],
            ])
    }

    @Test("an object that contains objects yields one row for each of them")
    func objects() throws {
        let table = try ReadTable("{\"7\": {\"title\": \"Emma\"},\n\"9\": {\"title\": \"It\"}}")
        #expect(table.cells == [["title"], ["Emma"], ["It"]])
        #expect(table.lines == [1, 1, 2])
    }

    @Test("U+0000 is removed from JSON as it is from text")
    func zeros() throws {
        let table = try ReadTable(#"[{"title": "Em\u0000ma\u0000", "shelf": "\u0000"}, {"title": "\u0000"}]"#)
        #expect(table.cells == [["title", "shelf"], ["Emma", ""]])
    }

    @Test("a list inside the outermost object is read as the records")
    func innerList() throws {
        #expect(try ReadTable(#"{"version": 2, "books": [{"title": "Emma"}]}"#).cells == [["title"], ["Emma"]])
    }

    @Test("nested members become columns, and several values are joined in one cell")
    func nesting() throws {
        let table = try ReadTable(
            #"[{"author": {"first": "Jane"}, "tags": ["a", "b"], "isbn": {"0": "1", "2": "2"}, "none": null, "lists": [{"n": "x"}, {"n": "y"}]}]"#
        )
        #expect(table.cells == [["author.first", "tags", "isbn", "lists.n"], ["Jane", "a; b", "1; 2", "x; y"]])
    }

    @Test("invalid JSON is reported with its line")
    func broken() {
        guard case .invalidJSON(let line, let reason) = LibraryFileFault.of("{\"7\": {\"title\": \"Emma\"},\n\"9\": }")
        else {
            Issue.record("invalid JSON was accepted")
            return
        }
        #expect(line == 2)
        #expect(!reason.isEmpty)
        #expect(LibraryFileFault.of("[{}]") == .invalidJSON(line: 1, reason: "the document has no records"))
    }

    @Test("a JSON export with too many columns is rejected with the line of the record that has one too many")
    func tooManyColumns() {
        var limits = TableLimits()
        limits.columns = 8
        let members = (0..<9).map { "\"n\($0)\": 1" }
        func fault(_ count: Int) -> LibraryFileFault? {
            let record = members.prefix(count).joined(separator: ", ")
            return LibraryFileFault.of("[{\"n0\": 1},\n{\(record)}]", limits: limits)
        }
        #expect(fault(8) == nil)
        #expect(fault(9) == .tooManyColumns(line: 2, limit: 8))
    }

    @Test("a name of more than 1 KiB is rejected, including the names of enclosing members")
    func longName() {
        func fault(_ outer: Int, _ inner: Int) -> LibraryFileFault? {
            let names = (String(repeating: "x", count: outer), String(repeating: "y", count: inner))
            return LibraryFileFault.of("[{\"title\": \"Emma\"},\n{\"\(names.0)\": {\"\(names.1)\": 1}}]")
        }
        #expect(fault(1_000, 23) == nil)
        let expected = LibraryFileFault.invalidJSON(line: 2, reason: "a name is longer than 1024 bytes")
        #expect(fault(1_000, 24) == expected)
        #expect(fault(1_024, 1) == expected)
    }

    @Test("a cell that is too long is rejected with its line, whether it has one value or several")
    func longCell() {
        var limits = TableLimits()
        limits.cellBytes = 1_000
        func fault(_ counts: Int...) -> LibraryFileFault? {
            let values = counts.map { "\"" + String(repeating: "x", count: $0) + "\"" }.joined(separator: ", ")
            return LibraryFileFault.of("[{\"title\": \"Emma\"},\n{\"tags\": [\(values)]}]", limits: limits)
        }
        #expect(fault(1_000) == nil)
        #expect(fault(1_001) == .cellTooLong(line: 2, limit: 1_000))
        #expect(fault(500, 498) == nil)
        #expect(fault(500, 499) == .cellTooLong(line: 2, limit: 1_000))
    }

    /// The members of a record with almost as many columns as allowed.
    private static let manyMembers = (0..<507).map { "\"n\($0)\": 1" }.joined(separator: ", ")

    @Test("blank records next to a record with many columns are skipped quickly", .timeLimit(.minutes(1)))
    func blankRecords() throws {
        let blank = String(repeating: ",{},{\"n0\": \" \"}", count: 100_000)
        let table = try ReadTable("[{\(Self.manyMembers)}\(blank),\n{\"n1\": 2}]")
        #expect(table.rows.count == 3)
        #expect(table.lines == [1, 1, 2])
        #expect(table.rows[2][1] == "2")
        #expect(table.rows[2].count == 507)
    }

    @Test(
        "records beyond the row limit are counted quickly, and none of them is delivered", .timeLimit(.minutes(1)))
    func recordsBeyondLimit() throws {
        var limits = TableLimits()
        limits.rows = 10
        let more = String(repeating: ",{\"n0\": 1}", count: 200_000)
        let table = try LibraryTable(bytes: Array("[{\(Self.manyMembers)}\(more)]".utf8), limits: limits)
        var delivered: [Int] = []
        #expect(throws: LibraryFileFault.tooManyRows(rows: 200_001, limit: 10)) {
            try table.forEachRow(hasHeader: true) { delivered.append($0.count) }
        }
        #expect(delivered == Array(repeating: 507, count: 10))
    }

    @Test("text that starts with a title in square brackets is not JSON")
    func brackets() throws {
        #expect(try ReadTable("[sic],Lynne Truss\nEmma,Jane Austen\n").cells[0] == ["[sic]", "Lynne Truss"])
    }
}
