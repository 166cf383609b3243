import ServiceKit

/// Text in several styles; its width excludes the styles' escape sequences.
struct StyledText: Equatable {
    private(set) var pieces: [Piece] = []

    struct Piece: Equatable {
        var text: String
        var style: ANSIStyle
    }

    init() {}

    init(_ text: String, _ style: ANSIStyle = .plain) { append(text, style) }

    /// Width on the terminal.
    var columns: Int { pieces.reduce(0) { $0 + DisplayWidth.of($1.text) } }

    mutating func append(_ text: String, _ style: ANSIStyle = .plain) {
        if !text.isEmpty { pieces.append(Piece(text: text, style: style)) }
    }

    mutating func append(_ other: StyledText) { pieces += other.pieces }

    /// Appends spaces up to `columns`.
    mutating func pad(to columns: Int) { append(String(repeating: " ", count: max(0, columns - self.columns))) }

    /// The part that fits into `columns`, with an ellipsis if it is cut.
    func cut(to columns: Int) -> StyledText {
        var rest = columns
        guard self.columns > rest else { return self }
        var cut = StyledText()
        for piece in pieces where rest > 0 {
            // A piece that fits exactly also ends with an ellipsis, because more pieces follow.
            let isLast = DisplayWidth.of(piece.text) >= rest
            let kept = isLast ? DisplayWidth.fit(piece.text + " ", rest) : piece.text
            cut.append(kept, piece.style)
            rest = isLast ? 0 : rest - DisplayWidth.of(kept)
        }
        return cut
    }

    /// The text, with the styles' escape sequences if `colors` is true.
    func text(colors: Bool) -> String {
        pieces.map { colors ? $0.style.paint($0.text) : $0.text }.joined()
    }
}

/// The style of a string on a terminal with colors.
enum ANSIStyle: Int, CaseIterable {
    case plain = 0
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33
    case blue = 34
    case magenta = 35
    case cyan = 36

    /// The text between the sequences that start and end the style (ECMA-48, SGR).
    func paint(_ text: String) -> String {
        self == .plain || text.isEmpty ? text : "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
    }
}

/// Untrusted text, such as paths, header fields and titles.
enum UntrustedText {
    /// Maximum number of characters of a line that are kept.
    private static let longest = 4_000

    /// One line of limited length, made safe by ``TerminalText``.
    static func line(_ text: some StringProtocol) -> String {
        // A character has at least one byte, so short strings need no counting.
        guard text.utf8.count > longest else { return TerminalText.line(Substring(text)) }
        let start = text.prefix(longest)
        return TerminalText.line(start.endIndex == text.endIndex ? Substring(text) : start + "…")
    }

    /// The lines of a string, each made safe by ``line(_:)``.
    static func lines(_ text: String) -> [String] {
        text.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }).map { line($0) }
    }

    /// The JSON with DEL and the control characters U+0080 to U+009F escaped, which RFC 8259 §7 does not require.
    static func json(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.map { isControl($0) ? "\\u00" + String($0.value, radix: 16) : String($0) }.joined()
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x7F && scalar.value <= 0x9F }
}
