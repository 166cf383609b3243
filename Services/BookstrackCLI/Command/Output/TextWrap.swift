import ServiceKit

/// Breaks texts into lines.
enum TextWrap {
    /// Lines of at most `columns`, broken between words, and inside those that are longer than a line: behind a comma where there is one, as
    /// in lists of addresses. Paragraphs stay apart.
    static func lines(_ text: String, columns: Int) -> [String] {
        text.split(whereSeparator: \.isNewline).flatMap { paragraph in
            let words = paragraph.split(whereSeparator: { $0 == " " || $0 == "\t" }).map { TerminalText.line($0) }
            return lines(words: words, max(2, columns))
        }
    }

    /// A message to a person: lines keep their indentation, and a command line that fits on a line is not broken, so that it can be copied.
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
