/// Cells of the suite's own CSV files, which are read back as they were written.
enum OwnCell {
    /// The suite's own files guard a cell that a spreadsheet would take for a formula, apostrophes before it or not, with one apostrophe.
    static func withoutGuard(_ text: String) -> String {
        guard text.utf8.first == UInt8(ascii: "'"), let next = text.utf8.first(where: { $0 != UInt8(ascii: "'") }),
            "=+-@\t\r".utf8.contains(next)
        else { return text }
        return String(Substring(text.utf8.dropFirst()))
    }
}
