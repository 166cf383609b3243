/// Reads whole numbers, years and yes-or-no cells.
package enum CellNumber {
    /// The number at the start of a cell: `1032 `, `590 p.`, `1,032`, `1.032`, `352,0`. Nil if there is none, or if it has more than nine digits. In
    /// `xii, 535 p.`, a library catalog's page count, it follows a Roman numeral.
    package static func count(_ cell: String) -> Int? { CellBytes.of(cell, count) }

    static func count(_ cell: CellBytes) -> Int? {
        if let number = cell.number { return number }
        var text = CellText.value(cell)[...]
        let roman = text.prefix { "ivxlc".contains($0) }
        if !roman.isEmpty, text[roman.endIndex...].hasPrefix(", ") { text = text[roman.endIndex...].dropFirst(2) }
        let digits = text.utf8.prefix(while: \.isASCIIDigit)
        guard (1...9).contains(digits.count), let number = Int(Substring(digits)) else { return nil }
        // Grouped digits are read only in counts from 1,000 to 99,999, because no book has more pages. Otherwise, a mark begins a fraction or text.
        let rest = text[digits.endIndex...]
        guard digits.count <= 2, let mark = rest.first, ",. '’".contains(mark) else { return number }
        let group = rest.dropFirst().utf8.prefix(while: \.isASCIIDigit)
        return group.count == 3 ? Int(Substring(group)).map { 1_000 * number + $0 } : number
    }

    /// The earliest and the latest plausible year of a book.
    private static let years = -3_000...2_100

    /// A year, alone or in a date: `2004`, `-50`, `c1999`, `2005-03-01`, `12/05/1999`. Nil if there is no plausible year.
    package static func year(_ cell: String) -> Int? { CellBytes.of(cell, year) }

    static func year(_ cell: CellBytes) -> Int? {
        if let number = cell.number, number > 0, number <= years.upperBound { return number }
        let text = CellText.value(cell)
        if let number = Int(text) ?? Int(text.hasSuffix(".0") ? text.dropLast(2) : "") {
            return years.contains(number) && number != 0 ? number : nil
        }
        if let date = CellDate(text, order: .dayFirst) { return years.contains(date.year) ? date.year : nil }
        return fourDigits(in: text)
    }

    /// The first group of exactly four digits that is a plausible year.
    private static func fourDigits(in text: String) -> Int? {
        text.split { !($0.isASCII && $0.isNumber) }.lazy.filter { $0.utf8.count == 4 }.compactMap { Int($0) }
            .first { (1_000...2_100).contains($0) }
    }

    private static let yes: Set<String> = [
        "yes", "y", "true", "1", "x", "✓", "✔", "☑", "ja", "oui", "sí", "si", "sì", "sim", "tak", "да", "так", "kyllä",
        "是", "owned", "wahr", "vrai", "vero", "verdadero", "verdadeiro", "waar", "prawda", "истина", "sant", "tosi",
    ]
    private static let no: Set<String> = [
        "no", "n", "false", "0", "nein", "non", "não", "nee", "nie", "нет", "ні", "nej", "ei", "否", "✗", "☐",
        "falsch", "faux", "falso", "onwaar", "fałsz", "ложь", "falskt", "epätosi",
    ]

    /// A yes or no in the vocabulary's languages, including the Boolean values that spreadsheets write in these languages; nil for anything else.
    package static func flag(_ cell: String) -> Bool? { CellBytes.of(cell, flag) }

    static func flag(_ cell: CellBytes) -> Bool? {
        guard !cell.isEmpty, cell.count <= 12 else { return nil }
        let text = CellText.value(cell).lowercased()
        return yes.contains(text) ? true : no.contains(text) ? false : nil
    }

    /// The value of an ASCII digit; nil for any other byte.
    @inline(__always)
    static func digit(_ byte: UInt8) -> Int? {
        let digit = byte &- UInt8(ascii: "0")
        return digit < 10 ? Int(digit) : nil
    }
}

extension UInt8 {
    @inline(__always)
    var isASCIIDigit: Bool { self &- UInt8(ascii: "0") < 10 }
    @inline(__always)
    var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
