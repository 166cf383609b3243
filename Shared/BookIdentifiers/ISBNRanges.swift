extension ISBN {
    /// The number with hyphens between prefix, registration group, registrant, publication and check digit.
    ///
    /// `nil` when the agency has not defined the range (ranges of 22 July 2023).
    package var hyphenated13: String? {
        parts.map { ([String($0.prefix)] + $0.rest + [String(isbn13.suffix(1))]).joined(separator: "-") }
    }

    /// The ten-character form with hyphens; `nil` for 979 and for undefined ranges.
    package var hyphenated10: String? {
        guard let isbn10, let parts else { return nil }
        return (parts.rest + [String(isbn10.suffix(1))]).joined(separator: "-")
    }

    /// Prefix, then group, registrant and publication.
    private var parts: (prefix: Substring, rest: [String])? {
        let digits = isbn13
        let prefix = digits.prefix(3)
        let afterPrefix = digits.dropFirst(3).dropLast()
        guard let groupLength = ISBNRanges.official.lengthOfNextPart(after: String(prefix), digits: afterPrefix) else {
            return nil
        }
        let group = afterPrefix.prefix(groupLength)
        let afterGroup = afterPrefix.dropFirst(groupLength)
        guard
            let registrantLength = ISBNRanges.official.lengthOfNextPart(after: "\(prefix)-\(group)", digits: afterGroup)
        else { return nil }
        let registrant = afterGroup.prefix(registrantLength)
        return (prefix, [String(group), String(registrant), String(afterGroup.dropFirst(registrantLength))])
    }
}

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
