import Testing

@testable import BookstrackCLI

/// The same rows at several widths, and tables as CSV.
@Suite("Tables at several widths")
struct TableLayoutTests {
    private static let table = TextTable(
        columns: [
            .init("ISBN"), .init("Title", .text), .init("Pages", .figure), .init("Publisher", .text, least: 10),
            .init("Format", least: 5),
        ],
        rows: [
            ["9780441172719", "Dune", "535", "Ace Books", "Paperback"],
            ["9780618640157", "The Lord of the Rings", "1178", "Houghton Mifflin", "Hardcover"],
        ])

    @Test("if there is room, each column has its natural width, and numbers are right-aligned")
    func wide() {
        #expect(
            Self.table.lines(width: 80) == [
                "ISBN           Title                  Pages  Publisher         Format",
                "-------------  ---------------------  -----  ----------------  ---------",
                "9780441172719  Dune                     535  Ace Books         Paperback",
                "9780618640157  The Lord of the Rings   1178  Houghton Mifflin  Hardcover",
            ])
    }

    @Test("optional text is shortened before any column is left out")
    func optionalText() {
        #expect(
            Self.table.lines(width: 69) == [
                "ISBN           Title                  Pages  Publisher      Format",
                "-------------  ---------------------  -----  -------------  ---------",
                "9780441172719  Dune                     535  Ace Books      Paperback",
                "9780618640157  The Lord of the Rings   1178  Houghton Mif…  Hardcover",
            ])
    }

    @Test("optional columns are left out, the last one first, before titles are shortened")
    func leftOut() {
        #expect(Self.table.lines(width: 60).first == "ISBN           Title                  Pages  Publisher")
        #expect(Self.table.lines(width: 50).first == "ISBN           Title                  Pages")
    }

    @Test("titles are shortened last, and cells that do not fit side by side are placed below each other")
    func narrow() {
        #expect(
            Self.table.lines(width: 36).last == "9780618640157  The Lord of t…   1178")
        #expect(
            Self.table.lines(width: 30).prefix(4) == [
                "9780441172719", "  Title: Dune", "  Pages: 535", "  Publisher: Ace Books",
            ])
    }

    @Test("no line is wider than the terminal", arguments: 20...90)
    func bounded(width: Int) {
        for line in Self.table.lines(width: width) { #expect(DisplayWidth.of(line) <= width) }
    }

    @Test("a table with no rows consists only of its header")
    func empty() {
        let table = TextTable(columns: [.init("Job"), .init("Done", .figure)], rows: [[String]]())
        #expect(table.lines(width: 80) == ["Job  Done", "---  ----"])
        #expect(table.csv == "job,done\r\n")
        #expect(table.csvRows.isEmpty)
    }

    @Test("CSV contains every column, under its lowercase name or a given key")
    func csvHeader() {
        let table = TextTable(
            columns: [.init("Made at"), .init("SHA-256", key: "sha256"), .init("Note", .text, least: 90)],
            rows: [["a", "b", "c"]])
        #expect(table.csv == "made_at,sha256,note\r\na,b,c\r\n")
    }

    @Test(
        "a cell that would break a CSV line is quoted, and one that would be a formula is marked as text",
        arguments: [
            ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("a\nb", "\"a\nb\""),
            ("a\rb", "\"a\rb\""),
            ("=1+1", "'=1+1"), ("+4", "+4"), ("-0.5", "-0.5"), ("-x", "'-x"), ("@SUM(A1)", "'@SUM(A1)"),
            ("\tx", "'\tx"),
            ("=a,b", "\"'=a,b\""), ("", ""), ("1e5", "1e5"),
        ])
    func cells(text: String, cell: String) {
        #expect(TextTable(columns: [.init("A")], rows: [[text]]).csvRows == cell + "\r\n")
    }

    @Test("a cell's color does not count toward its width, and is not written to CSV")
    func colors() {
        let table = TextTable(
            columns: [.init("State"), .init("Name")], rows: [[.init("down", .problem), .init("progress-host")]])
        let lines = table.lines(OutputStyle(width: 40, colors: true))
        #expect(lines.last == "\u{1B}[31mdown\u{1B}[0m   progress-host")
        #expect(table.csvRows == "down,progress-host\r\n")
    }
}
