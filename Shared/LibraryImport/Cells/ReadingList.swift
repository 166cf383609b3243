package import BookstrackContract

/// Reads cells with the dates of one or more readings.
package enum ReadingList {
    /// The readings in a cell.
    package struct Readings: Equatable, Sendable {
        package var readings: [ReadingDates] = []
        /// Whether part of the cell was not a date.
        package var hasUnreadable = false
        /// Whether day and month are ambiguous in part of the cell.
        package var hasAmbiguous = false
    }

    /// Reads an end date (`2021/04/03`), ranges and lists of ranges (`2020/01/05, 2021/04/01-2021/04/03, 2022/01/01-`, StoryGraph's format),
    /// `start|end|milliseconds;…` (Openreads), and `start/end; …` (ISO 8601 intervals, the suite's own format).
    package static func read(_ cell: String, order: CellDate.Order?) -> Readings {
        CellBytes.of(cell) { read($0, order: order) }
    }

    static func read(_ cell: CellBytes, order: CellDate.Order?) -> Readings {
        var result = Readings()
        switch whole(cell, order) {
        case .none: return result
        case .date(let date):
            result.readings = [ReadingDates(end: date.iso)]
            return result
        case .ambiguous(let year):
            return Readings(readings: [ReadingDates(end: String(year))], hasAmbiguous: true)
        case .unreadable: break
        }
        let text = CellText.line(cell)
        let items =
            text.contains(";")
            ? text.split(separator: ";") : text.contains("|") ? [text[...]] : text.split(separator: ",")
        for item in items where !item.trimmed.isEmpty {
            append(item.trimmed, order, to: &result)
        }
        return result
    }

    /// The cell as a single date. Unreadable if it may be the start of a reading that has not ended.
    private static func whole(_ cell: CellBytes, _ order: CellDate.Order?) -> CellDate.Reading {
        isOpen(cell.bytes) ? .unreadable : CellDate.read(cell, order: order)
    }

    /// Whether a text is the start of a reading that has not ended: `2020-01-01/`, `2020/01/01-`.
    private static func isOpen(_ text: some BidirectionalCollection<UInt8>) -> Bool {
        let last = text.last { $0 > UInt8(ascii: " ") }
        return last == UInt8(ascii: "/") || last == UInt8(ascii: "-")
    }

    /// Marks between the start and the end of a reading.
    private static let separators = ["|", " - ", " – ", "–", " to ", " → ", "/", "-"]

    private static func append(_ item: Substring, _ order: CellDate.Order?, to result: inout Readings) {
        if isOpen(item.utf8) {
            let start = CellDate.read(String(item.dropLast().trimmed), order: order)
            if case .ambiguous = start { result.hasAmbiguous = true }
            if start == .unreadable { result.hasUnreadable = true }
            if let day = start.day { result.readings.append(ReadingDates(start: day)) }
            return
        }
        for separator in separators {
            guard let sides = sides(of: item, at: separator) else { continue }
            let (start, end) = (
                CellDate.read(String(sides.start), order: order), CellDate.read(String(sides.end), order: order)
            )
            if start == .unreadable || end == .unreadable { continue }
            if case .ambiguous = start { result.hasAmbiguous = true }
            if case .ambiguous = end { result.hasAmbiguous = true }
            let reading = ReadingDates(start: start.day, end: end.day)
            if reading != ReadingDates() { result.readings.append(reading) }
            return
        }
        switch CellDate.read(String(item), order: order) {
        case .none: break
        case .unreadable: result.hasUnreadable = true
        case .ambiguous(let year):
            result.hasAmbiguous = true
            result.readings.append(ReadingDates(end: String(year)))
        case .date(let date): result.readings.append(ReadingDates(end: date.iso))
        }
    }

    /// The start and the end of a reading: for a bar, the first two fields; for any other separator, the parts before and after its middle
    /// occurrence, because both dates contain it equally often. Nil if the separator does not occur, or has no middle occurrence.
    private static func sides(of item: Substring, at separator: String) -> (start: Substring, end: Substring)? {
        if separator == "|" {
            guard item.contains("|") else { return nil }
            let fields = item.split(separator: "|", omittingEmptySubsequences: false)
            return (fields[0], fields[1])
        }
        var places: [Range<Substring.Index>] = []
        var rest = item
        while let range = rest.firstRange(of: separator) {
            places.append(range)
            rest = rest[range.upperBound...]
        }
        guard !places.count.isMultiple(of: 2) else { return nil }
        let middle = places[places.count / 2]
        return (item[..<middle.lowerBound], item[middle.upperBound...])
    }
}

extension [ReadingDates] {
    /// The readings without duplicates, oldest first.
    var inOrder: [ReadingDates] {
        var seen: Set<ReadingDates> = []
        return filter { seen.insert($0).inserted }.sorted { ($0.end ?? $0.start ?? "") < ($1.end ?? $1.start ?? "") }
    }
}
