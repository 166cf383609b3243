/// Writes CSV for people and for the next import: UTF-8, commas, CRLF (RFC 4180).
///
/// A spreadsheet runs a cell as a formula if it begins with `=`, `+`, `-`, `@`, a tab or a carriage return (OWASP, "CSV injection"). Such a cell
/// gets one apostrophe in front, and so does one that begins with apostrophes before such a character, so that `restored` can take exactly one away.
package struct LibraryCSVWriter: Sendable {
    /// What has been written since it was last taken.
    private var bytes: [UInt8] = []
    private let width: Int

    /// Writes the header.
    ///
    /// - Parameter columns: Names of roles in the suite's own files; the file's own header for rows that are given back.
    package init(columns: [String]) {
        width = columns.count
        write(columns)
    }

    /// Bytes that wait to be taken.
    package var count: Int { bytes.count }

    /// Takes away what has been written.
    package mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Writes one row. A short one is filled with empty cells.
    package mutating func write(_ cells: [String]) {
        for (column, cell) in cells.enumerated() {
            if column > 0 { bytes.append(UInt8(ascii: ",")) }
            write(cell)
        }
        if cells.count < width {
            bytes.append(contentsOf: repeatElement(UInt8(ascii: ","), count: width - max(cells.count, 1)))
        }
        bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }

    private mutating func write(_ cell: String) {
        let text = Self.isFormula(cell) ? "'" + cell : cell
        guard Self.needsQuotes(text) else { return bytes += text.utf8 }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// The cell as it was before it was written.
    package static func restored(_ cell: String) -> String {
        cell.utf8.first == UInt8(ascii: "'") && isFormula(cell) ? String(cell.unicodeScalars.dropFirst()) : cell
    }

    /// Whether a character that starts a formula comes first, perhaps behind apostrophes.
    private static func isFormula(_ cell: String) -> Bool {
        switch cell.utf8.first(where: { $0 != UInt8(ascii: "'") }) {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "\t"),
            UInt8(ascii: "\r"):
            true
        default: false
        }
    }

    /// Whether a cell would be read as something else without quotes.
    private static func needsQuotes(_ cell: String) -> Bool {
        let utf8 = cell.utf8
        if utf8.first == UInt8(ascii: " ") || utf8.first == UInt8(ascii: "#") || utf8.last == UInt8(ascii: " ") {
            return true
        }
        return utf8.contains {
            switch $0 {
            case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: ";"),
                UInt8(ascii: "\t"),
                UInt8(ascii: "|"):
                true
            default: false
            }
        }
    }
}
