/// Converts ratings on any scale to 0.25–5 in steps of a quarter; zero means unrated.
package enum CellRating {
    /// The parsed value of a cell in a rating column.
    package enum Reading: Equatable, Sendable {
        /// Unrated.
        case none
        /// From 0.25 to 5.
        case rating(Double)
        case unreadable
    }

    /// The known scales, by their highest rating.
    package static let scales = [5, 10, 20, 100]

    /// The lowest scale that fits a column's numbers; 100 if none does.
    ///
    /// - Parameter highest: The column's highest number; 0 for a column without numbers.
    package static func scale(forHighest highest: Double) -> Int { scales.first { highest <= Double($0) } ?? 100 }

    /// The scale of a column: the one in its header, as in `Rating (out of 10 stars)` or `Note /20`, unless a number exceeds it; otherwise the lowest
    /// scale that fits the numbers.
    package static func scale(header: String, highest: Double) -> Int {
        let last = FoldedText.fold(header).split(separator: " ").last { !words.contains($0) }.flatMap { Int($0) }
        guard let last, scales.contains(last), highest <= Double(last) else { return scale(forHighest: highest) }
        return last
    }

    /// Reads a cell: a number on the column's scale (`4`, `4 stars`), or one that specifies its own scale (`4/5`, `80 %`, `★★★★½`).
    package static func read(_ cell: String, scale: Int) -> Reading { CellBytes.of(cell) { read($0, scale: scale) } }

    static func read(_ cell: CellBytes, scale: Int) -> Reading {
        if cell.isEmpty { return .none }
        if let digit = cell.digit { return quarters(Double(digit), of: Double(scale)) }
        let text = CellText.value(cell).lowercased()
        if text.isEmpty || unrated.contains(text) { return .none }
        if let stars = stars(text) { return quarters(stars, of: 5) }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let value = decimal(parts[0]), let most = decimal(parts[1]), most > 0 {
            return quarters(value, of: most)
        }
        if text.hasSuffix("%"), let value = decimal(text.dropLast()) { return quarters(value, of: 100) }
        guard let (value, most) = number(in: text) else { return .unreadable }
        return quarters(value, of: most ?? Double(scale))
    }

    /// The number in a cell of at most 12 bytes that contains nothing else; nil for any other cell, for example one with its own scale.
    package static func plainNumber(_ cell: String) -> Double? { CellBytes.of(cell, plainNumber) }

    static func plainNumber(_ cell: CellBytes) -> Double? {
        if let digit = cell.digit { return Double(digit) }
        return cell.count > 12 ? nil : decimal(CellText.value(cell)[...])
    }

    private static func quarters(_ value: Double, of most: Double) -> Reading {
        // Numbers with hundreds of digits are infinite.
        guard value >= 0, value <= most, most.isFinite else { return .unreadable }
        let quarters = (value / most * 20).rounded()
        return quarters == 0 ? .none : .rating(quarters / 4)
    }

    private static let unrated: Set<String> = ["unrated", "not rated", "no rating", "0", "0.0", "0,0"]
    private static let full: Set<Character> = ["★", "⭐", "🌟", "✭", "✮", "*"]
    private static let empty: Set<Character> = ["☆", "✩", "✰"]

    /// The number of stars; nil if the text contains anything else or more than five. Emoji may have a variation selector.
    private static func stars(_ text: String) -> Double? {
        var (count, seen) = (0.0, false)
        for character in text {
            let base = character.unicodeScalars.first.map(Character.init) ?? character
            if full.contains(base) {
                count += 1
            } else if base == "½" || base == "⯨" || base == "⯪" {
                count += 0.5
            } else if !empty.contains(base), !character.isWhitespace {
                return nil
            }
            seen = true
        }
        return seen && count <= 5 ? count : nil
    }

    private static let words: Set<Substring> = [
        "star", "stars", "of", "out", "stern", "sterne", "étoile", "étoiles", "estrella", "estrellas", "estrela",
        "estrelas", "stella", "stelle", "ster", "sterren", "stjärna", "stjärnor", "gwiazdka", "gwiazdki", "gwiazdek",
    ]

    /// The number in `4.5 stars`, or the number and its maximum in `4 out of 5`; nil for anything else.
    private static func number(in text: String) -> (value: Double, most: Double?)? {
        let parts = text.split(separator: " ").filter { !words.contains($0) }
        guard let first = parts.first, let value = decimal(first) else { return nil }
        guard parts.count > 1 else { return (value, nil) }
        guard parts.count == 2, let most = decimal(parts[1]), most > 0 else { return nil }
        return (value, most)
    }

    private static func decimal(_ text: Substring) -> Double? {
        let trimmed = text.drop { $0 == " " }
        guard trimmed.utf8.allSatisfy({ $0.isASCIIDigit || $0 == 0x2E || $0 == 0x2C || $0 == 0x20 }) else {
            return nil
        }
        return Double(String(trimmed.filter { $0 != " " }.map { $0 == "," ? "." : $0 }))
    }
}
