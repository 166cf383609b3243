import Testing

@testable import BookstrackCLI

@Suite("Tables")
struct TextTableTests {
    @Test("a cell cannot turn the direction of the cells behind it, nor move the cursor")
    func direction() {
        let table = TextTable(
            header: ["Title", "Year"], rows: [["Dune\u{202E}\u{1B}[2J", "1965"], ["\u{2066}三体", "2008"]])
        #expect(
            table.lines(width: 80).dropFirst(2) == [#"Dune\u{202E}\u{1B}[2J  1965"#, #"\u{2066}三体           2008"#])
    }
}
