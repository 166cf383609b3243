import BookstrackContract

/// Recognizes the rows below a table in which a spreadsheet sums up its columns: `Total,,,312 pages`, `Total: 312`.
///
/// A book may have the title "Total" or "Sum". Only rows at the end of a file are totals (``FileSurvey``), and only if no cell belongs to a book: a
/// word such as "Total" is followed by nothing but numbers, at least one of which may be a sum or an average.
enum TotalsRow {
    /// Words for totals, folded.
    private static let words: Set<String> = [
        "total", "totals", "grand total", "subtotal", "sum", "sums", "count", "total books", "books total",
        "total count", "total pages", "number of books",
        "summe", "gesamt", "gesamtsumme", "insgesamt", "anzahl", "totaux", "total général", "somme", "totale", "totali",
        "somma", "totales", "suma", "totais", "soma", "totaal", "som", "aantal", "razem", "итого", "всего", "сумма",
        "разом", "всього", "totalt", "summa", "yhteensä", "celkem", "toplam", "合計", "合计", "总计",
    ]
    /// Words for averages, which often stand next to the totals.
    private static let averages: Set<String> = [
        "average", "averages", "avg", "average rating", "avg rating", "durchschnitt", "moyenne", "media", "promedio",
        "média", "gemiddelde", "średnia",
        "среднее", "medel", "平均",
    ]
    /// Maximum length of the first cell in bytes; most titles are longer or do not begin like one of the words.
    private static let maxLength = 40
    private static let firstBytes = Set((words.union(averages)).compactMap(\.utf8.first))

    /// What the first cell of a row of totals contains.
    struct Label {
        let isAverage: Bool
        /// Whether the cell also contains a number, as in `Total: 312`.
        let hasNumber: Bool

        /// The label in a cell such as `Total` or `Total: 312`; nil for other cells.
        init?(_ cell: CellBytes) {
            guard cell.count <= maxLength, let first = cell.bytes.first(where: { $0 > UInt8(ascii: " ") }),
                firstBytes.contains(first.isASCIILetter ? first | 0x20 : first) || first >= 0x80
            else { return nil }
            let parts = CellText.line(cell).split(maxSplits: 1) { $0 == ":" || $0 == "=" }
            guard let word = parts.first.map({ FoldedText.fold(String($0)) }) else { return nil }
            isAverage = averages.contains(word)
            guard isAverage || words.contains(word) else { return nil }
            let rest = parts.count > 1 ? parts[1].trimmed : ""
            hasNumber = isNumber(String(rest))
            guard rest.isEmpty || hasNumber else { return nil }
        }
    }

    /// Whether a cell is a number, possibly with a currency sign, grouped digits, a percent sign or a unit: `312`, `$1,234.50`, `312 pages`. False
    /// for dates and ISBNs.
    static func isNumber(_ text: String) -> Bool {
        guard text.utf8.count <= 24, (1...9).contains(text.utf8.count(where: \.isASCIIDigit)) else { return false }
        let number = text.drop { !$0.isLetter && !$0.isNumber }
        let unit = number.drop { $0.isNumber || ".,'’ ".contains($0) }
        guard number.first?.isNumber == true, !unit.contains(where: \.isNumber) else { return false }
        return text.utf8.allSatisfy(\.isASCIIDigit) || CellDate(text, order: .dayFirst)?.month == nil
    }
}

extension RowReader {
    /// Roles of cells that identify a book.
    private static let identifyingRoles = RowColumns.isbnRoles.union(RowColumns.idRoles).union([
        .title, .author, .authors,
    ])
    /// Roles of numbers that are not summed up, so they may just as well belong to a book with the title "Total".
    private static let unsummedRoles: Set<ColumnRole> = [.rating, .publicationYear, .originalYear, .position]

    /// Whether a row contains totals if it is at the end of the file.
    func isTotals(_ row: RowCells) -> Bool {
        guard !isOwnFormat, !row.hasProblems, let first = (0..<row.count).first(where: { !row.isEmpty($0) }),
            let label = TotalsRow.Label(row[first]), reasonToSkip(row) == nil
        else { return false }
        var hasTotal = label.hasNumber
        for column in (first + 1)..<max(first + 1, row.count) where !row.isEmpty(column) {
            let text = CellText.line(row[column])
            if text.isEmpty { continue }
            let role = column < plan.columns.count ? plan.columns[column].role : nil
            guard TotalsRow.isNumber(text), !Self.identifyingRoles.contains(role ?? .ignore) else { return false }
            if label.isAverage || !Self.unsummedRoles.contains(role ?? .ignore) { hasTotal = true }
        }
        return hasTotal
    }
}
