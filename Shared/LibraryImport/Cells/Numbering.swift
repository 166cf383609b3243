/// Numbers and bullets before the entries of a list: `1. Emma`, `12) Emma`, `- Emma`.
enum Numbering {
    /// Whether at least 80 % of the rows begin with a number or a bullet; false for a single row.
    static func isUsual(in rows: [[String]]) -> Bool {
        rows.count > 1 && 10 * rows.count { $0.first.map { without($0) != $0 } ?? false } >= 8 * rows.count
    }

    /// The entry without its number or bullet; the whole text if it has none.
    static func without(_ text: String) -> String {
        let trimmed = text.drop { $0 == " " }
        let digits = trimmed.prefix { $0.isASCII && $0.isNumber }
        var rest = trimmed[digits.endIndex...]
        guard let mark = rest.first, digits.count <= 4,
            digits.isEmpty ? "-*•–".contains(mark) : ".):".contains(mark)
        else { return text }
        rest.removeFirst()
        guard rest.first == " " || rest.first == "\t" else { return text }
        let entry = rest.drop { $0 == " " || $0 == "\t" }
        return entry.isEmpty ? text : String(entry)
    }
}
