import Foundation

/// Reads comma-separated values (RFC 4180), or values with another separator, with any line ends; cells are trimmed.
struct CSVReader {
    private enum State {
        case cellStart
        case plain
        case quoted
        /// After a quote within quotes: the end of the cell, or half of an escaped quote.
        case quoteSeen
    }

    private let delimiter: Character
    private var state = State.cellStart
    private var line = 1
    private var quoteLine = 1
    private var cell = ""
    private var record: [String] = []
    private var records: [[String]] = []

    private init(delimiter: Character) { self.delimiter = delimiter }

    /// The records of a text. Throws for a quote that is not closed, and for text after a closing quote.
    static func records(of text: String, delimiter: Character = ",") throws(CSVError) -> [[String]] {
        var reader = CSVReader(delimiter: delimiter)
        for character in text { try reader.take(character) }
        return try reader.finish()
    }

    private mutating func take(_ character: Character) throws(CSVError) {
        switch (state, character) {
        case (.quoted, "\""): state = .quoteSeen
        case (.quoted, _): cell.append(character)
        case (.quoteSeen, "\""):
            cell.append("\"")
            state = .quoted
        case (.cellStart, "\""):
            quoteLine = line
            cell = ""
            state = .quoted
        case (_, delimiter): endCell()
        case (_, _) where character.isNewline: endRecord()
        case (.quoteSeen, _):
            guard character.isWhitespace else { throw CSVError(line: line, problem: "text after a closing quote") }
        case (.cellStart, _):
            cell.append(character)
            if !character.isWhitespace { state = .plain }
        case (.plain, _): cell.append(character)
        }
        if character.isNewline { line += 1 }
    }

    private mutating func endCell() {
        record.append(cell.trimmingCharacters(in: .whitespacesAndNewlines))
        cell = ""
        state = .cellStart
    }

    private mutating func endRecord() {
        endCell()
        records.append(record)
        record = []
    }

    private mutating func finish() throws(CSVError) -> [[String]] {
        if case .quoted = state { throw CSVError(line: quoteLine, problem: "a quote that is not closed") }
        endRecord()
        return records
    }
}
