import ServiceKit

/// Breaks texts into lines.
enum TextWrap {
    /// Lines of at most `columns`, broken between words, and inside those that are longer than a line. Paragraphs stay apart.
    static func lines(_ text: String, columns: Int) -> [String] {
        text.split(whereSeparator: \.isNewline).flatMap { paragraph in
            let words = paragraph.split(whereSeparator: { $0 == " " || $0 == "\t" }).map { TerminalText.line($0) }
            return lines(words: words, max(2, columns))
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
                    lines.append(line)
                    (line, width) = ("", 0)
                }
                line.append(character)
                width += characterWidth
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
