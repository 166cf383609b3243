/// A date as Wikidata states it (https://www.wikidata.org/wiki/Help:Dates): the year has a sign and four digits or more, what is not
/// known is `00`, and the precision says so (11 day, 10 month, 9 year).
struct WikidataTime: Sendable {
    private let text: String

    /// - Parameter text: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, with a minus sign before the common era.
    init(_ text: String) {
        self.text = text
    }

    var value: JSONValue {
        let isBefore = text.hasPrefix("-")
        let parts = (isBefore ? text.dropFirst() : text[...]).split(separator: "-").map(String.init)
        let year = parts.first ?? "0"
        let padded = String(repeating: "0", count: max(4 - year.count, 0)) + year
        let month = parts.count > 1 ? parts[1] : "00"
        let day = parts.count > 2 ? parts[2] : "00"
        let isJulian = isBefore || (Int(year) ?? 0) < 1583
        return [
            "time": .string("\(isBefore ? "-" : "+")\(padded)-\(month)-\(day)T00:00:00Z"),
            "timezone": 0, "before": 0, "after": 0, "precision": .integer(8 + max(parts.count, 1)),
            "calendarmodel": .string("http://www.wikidata.org/entity/\(isJulian ? "Q1985786" : "Q1985727")"),
        ]
    }
}
