import ServiceKit

/// Rows under a header, printed as columns that fit a terminal's width, or as CSV.
///
/// If the terminal is too narrow, optional columns are omitted first. In a narrow column, titles end with an ellipsis, and sentences continue on the
/// next line; names, identifiers and numbers are never cut. If that is not enough, each row is written over several lines: its first value, and below
/// it the others with their columns' titles.
struct TextTable {
    /// A column's title, and how its values are fitted into the column.
    struct Column {
        enum Kind {
            /// A name, an identifier, a word or a time; never cut.
            case name
            /// A number, right-aligned and never cut.
            case figure
            /// A title or a list of names, which may end with an ellipsis.
            case text
            /// Sentences, which continue on the next line.
            case prose
        }

        let title: String
        let kind: Kind
        /// The title in CSV.
        let key: String
        /// Minimum width of an optional column; nil if the column is always shown. Free text with less room is omitted; names and numbers are
        /// shown in full or not at all.
        let least: Int?

        /// - Parameter key: Title in CSV; by default, the title in lower case with underscores.
        init(_ title: String, _ kind: Kind = .name, key: String? = nil, least: Int? = nil) {
            self.title = title
            self.kind = kind
            self.key = key ?? title.lowercased().replacing(" ", with: "_")
            self.least = least
        }

        /// Whether the column can be narrower than its values.
        fileprivate var isFlexible: Bool { kind == .text || kind == .prose }
    }

    /// A value and its meaning.
    struct Cell: Equatable, ExpressibleByStringInterpolation {
        let text: String
        let meaning: OutputMeaning

        init(_ text: String, _ meaning: OutputMeaning = .plain) {
            self.text = text
            self.meaning = meaning
        }

        init(stringLiteral value: String) { self.init(value) }
    }

    private static let gap = "  "
    /// Width below which no column of free text is narrowed. If the table still does not fit, each row is written over several lines.
    private static let narrowest = 10
    /// Width that a column of free text is given, if it needs that much, before any optional column is shown.
    private static let comfortable = 24

    let columns: [Column]
    let rows: [[Cell]]

    /// - Parameter rows: Each must have a cell for each column.
    init(columns: [Column], rows: [[Cell]]) {
        self.columns = columns
        self.rows = rows
    }

    init(columns: [Column], rows: [[String]]) {
        self.init(columns: columns, rows: rows.map { $0.map { Cell($0) } })
    }

    /// The table as lines, fitted to the style's width as far as possible.
    func lines(_ style: OutputStyle) -> [String] {
        let cells = rows.map { $0.map { Cell(TerminalText.line($0.text), $0.meaning) } }
        let natural = columns.indices.map { column in
            ([columns[column].title] + cells.map { $0[column].text }).map { DisplayWidth.of($0) }.max() ?? 0
        }
        let shown = shown(natural, within: style.width)
        guard let widths = widths(natural, of: shown, within: style.width) else {
            return cells.flatMap { stacked($0, style) }
        }
        let header = zip(shown, widths).map { DisplayWidth.pad(columns[$0].title, columns[$0].kind, $1) }
        let rule = widths.map { String(repeating: "-", count: $0) }
        return [header, rule].map { $0.joined(separator: Self.gap).trimmingTrailingSpaces }
            + cells.flatMap { line($0, shown, widths, style) }
    }

    /// The lines without colors.
    func lines(width: Int) -> [String] { lines(OutputStyle(width: width, colors: false)) }

    /// The columns that fit. The last optional column is omitted first.
    private func shown(_ natural: [Int], within width: Int) -> [Int] {
        var shown = Array(columns.indices)
        for candidate in columns.indices.reversed() where columns[candidate].least != nil {
            let wanted = shown.reduce(0) { $0 + min(natural[$1], least(of: $1)) }
            if wanted <= room(for: shown.count, within: width) { break }
            shown.removeAll { $0 == candidate }
        }
        return shown
    }

