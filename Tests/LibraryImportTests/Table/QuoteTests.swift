import LibraryImport
import Testing

@Suite("Quoted cells and malformed quotes")
struct QuoteTests {
    /// Reads a three-column table that contains the tested lines, and checks the rows around them.
    private func read(_ lines: String) throws -> ReadTable {
        let table = try ReadTable(
            "id,title,author\n1,Emma,Jane Austen\n\(lines)\n8,Dune,Frank Herbert\n9,It,Stephen King\n")
        #expect(table.shape.delimiter == UInt8(ascii: ","))
        #expect(table.shape.width == 3)
        #expect(table.cells.first == ["id", "title", "author"])
        #expect(table.cells.suffix(2) == [["8", "Dune", "Frank Herbert"], ["9", "It", "Stephen King"]])
        return table
    }

    @Test("a doubled quote becomes one quote")
    func doubled() throws {
        let table = try read(#"2,"The ""Great"" Gatsby",Fitzgerald"#)
        #expect(table.cells[2] == ["2", "The \"Great\" Gatsby", "Fitzgerald"])
        #expect(table.problems == [])
    }

    @Test("a quote inside an unquoted cell is text")
    func insideUnquoted() throws {
        let table = try read("2,The \"Great\" Gatsby,F. \"Scott\"")
        #expect(table.cells[2] == ["2", "The \"Great\" Gatsby", "F. \"Scott\""])
        #expect(table.problems == [])
    }

    @Test("quotes inside a quoted cell need not be doubled")
    func notDoubled() throws {
        let table = try read(#"2,"The "Great, Fine" Gatsby","Fitzgerald, "Scott"""#)
        #expect(table.cells[2] == ["2", "The \"Great, Fine\" Gatsby", "Fitzgerald, \"Scott\""])
        #expect(table.problems == [RowProblem(.textAfterQuote, column: 1)])
    }

    @Test("text after a closing quote belongs to the cell")
    func textAfterQuote() throws {
        let table = try read(#"2,"Emma" (abridged),Austen"#)
        #expect(table.cells[2] == ["2", "Emma (abridged)", "Austen"])
        #expect(table.problems == [RowProblem(.textAfterQuote, column: 1)])
    }

    @Test("spaces around a quoted cell are removed")
    func spaces() throws {
        let table = try read(#"2, "Emma, again" , "Austen""#)
        #expect(table.cells[2] == ["2", "Emma, again", "Austen"])
        #expect(table.problems == [])
    }

    @Test("a quoted cell may span several lines")
    func lines() throws {
        let table = try read("2,\"Emma\n\nor\r\nnot\",Austen")
        #expect(table.cells[2] == ["2", "Emma\n\nor\r\nnot", "Austen"])
        #expect(table.lines == [1, 2, 3, 7, 8])
    }

    @Test("an unclosed quote does not affect other rows")
    func unclosed() throws {
        let table = try read("2,\"Emma,Austen")
        #expect(table.cells[2] == ["2", "Emma", "Austen"])
        #expect(table.problems == [RowProblem(.unclosedQuote, column: 1)])
    }

    @Test("a quote that a later row only appears to close does not affect other rows")
    func closedByLaterRow() throws {
        let table = try read("2,\"Emma,Austen\n3,It,King\n4,\"Dune, again\",\"Herbert, Frank\"")
        #expect(table.cells[2] == ["2", "Emma", "Austen"])
        #expect(table.cells[3] == ["3", "It", "King"])
        #expect(table.cells[4] == ["4", "Dune, again", "Herbert, Frank"])
        #expect(table.lines == [1, 2, 3, 4, 5, 6, 7])
    }

    @Test("an unclosed multi-line cell ends before the next line that has the usual number of cells")
    func unclosedLines() throws {
        let table = try read("2,Emma,\"Jane\nAusten\nof Hampshire\n3,\"Dune, again\",Herbert")
        #expect(table.cells[2] == ["2", "Emma", "Jane\nAusten\nof Hampshire"])
        #expect(table.cells[3] == ["3", "Dune, again", "Herbert"])
        #expect(table.problems == [RowProblem(.unclosedQuote, column: 2)])
    }

    @Test("an unclosed quote in the last row is removed and reported")
    func unclosedLast() throws {
        let table = try ReadTable("id,title\n1,Emma\n2,\"Dune")
        #expect(table.cells.last == ["2", "Dune"])
        #expect(table.problems == [RowProblem(.unclosedQuote, column: 1)])
    }

    @Test("a multi-line cell whose inner quotes are not doubled remains one cell")
    func linesNotDoubled() throws {
        let table = try read("2,\"Emma\nor \"Emma\" again\nin three lines\",Austen")
        #expect(table.cells[2] == ["2", "Emma\nor \"Emma\" again\nin three lines", "Austen"])
        #expect(table.lines == [1, 2, 3, 6, 7])
    }

    @Test("a file in which every row is malformed is read to its end")
    func manyRepairs() throws {
        let rows = (0..<20_000).map { "\($0),\"Emma \"the\" \($0),\"Austen" }
        let table = try ReadTable("id,title,author\n" + rows.joined(separator: "\n") + "\n")
        #expect(table.rows.count == 20_001)
    }

    @Test(
        "lines whose quotes are never closed are read quickly, although every attempt to repair them fails",
        .timeLimit(.minutes(1)))
    func unclosedEverywhere() throws {
        // More than the sample, so the shape is detected from regular rows alone.
        let rows = String(repeating: "1,Emma,Jane Austen\n", count: 20_000)
        let table = try ReadTable("id,title,author\n" + rows + String(repeating: "\"a\n", count: 20_000))
        #expect(table.cells.prefix(2) == [["id", "title", "author"], ["1", "Emma", "Jane Austen"]])
        #expect(table.rows.count > 20_001)
        #expect(table.rows.last?.cells.first?.last == "a")
    }
}
