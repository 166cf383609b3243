import Foundation
import Testing

@testable import BookstrackCLI

@Suite("Tables")
struct TextTableTests {
    private static let jobs = TextTable(
        columns: [.init("Job"), .init("Title", .text), .init("Done", .figure), .init("Why", .prose)],
        rows: [
            [
                "f2fe9772-e404-440f-8ad9-19432d456abc", "The Brothers Karamazov", "7",
                .init("the provider did not answer in time", .warning),
            ]
        ])

    @Test("a cell can neither reverse the direction of the following cells nor move the cursor")
    func direction() {
        let table = TextTable(
            columns: [.init("Title", .text), .init("Year")],
            rows: [["Dune\u{202E}\u{1B}[2J", "1965"], ["\u{2066}三体", "2008"]])
        #expect(
            table.lines(width: 80).dropFirst(2) == [#"Dune\u{202E}\u{1B}[2J  1965"#, #"\u{2066}三体           2008"#])
    }

    @Test("free text is shortened before IDs, which are never cut")
    func ids() {
        #expect(
            Self.jobs.lines(width: 80) == [
                "Job                                   Title              Done  Why",
                "------------------------------------  -----------------  ----  -----------------",
                "f2fe9772-e404-440f-8ad9-19432d456abc  The Brothers Kar…     7  the provider did",
                "                                                               not answer in",
                "                                                               time",
            ])
    }

    @Test(
        "an optional date is shown in full or not at all, and each heading is aligned with its column",
        arguments: 20...60)
    func names(width: Int) {
        let table = TextTable(
            columns: [.init("Title", .text), .init("Published", least: 4), .init("Publisher", .text, least: 12)],
            rows: [["The Hobbit", "1937-09-21", "George Allen & Unwin"], ["Emma", "1815", "John Murray"]])
        let lines = table.lines(width: width)
        for line in lines { #expect(DisplayWidth.of(line) <= width) }
        #expect(!lines.contains { $0.contains("193…") })
        guard let title = lines[0].range(of: "Published") else {
            #expect(width < 22)
            return
        }
        let column = lines[0].distance(from: lines[0].startIndex, to: title.lowerBound)
        #expect(lines[1].dropFirst(column).hasPrefix("----------"))
        #expect(lines[2].dropFirst(column).hasPrefix("1937-09-21"))
    }

    @Test("if the columns do not fit, each row takes several lines and nothing is lost")
    func stacked() {
        #expect(
            Self.jobs.lines(width: 40) == [
                "f2fe9772-e404-440f-8ad9-19432d456abc", "  Title: The Brothers Karamazov", "  Done: 7",
                "  Why: the provider did not answer in", "    time",
            ])
    }

    @Test("colors show the meaning and take up no width")
    func colors() {
        let table = TextTable(
            columns: [.init("State"), .init("Name")],
            rows: [[.init("ok", .ok), "a"], [.init("late", .warning), "b"], [.init("down", .problem), "c"]])
        #expect(
            table.lines(OutputStyle(width: 80, colors: true)).dropFirst(2) == [
                "\u{1B}[32mok\u{1B}[0m     a", "\u{1B}[33mlate\u{1B}[0m   b", "\u{1B}[31mdown\u{1B}[0m   c",
            ])
    }

    @Test("CSV quotes characters that would end a cell, and prefixes cells that a spreadsheet would treat as formulas")
    func csv() {
        let table = TextTable(
            columns: [.init("Exit status"), .init("Text", key: "what")],
            rows: [["a,b", "say \"no\""], ["=1+1", "-800"], ["@SUM(A1)", "line\nbreak"], ["\t=1", "+a"]])
        #expect(
            table.csv == "exit_status,what\r\n\"a,b\",\"say \"\"no\"\"\"\r\n'=1+1,-800\r\n'@SUM(A1),\"line\nbreak\"\r\n"
                + "'\t=1,'+a\r\n")
    }

    @Test("CSV also quotes commas and quotes that a combining mark follows, which form one character with it")
    func combiningMarks() {
        let table = TextTable(
            columns: [.init("A"), .init("B")], rows: [["a,\u{301}b", "a\"\u{301}b"], ["=\u{301}1", "a\r\nb"]])
        #expect(
            table.csvRows == "\"a,\u{301}b\",\"a\"\"\u{301}b\"\r\n'=\u{301}1,\"a\r\nb\"\r\n")
    }
}
