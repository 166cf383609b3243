import LibraryImport
import TestSupport
import Testing

@Suite("Round trips of random tables")
struct RoundTripTests {
    private static let words = [
        "Emma", "Dune", "The Lion, the Witch", "\"Repent\"", "8\"", "a;b", "x\ty", "1|2", "'Tis", "é", "Война", "#1",
        "=",
    ]

    /// A header of words, and rows of arbitrary cells; no row is blank.
    private static func table(_ random: inout SeededGenerator) -> [[String]] {
        let width = Int.random(in: 3...9, using: &random)
        let header = (0..<width).map { "column\($0)" }
        return [header]
            + (0..<Int.random(in: 1...12, using: &random)).map { row in
                ["row \(row)"] + (1..<width).map { _ in cell(&random) }
            }
    }

    /// Random text without zero bytes, which a table's reader removes, and without U+FFFD, which it replaces.
    private static func cell(_ random: inout SeededGenerator) -> String {
        let text = RandomText.text(of: words, longest: 4, using: &random)
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\0" && $0 != "\u{FFFD}" }))
    }

    private static func written(
        _ table: [[String]], _ delimiter: String, _ lineEnd: String, _ random: inout SeededGenerator
    ) -> String {
        table.map { row in
            row.map { cell in
                let plain =
                    cell.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == " ") } && cell.first != " "
                    && cell.last != " "
                guard !plain || Bool.random(using: &random) else { return cell }
                return "\"" + cell.replacing("\"", with: "\"\"") + "\""
            }.joined(separator: delimiter)
        }.joined(separator: lineEnd) + lineEnd
    }

    @Test(
        "tables with any delimiter and line ending are read back unchanged", arguments: [",", ";", "\t", "|"],
        ["\n", "\r\n", "\r"])
    func anyTable(_ delimiter: String, _ lineEnd: String) throws {
        var random = SeededGenerator(seed: UInt64(delimiter.utf8.first ?? 0) &+ UInt64(lineEnd.utf8.count))
        for _ in 0..<RandomText.inputs(usually: 100) {
            let table = Self.table(&random)
            let read = try ReadTable(Self.written(table, delimiter, lineEnd, &random))
            try #require(read.shape.delimiter == delimiter.utf8.first)
            try #require(read.cells == table)
        }
    }

    @Test("a table has the same rows whatever the size of the blocks in which it is read")
    func anyBlocks() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<RandomText.inputs(usually: 30) {
            var text = Array(Self.written(Self.table(&random), ",", "\n", &random).utf8)
            // Damaged rows make the parser look further ahead.
            for _ in 0..<3 { text.insert(UInt8(ascii: "\""), at: Int.random(in: 0...text.count, using: &random)) }
            let whole = try ReadTable(text)
            for blockSize in [1, 2, 3, 7, 64, Int.random(in: 1...text.count, using: &random)] {
                let cut = try ReadTable(text, blockSize: blockSize)
                try #require(cut.rows == whole.rows)
            }
        }
    }

    @Test("a UTF-16 table has the same cells whatever the size of the blocks in which it is read")
    func anyUTF16() throws {
        let table = [
            ["Title", "Author", "Year"], ["📚 Bücher", "Ōe, Kenzaburō", "1994"], ["Война", "Толстой", "1869"],
        ]
        var random = SeededGenerator(seed: 8)
        let text = Self.written(table, ";", "\r\n", &random)
        let bytes: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        for blockSize in 1...bytes.count {
            try #require(try ReadTable(bytes, blockSize: blockSize).cells == table)
        }
    }
}
