package import BookstrackContract

/// Reads series in titles and in series columns: `Mort (Discworld, #4; Death, #1)`, `The Warlord Chronicles (#1.0)`.
package enum SeriesNotation {
    /// Words for a volume before its number.
    private static let volumeWords: Set<String> = [
        "book", "books", "vol", "vol.", "volume", "bd", "bd.", "band", "tome", "tomo", "t.", "part", "no.", "nr.",
        "libro", "livre",
        "deel", "del", "teil", "buch", "книга", "том",
    ]

    /// Words at the end of text that is not the name of a series although a volume follows (``isDesignation(_:)``).
    private static let designations: Set<String> = [
        "edition", "student", "students", "teacher", "teachers", "pupil", "pupils", "activity", "course", "class",
        "exercise", "coloring", "colouring",
    ]

    /// The title without its series, and the series. Only brackets at the end are considered, and only if they contain a volume number; other
    /// brackets belong to the title.
    package static func split(title: String) -> (title: String, series: ImportedSeries?) {
        guard title.utf8.last == UInt8(ascii: ")") else { return (title, nil) }
        if let usual = CellBytes.of(title, { usual($0)?.texts }) { return usual }
        guard let open = openingBracket(of: title) else { return (title, nil) }
        let before = title[..<open]
        let inner = title[title.index(after: open)...].dropLast()
        guard let series = first(in: inner, needsMark: true), let end = before.lastIndex(where: { $0 != " " }) else {
            return (title, nil)
        }
        return (String(before[...end]), series)
    }

    /// The parts of a title in the most common notation, `Mort (Discworld, #4)`: one pair of brackets at the end that contains only ASCII and ends in
    /// `#` and a whole number of at most four digits. Nil for other titles.
    static func usual(_ title: CellBytes) -> TitleCell? {
        let bytes = title.bytes
        let end = bytes.count - 1
        var mark = end - 1
        while mark > 0, bytes[mark].isASCIIDigit { mark -= 1 }
        guard mark > 0, bytes[mark] == UInt8(ascii: "#"), (1...4).contains(end - mark - 1) else { return nil }
        var open = mark - 1
        while open > 0, bytes[open] != UInt8(ascii: "(") {
            switch bytes[open] {
            case 0..<0x20, UInt8(ascii: ")"), UInt8(ascii: ";"), UInt8(ascii: "#"), 0x7F...0xFF: return nil
            default: open -= 1
            }
        }
        let titleEnd = bytes[..<open].lastIndex { $0 != UInt8(ascii: " ") }
        let nameStart = bytes[(open + 1)..<mark].firstIndex { $0 != UInt8(ascii: " ") }
        var nameEnd = mark
        while nameEnd > open + 1, separates(bytes[nameEnd - 1]) { nameEnd -= 1 }
        guard let titleEnd, let nameStart, nameStart < nameEnd else { return nil }
        return TitleCell(
            title: title[0..<(titleEnd + 1)], series: title[nameStart..<nameEnd], position: title[(mark + 1)..<end])
    }

    /// Whether a byte may separate the name of a series from its number.
    private static func separates(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// A cell in a series column: a name, and a number if it has one. If there are several series, the first is used. Nil for an empty cell.
    package static func column(_ cell: String) -> ImportedSeries? {
        let text = CellText.line(cell)
        guard !text.isEmpty else { return nil }
        if text.utf8.last == UInt8(ascii: ")") || text.contains("), ") {
            // `Name (#1.0), Other name (#2.0)`
            let first = text.firstRange(of: "), ").map { text[..<$0.lowerBound] + ")" } ?? text[...]
            if let open = first.lastIndex(of: "("), let place = position(first[first.index(after: open)...].dropLast())
            {
                return series(first[..<open], place)
            }
        }
        return first(in: text[...], needsMark: false) ?? ImportedSeries(name: text)
    }

    /// A cell in a position column: `8.0` and `#8` are 8, and text that is not a position is unchanged. Nil for an empty cell or a placeholder.
    package static func place(_ cell: String) -> String? {
        let text = CellText.value(cell)
        guard !text.isEmpty else { return nil }
        return position(text[...]) ?? text
    }

    /// The opening bracket that matches the closing bracket at the end; nil if there is none, or if nothing precedes it.
    private static func openingBracket(of title: String) -> String.Index? {
        var depth = 0
        for index in title.utf8.indices.reversed() {
            switch title.utf8[index] {
            case UInt8(ascii: ")"): depth += 1
            case UInt8(ascii: "("):
                depth -= 1
                if depth == 0 { return index > title.startIndex ? index : nil }
            default: break
            }
        }
        return nil
    }

    /// The first series in `Name, #1; Other name #2` or `Name #1, Other name #2`; nil if it has no volume number.
    ///
    /// - Parameter needsMark: Whether the number needs a mark or a word before it, so `Name, 1` does not count.
    private static func first(in text: Substring, needsMark: Bool) -> ImportedSeries? {
        let text = beginning(of: text.utf8.firstIndex(of: UInt8(ascii: ";")).map { text[..<$0] } ?? text)
        if let mark = text.utf8.lastIndex(of: UInt8(ascii: "#")) {
            let open = text[..<mark].last == "(" ? text[..<mark].dropLast() : text[..<mark]
            let place = text[text.index(after: mark)...]
            return position(place.hasSuffix(")") ? place.dropLast() : place).flatMap { series(open, $0) }
        }
        let words = text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }.map(Substring.init)
        guard let last = words.last, let place = position(last) else { return nil }
        // `Name, Book 1` or `Name Book 1`
        if words.count > 2, volumeWords.contains(words[words.count - 2].lowercased()) {
            let name = text[..<words[words.count - 2].startIndex]
            return isDesignation(name) ? nil : series(name, place)
        }
        // `Name, 1`
        let name = text[..<last.startIndex].trimmed
        return needsMark || name.last != "," ? nil : series(name, place)
    }

    /// Whether the text before a volume names an edition or a kind of book instead of a series, as in `Deluxe Edition, Volume 2`, `Student's Book 1`
    /// and `Coloring Book 1`.
    private static func isDesignation(_ name: Substring) -> Bool {
        let last = FoldedText.fold(String(name)).split(separator: " ").last { $0 != "s" }
        return last.map { designations.contains(String($0)) } ?? true
    }

    /// The text up to the comma after its first number, if another number follows: `A #1` in `A #1, B #2`. Otherwise, the whole text.
    private static func beginning(of text: Substring) -> Substring {
        var rest = text
        while let mark = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
            rest = rest[mark...].dropFirst()
            let number = rest.prefix { $0.isNumber || ".-– ".contains($0) }
            if number.first?.isNumber == true, rest[number.endIndex...].first == ",", rest.contains("#") {
                return text[..<number.endIndex]
            }
        }
        return text
    }

    private static func series(_ name: Substring, _ position: String) -> ImportedSeries? {
        let end = name.lastIndex { $0 != " " && $0 != "," && $0 != ":" && $0 != "-" && $0 != "–" }
        guard let end else { return nil }
        let name = name[...end].drop { $0 == " " }
        return name.isEmpty ? nil : ImportedSeries(name: String(name), position: position)
    }

    /// A volume number or several volumes: `1`, `0.5`, `1-3`, `1 & 2`; `1.0` is 1. Nil for text that does not begin with a digit, has more than 24
    /// bytes, or contains marks such as brackets.
    private static func position(_ text: Substring) -> String? {
        let start = text.drop { $0 == " " || $0 == "#" }
        let text = start[..<(start.lastIndex { $0 != " " }.map(start.index(after:)) ?? start.startIndex)]
        guard let first = text.utf8.first, first.isASCIIDigit, text.utf8.count <= 24,
            text.allSatisfy({ $0.isNumber || $0.isLetter || "-–.,:& /".contains($0) })
        else { return nil }
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : String(text)
    }
}

/// The parts of a title cell.
struct TitleCell {
    let title: CellBytes
    var series: CellBytes?
    var position: CellBytes?

    /// The parts as strings.
    var texts: (title: String, series: ImportedSeries?) {
        (title.text, series.map { ImportedSeries(name: $0.text, position: position?.text) })
    }
}
