import ServiceKit

/// Breaks texts into lines.
enum TextWrap {
    /// Lines of at most `columns`, broken between words. A word longer than a line is broken within the word, after a comma if there is
    /// one, as in lists of addresses. Line breaks are kept; empty lines are not.
    static func lines(_ text: String, columns: Int) -> [String] {
        text.split(whereSeparator: \.isNewline).flatMap { paragraph in
            let words = paragraph.split(whereSeparator: { $0 == " " || $0 == "\t" }).map { TerminalText.line($0) }
            return lines(words: words, max(2, columns))
        }
    }

    /// A message for users: lines keep their indentation, and a command that fits on a line is not broken, so it can be copied.
    static func message(_ text: String, columns: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            let indent = String(line.prefix { $0 == " " })
            let room = columns - indent.count
            var words = line.split(separator: " ").map { TerminalText.line($0) }
            var place = 0
            while let start = words[place...].firstIndex(of: "bookstrack") {
                let end = words[start...].firstIndex { $0.last.map(".;,:".contains) == true } ?? words.count - 1
                let command = words[start...end].joined(separator: " ")
                if DisplayWidth.of(command) <= room { words.replaceSubrange(start...end, with: [command]) }
                place = start + 1
            }
            let wrapped = lines(words: words, max(20, room))
            return wrapped.isEmpty ? [""] : wrapped.map { indent + $0 }
        }
    }

    private static func lines(words: [String], _ columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var width = 0
        for word in words {
            let wordWidth = DisplayWidth.of(word)
            if !line.isEmpty, width + 1 + wordWidth <= columns {
                line += " " + word
                width += 1 + wordWidth
                continue
            }
            if !line.isEmpty { lines.append(line) }
            (line, width) = ("", 0)
            for character in word {
                let characterWidth = DisplayWidth.of(character)
                if width + characterWidth > columns {
                    let comma = line.lastIndex(of: ",").map { line.index(after: $0) } ?? line.endIndex
                    let rest = String(line[comma...])
                    lines.append(String(line[..<comma]))
                    (line, width) = (rest, DisplayWidth.of(rest))
                }
                line.append(character)
                width += characterWidth
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}

/// The width of texts on a terminal.
enum DisplayWidth {
    /// Width of a text: two columns for wide characters, none for combining marks and control characters.
    static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + of($1) } }

    /// The longest prefix of `text` within `columns`, with an ellipsis if it is cut.
    static func fit(_ text: String, _ columns: Int) -> String {
        guard of(text) > columns else { return text }
        guard columns > 0 else { return "" }
        var kept = ""
        var width = 0
        for character in text {
            width += of(character)
            if width > columns - 1 { break }
            kept.append(character)
        }
        return kept + "…"
    }

    /// The text cut or padded with spaces to exactly `columns`.
    static func pad(_ text: String, _ columns: Int) -> String {
        let fitted = fit(text, columns)
        return fitted + String(repeating: " ", count: max(0, columns - of(fitted)))
    }

    /// The text, padded on the left with spaces to a width of `columns`; a wider text is unchanged.
    static func right(_ text: String, _ columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - of(text))) + text
    }

    /// Width of a character.
    static func of(_ character: Character) -> Int {
        if let ascii = character.asciiValue { return ascii >= 0x20 && ascii != 0x7F ? 1 : 0 }
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        let isEmoji = scalar.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}")
        return isEmoji || wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// Blocks of wide or full-width characters (Unicode Standard Annex 11).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}
