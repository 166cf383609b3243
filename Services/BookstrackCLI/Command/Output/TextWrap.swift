/// Breaks texts into lines.
enum TextWrap {
    /// Lines of at most `columns`, broken between words, and inside those that are longer than a line. Paragraphs stay apart.
    static func lines(_ text: String, columns: Int) -> [String] {
        text.split(whereSeparator: \.isNewline).flatMap { paragraph in
            lines(words: DisplayWidth.printable(String(paragraph)).split(separator: " "), max(2, columns))
        }
    }

    private static func lines(words: [Substring], _ columns: Int) -> [String] {
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
