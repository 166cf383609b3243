/// The official division of numbers into registration groups and registrants.
struct ISBNRanges {
    /// First and last number of one range; their common length is the length of the part.
    private struct Range {
        let first: Substring
        let last: Substring
    }

    private var ranges: [Substring: [Range]] = [:]

    /// The table of this build, read once.
    static let official = ISBNRanges(table: ISBNRanges.table)

    /// Reads lines of `prefix: first-last first-last …`; a prefix may have several lines.
    init(table: String) {
        for line in table.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let parsed = line[line.index(after: colon)...].split(separator: " ").map { range in
                let ends = range.split(separator: "-")
                return Range(first: ends[0], last: ends[ends.count - 1])
            }
            ranges[line[..<colon], default: []] += parsed
        }
    }

    /// How many of `digits` form the part that follows `prefix`; `nil` when the range is not defined.
    func lengthOfNextPart(after prefix: String, digits: Substring) -> Int? {
        ranges[prefix[...]]?.first { range in
            let head = digits.prefix(range.first.count)
            return range.first <= head && head <= range.last
        }?.first.count
    }
}
