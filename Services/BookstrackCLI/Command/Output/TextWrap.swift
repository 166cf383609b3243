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
        for word in words {
            if !line.isEmpty, DisplayWidth.of(line) + 1 + DisplayWidth.of(word) <= columns {
                line += " " + word
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = ""
            for character in word {
                if DisplayWidth.of(line) + DisplayWidth.of(String(character)) > columns {
                    lines.append(line)
                    line = ""
                }
                line.append(character)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
