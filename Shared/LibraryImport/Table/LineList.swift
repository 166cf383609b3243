import BookIdentifiers

/// Lists without columns: one ISBN, title, author or "title by author" per line, or the clippings from a Kindle.
enum LineList {
    /// Minimum fraction of the lines that must look alike.
    private static let share = 0.6

    /// The kind of lines in a sample.
    static func kind(of lines: [Substring]) -> TableShape.Kind {
        if areClippings(lines) { return .clippings }
        let lines = lines.filter { !$0.hasPrefix("#") && !$0.allSatisfy(\.isWhitespace) }
        let enough = max(1, Int((Double(lines.count) * share).rounded(.up)))
        if lines.count(where: isISBN) >= enough { return .isbnList }
        let separated = lines.count { splitPlace($0.utf8.map { $0 }[...]) != nil }
        return separated >= enough ? .titleByAuthorList : .lineList
    }

    /// Whether a line is an ISBN, with or without a comment after it.
    private static func isISBN(_ line: Substring) -> Bool {
        let number = line.prefix { $0 != "#" }
        return number.utf8.count <= 40 && (try? ISBN.parse(String(number))) != nil
    }

    /// Removes the comment after an ISBN; a comment line is unchanged.
    static func cutComment(_ row: inout TableRow) {
        guard row.count == 1 else { return }
        let cell = row.bounds[0]
        let bytes = row.bytes[Int(cell.start)..<Int(cell.end)]
        guard var end = bytes.firstIndex(of: UInt8(ascii: "#")), end > bytes.startIndex else { return }
        while end > bytes.startIndex, [UInt8(ascii: " "), UInt8(ascii: "\t")].contains(bytes[end - 1]) { end -= 1 }
        row.bounds[0].end = Int32(end)
    }

    /// Whether lines are those of a Kindle's `My Clippings.txt`: the second line of each clipping begins with a hyphen.
    static func areClippings(_ lines: [Substring]) -> Bool {
        let ends = lines.indices.filter { lines[$0] == endOfClipping }
        return !ends.isEmpty
            && ([-1] + ends).allSatisfy { end in end + 2 >= lines.count || lines[end + 2].hasPrefix("- ") }
    }

    /// The line after each clipping.
    static let endOfClipping = "=========="

    /// Splits "Title (Author)" into two cells; a line without brackets at its end stays a single cell.
    static func splitAuthor(_ row: inout TableRow) {
        guard row.count == 1 else { return }
        let cell = row.bounds[0]
        let line = row.bytes[Int(cell.start)..<Int(cell.end)]
        guard let close = line.lastIndex(where: { $0 > UInt8(ascii: " ") }), line[close] == UInt8(ascii: ")") else {
            return
        }
        var (open, depth) = (close, 1)
        while depth > 0, open > line.startIndex {
            open -= 1
            depth += line[open] == UInt8(ascii: ")") ? 1 : line[open] == UInt8(ascii: "(") ? -1 : 0
        }
        guard depth == 0, open > line.startIndex else { return }
        row.bounds = [
            TableRow.Bounds(start: cell.start, end: Int32(open)),
            TableRow.Bounds(start: Int32(open + 1), end: Int32(close)),
        ]
    }

    private static let separator = Array(" by ".utf8)

    /// The position of " by " between a title and an author: its last occurrence with text on both sides, because titles contain " by " more often
    /// than names do. Nil if there is none.
    static func splitPlace(_ line: ArraySlice<UInt8>) -> Range<Int>? {
        guard line.count > separator.count + 1 else { return nil }
        var start = line.endIndex - separator.count - 1
        while start > line.startIndex {
            let range = start..<(start + separator.count)
            if line[range].elementsEqual(separator) { return range }
            start -= 1
        }
        return nil
    }

    /// Splits "Title by Author" into two cells; a line without " by " stays a single cell.
    static func splitTitle(_ row: inout TableRow) {
        guard row.count == 1 else { return }
        let cell = row.bounds[0]
        guard let place = splitPlace(row.bytes[Int(cell.start)..<Int(cell.end)]) else { return }
        row.bounds = [
            TableRow.Bounds(start: cell.start, end: Int32(place.lowerBound)),
            TableRow.Bounds(start: Int32(place.upperBound), end: cell.end),
        ]
    }
}
