/// Reads time values (https://www.wikidata.org/wiki/Help:Dates).
enum WikidataTime {
    /// `precision` of a value that names a year; greater ones name month and day too.
    private static let yearPrecision = 9

    private static let plausibleYears = -9_999...9_999

    /// The year of a value such as `+1952-03-11T00:00:00Z`; `-0427-00-00T00:00:00Z` is 427 BCE, which is −427.
    static func year(_ value: JSONNode) -> Int? {
        guard let precision = value["precision"]?.int, precision >= yearPrecision,
            let time = value["time"]?.string, let sign = time.utf8.first, "+-".utf8.contains(sign),
            let digits = time.dropFirst().split(separator: "-", maxSplits: 1).first, let year = Int(digits),
            year > 0, plausibleYears.contains(year)
        else { return nil }
        return sign == UInt8(ascii: "-") ? -year : year
    }
}
