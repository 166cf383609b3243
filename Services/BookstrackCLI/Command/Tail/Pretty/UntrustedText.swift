/// Texts that strangers wrote, such as paths, header fields and titles.
enum UntrustedText {
    /// More than this much of one text says nothing more on a terminal.
    private static let longest = 4_000

    /// One line in which everything is visible that could move the cursor, change colours or turn the direction of writing.
    static func line(_ text: some StringProtocol) -> String {
        let shown = text.utf8.count > longest ? text.prefix(longest) + "…" : Substring(text)
        guard shown.unicodeScalars.contains(where: isUnsafe) else { return String(shown) }
        return shown.unicodeScalars.map { isUnsafe($0) ? $0.escaped(asASCII: true) : String($0) }.joined()
    }

    /// Its lines, each as ``line(_:)`` has it.
    static func lines(_ text: String) -> [String] {
        text.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }).map { line($0) }
    }

    /// JSON whose strings hold no control characters: JSON itself leaves DEL and those from U+0080 on as they are (RFC 8259 §7).
    static func json(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.map { isControl($0) ? "\\u00" + String($0.value, radix: 16) : String($0) }.joined()
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x7F && scalar.value <= 0x9F }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value < 0x20 || scalar.value >= 0x7F else { return false }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        // Joiners belong to scripts and emoji.
        case .format: return scalar != "\u{200C}" && scalar != "\u{200D}"
        default: return false
        }
    }
}
