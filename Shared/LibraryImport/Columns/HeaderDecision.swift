import BookstrackContract

/// Decides whether the first row of a table is a header.
enum HeaderDecision {
    /// Whether the first row is a header. Decides by the words in the row, and by whether its cells resemble the cells below them.
    ///
    /// - Parameters:
    ///   - first: The first row's cells.
    ///   - profiles: Profiles of the columns without the first row.
    static func isHeader(_ first: [String], profiles: [ColumnProfile]) -> Bool {
        let folded = first.map(FoldedText.fold)
        guard folded.contains(where: { !$0.isEmpty }) else { return false }
        var score = 0.0
        for (index, cell) in first.enumerated() {
            let named = HeaderVocabulary.roles(cell).values.max()
            score += named == .sure ? 2 : named == .likely ? 1 : 0
            guard index < profiles.count else { continue }
            score += contrast(CellShape(CellText.value(cell)), cell, profiles[index])
        }
        if first.count > 1, Set(folded.filter { !$0.isEmpty }).count < folded.count { score -= 0.5 }
        return score > 0.5
    }

    /// Positive if the cell's kind differs from the column's; negative if the cell looks like one of the column's, or like an ISBN, a date, a number
    /// or an address.
    private static func contrast(_ shape: CellShape, _ cell: String, _ profile: ColumnProfile) -> Double {
        if shape.isbn != nil || shape.date != nil || shape.isRoundedISBN { return -4 }
        guard profile.filled > 0, !cell.isEmpty else { return 0 }
        let typed = max(
            profile[.isbn10] + profile[.isbn13] + profile[.roundedISBN], profile[.date] + profile[.dateList],
            profile[.integer] + profile[.fraction])
        if typed > 0.8 {
            return shape.number == nil ? 1.5 : profile[.integer] + profile[.fraction] > 0.8 ? -1.5 : 0
        }
        if profile[.status] > 0.8 { return shape.isStatus && !isNamed(cell) ? -1.5 : shape.isStatus ? 0 : 1 }
        if profile[.binding] > 0.8 { return shape.isBinding && !isNamed(cell) ? -1 : 1 }
        if shape.number != nil || shape.isAddress { return -1 }
        return 0
    }

    private static func isNamed(_ cell: String) -> Bool { !HeaderVocabulary.roles(cell).isEmpty }
}
