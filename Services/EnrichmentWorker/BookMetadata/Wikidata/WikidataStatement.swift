import JSON

/// One statement about an item.
struct WikidataStatement {
    /// The editors' rank of a statement.
    enum Rank: String {
        case preferred, normal, deprecated
    }

    let rank: Rank
    private let value: JSONNode?
    private let qualifiers: JSONNode?

    /// `nil` for a rank that does not exist.
    init?(_ node: JSONNode) {
        guard let rank = Rank(rawValue: node["rank"]?.string ?? "normal") else { return nil }
        self.rank = rank
        // A snak with "no value" or "some value" has no data value.
        value = node["mainsnak"]?["datavalue"]?["value"]
        qualifiers = node["qualifiers"]
    }

    /// Identifier of the item that the statement names; nil if it names none.
    var item: String? {
        value?["id"]?.string ?? value?["numeric-id"]?.int.map { "Q\($0)" }
    }

    /// The text of an external identifier.
    var text: String? { value?.string }

    /// The year in the statement; `nil` if it contains none, for example only a century.
    var year: Int? { value.flatMap(WikidataTime.year) }

    /// Whether the statement has an end, known or not (qualifier P582).
    var hasEnded: Bool {
        qualifiers?["P582"]?.elements.contains { $0["snaktype"]?.string != "novalue" } ?? false
    }
}

/// Reads time values (https://www.wikidata.org/wiki/Help:Dates).
enum WikidataTime {
    /// The `precision` of a value with a year; greater precisions add the month and then the day.
    private static let yearPrecision = 9

    /// The year of a value such as `+1952-03-11T00:00:00Z`; `-0427-00-00T00:00:00Z` is 427 BCE, which is −427.
    static func year(_ value: JSONNode) -> Int? {
        guard let precision = value["precision"]?.int, precision >= yearPrecision,
            let time = value["time"]?.string, let sign = time.utf8.first, "+-".utf8.contains(sign),
            let digits = time.dropFirst().split(separator: "-", maxSplits: 1).first, let year = Int(digits),
            year > 0, PublicationDate.plausible(year) != nil
        else { return nil }
        return sign == UInt8(ascii: "-") ? -year : year
    }
}
