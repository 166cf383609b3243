/// Rows under a header, in columns that fit a width.
struct TextTable {
    private static let gap = 2
    private static let narrowest = 6

    let header: [String]
    let rows: [[String]]

    /// The lines; columns that are too wide together give way, the widest first.
    func lines(width: Int) -> [String] {
        let widths = columnWidths(within: width)
        let rule = widths.map { String(repeating: "-", count: $0) }
        return ([header, rule] + rows).map { row in
            let cells = zip(row, widths).map { DisplayWidth.pad(DisplayWidth.printable($0), $1) }
            return cells.joined(separator: String(repeating: " ", count: Self.gap)).trimmingTrailingSpaces
        }
    }

    private func columnWidths(within width: Int) -> [Int] {
        var widths = header.indices.map { column in
            ([header] + rows).map { DisplayWidth.of(DisplayWidth.printable($0[column])) }.max() ?? 0
        }
        let available = width - Self.gap * (widths.count - 1)
        while widths.reduce(0, +) > available, let widest = widths.max(), widest > Self.narrowest {
            widths[widths.firstIndex(of: widest) ?? 0] -= 1
        }
        return widths
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
