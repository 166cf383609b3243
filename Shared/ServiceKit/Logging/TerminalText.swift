/// Makes texts that strangers wrote, such as titles, paths and header fields, fit for a line on a terminal.
package enum TerminalText {
    /// One line in which everything is visible that could end it, move the cursor, change colours, or turn the direction of writing
    /// (Unicode Standard Annex 9): `\n` and `\u{202E}` for what they name.
    package static func line(_ text: some StringProtocol) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return String(text) }
        return text.unicodeScalars.map { isUnsafe($0) ? $0.escaped(asASCII: true) : String($0) }.joined()
    }

    /// Whether a character is no part of a line of text.
    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value < 0x20 || scalar.value >= 0x7F else { return false }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        // Joiners belong to scripts and emoji.
        case .format: return scalar != "\u{200C}" && scalar != "\u{200D}"
        default: return false
        }
    }
}
