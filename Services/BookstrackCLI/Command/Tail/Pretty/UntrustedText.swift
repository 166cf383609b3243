import ServiceKit

/// Texts that strangers wrote, such as paths, header fields and titles.
enum UntrustedText {
    /// More than this much of one text says nothing more on a terminal.
    private static let longest = 4_000

    /// One line, no longer than says something, as ``TerminalText`` makes it.
    static func line(_ text: some StringProtocol) -> String {
        TerminalText.line(text.utf8.count > longest ? text.prefix(longest) + "…" : Substring(text))
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
}
