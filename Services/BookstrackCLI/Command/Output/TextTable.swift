import ServiceKit

/// Rows under a header, in columns that fit a width.
struct TextTable {
    /// A column that gives way before the others and is left out where there is no room for it.
    private struct Dispensable {
        let column: Int
        /// Columns on the terminal in which it still says something.
        let least: Int
    }

    private static let gap = "  "
    private static let narrowest = 6
    /// What every other column should have, if it has that much to say, before a dispensable one has any room.
    private static let comfortable = 24

    let header: [String]
    let rows: [[String]]
    /// Titles of the columns of figures, which are aligned on the right.
    var figures: Set<String> = []
    /// The last one gives way first.
    private var dispensable: [Dispensable] = []

    init(header: [String], rows: [[String]]) {
        self.header = header
        self.rows = rows.map { $0.map { TerminalText.line($0) } }
    }

    /// Lets the column with this title give way; does nothing when there is none.
    mutating func dispense(_ title: String, least: Int) {
        guard let column = header.firstIndex(of: title) else { return }
        dispensable.append(Dispensable(column: column, least: least))
    }

    /// The lines; columns that are too wide together give way, the widest first.
    func lines(width: Int) -> [String] {
        let natural = header.indices.map { column in ([header] + rows).map { DisplayWidth.of($0[column]) }.max() ?? 0 }
        let columns = shown(natural, within: width)
        let widths = widths(natural, of: columns, within: width)
        let rule = widths.map { String(repeating: "-", count: $0) }
        let lines = ([header] + rows).map { row in zip(columns, widths).map { cell(row, $0, $1) } }
        return ([lines[0], rule] + lines.dropFirst()).map {
            $0.joined(separator: Self.gap).trimmingTrailingSpaces
        }
    }

    private func shown(_ natural: [Int], within width: Int) -> [Int] {
        var columns = Array(header.indices)
        for candidate in dispensable.reversed() {
            let wanted = columns.reduce(0) { $0 + min(natural[$1], least(of: $1)) }
            if wanted <= room(for: columns.count, within: width) { break }
            columns.removeAll { $0 == candidate.column }
        }
        return columns
    }

    private func widths(_ natural: [Int], of columns: [Int], within width: Int) -> [Int] {
        var widths = columns.map { natural[$0] }
        var excess = widths.reduce(0, +) - room(for: columns.count, within: width)
        for candidate in dispensable.reversed() {
            guard excess > 0, let place = columns.firstIndex(of: candidate.column) else { continue }
            let given = min(excess, max(0, widths[place] - candidate.least))
            widths[place] -= given
            excess -= given
        }
        while excess > 0, let widest = widths.max(), widest > Self.narrowest {
            widths[widths.firstIndex(of: widest) ?? 0] -= 1
            excess -= 1
        }
        return widths
    }

    private func least(of column: Int) -> Int {
        dispensable.first { $0.column == column }?.least ?? Self.comfortable
    }

    private func room(for columns: Int, within width: Int) -> Int { width - Self.gap.count * (columns - 1) }

    private func cell(_ row: [String], _ column: Int, _ width: Int) -> String {
        guard figures.contains(header[column]) else { return DisplayWidth.pad(row[column], width) }
        let fitted = DisplayWidth.fit(row[column], width)
        return String(repeating: " ", count: max(0, width - DisplayWidth.of(fitted))) + fitted
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