    /// Widths of the columns; nil if they do not fit side by side.
    private func widths(_ natural: [Int], of shown: [Int], within width: Int) -> [Int]? {
        var widths = shown.map { natural[$0] }
        var excess = widths.reduce(0, +) - room(for: shown.count, within: width)
        for (place, column) in shown.enumerated().reversed() {
            guard excess > 0, columns[column].isFlexible, let least = columns[column].least else { continue }
            let given = min(excess, max(0, widths[place] - least))
            widths[place] -= given
            excess -= given
        }
        let flexible = shown.indices.filter { columns[shown[$0]].isFlexible }
        while excess > 0, let widest = flexible.max(by: { widths[$0] < widths[$1] }), widths[widest] > Self.narrowest {
            widths[widest] -= 1
            excess -= 1
        }
        return excess > 0 ? nil : widths
    }

    private func least(of column: Int) -> Int {
        columns[column].isFlexible ? columns[column].least ?? Self.comfortable : .max
    }

    private func room(for columns: Int, within width: Int) -> Int { width - Self.gap.count * (columns - 1) }

    /// A row with its cells side by side, on one line or on as many lines as its longest sentences need.
    private func line(_ row: [Cell], _ shown: [Int], _ widths: [Int], _ style: OutputStyle) -> [String] {
        let parts = zip(shown, widths).map { column, width in
            columns[column].kind == .prose
                ? TextWrap.lines(row[column].text, columns: width) : [DisplayWidth.fit(row[column].text, width)]
        }
        return (0..<max(1, parts.map(\.count).max() ?? 1)).map { number in
            zip(zip(shown, widths), parts).map { place, lines in
                let text = number < lines.count ? lines[number] : ""
                return DisplayWidth.pad(text, columns[place.0].kind, place.1) {
                    style.paint($0, row[place.0].meaning)
                }
            }.joined(separator: Self.gap).trimmingTrailingSpaces
        }
    }

    /// A row with stacked cells: the first value, and below it the other values, indented and each with its column's title.
    private func stacked(_ row: [Cell], _ style: OutputStyle) -> [String] {
        let pairs = zip(columns, row).dropFirst().filter { !$0.1.text.isEmpty }
        let head = row.first.map { style.paint($0.text, $0.meaning) } ?? ""
        return [head]
            + pairs.flatMap { column, cell in
                TextWrap.lines("\(column.title): \(cell.text)", columns: max(Self.narrowest, style.width - 4))
                    .enumerated().map { number, line in
                        (number == 0 ? "  " : "    ") + style.paint(line, cell.meaning)
                    }
            }
    }

    /// The table as CSV: a header line, and a line for each row (RFC 4180).
    var csv: String { Self.line(columns.map(\.key)) + csvRows }

    /// The CSV rows without the header, for output that is written in parts.
    var csvRows: String { rows.map { Self.line($0.map(\.text)) }.joined() }

    private static func line(_ cells: [String]) -> String { cells.map(csv).joined(separator: ",") + "\r\n" }

    /// A cell in CSV. Spreadsheets evaluate a cell that starts like a formula (owasp.org/www-community/attacks/CSV_Injection), so an apostrophe
    /// is put before such a cell. Numbers are not changed.
    ///
    /// Scalars are compared, because a comma or a quote and a following combining mark form one character.
    private static func csv(_ text: String) -> String {
        let isFormula = text.unicodeScalars.first.map(formulaStarts.contains) ?? false
        let harmless = (isFormula && Double(text) == nil ? "'" + text : text).unicodeScalars
        guard harmless.contains(where: separators.contains) else { return String(harmless) }
        return harmless.reduce(into: "\"") { $0 += $1 == "\"" ? "\"\"" : String($1) } + "\""
    }

    private static let formulaStarts = Set("=+-@\t\r".unicodeScalars)
    /// Quotes, and everything that some programs take for the end of a cell or a line.
    private static let separators = Set(",\"\n\u{B}\u{C}\r\u{85}\u{2028}\u{2029}".unicodeScalars)
}

extension DisplayWidth {
    /// Pads numbers on the left and everything else on the right.
    fileprivate static func pad(
        _ text: String, _ kind: TextTable.Column.Kind, _ columns: Int, paint: (String) -> String = { $0 }
    ) -> String {
        let spaces = String(repeating: " ", count: max(0, columns - of(text)))
        return kind == .figure ? spaces + paint(text) : paint(text) + spaces
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
