/// Finds the cells of a record quickly, provided that its quotes follow RFC 4180.
///
/// A quote inside an unquoted cell is text. Other quotes that the RFC does not allow are left to `RecordRepair`. The scanner has no state: a record
/// that is cut off by the end of the text is scanned again when there is more text.
struct RecordScanner: Sendable {
    /// The outcome of scanning at a position.
    enum Outcome: Equatable {
        case record(Found)
        /// The record continues beyond the text.
        case incomplete
        /// The opening quote at `quote` is not followed by one that closes the cell; `place` is the position that shows this.
        case irregular(quote: Int, place: Int)
        case tooManyCells
        case cellTooLong
    }

    /// A record whose cells were found. The cells' bounds are relative to the start of the record; `end` and `next` are positions in the text.
    struct Found: Equatable {
        /// Number of cells.
        var count = 0
        /// End of the record, without its line end.
        var end = 0
        /// Start of the next record.
        var next = 0
        /// Whether a cell is quoted.
        var hasQuotes = false
        /// Whether a cell has doubled quotes.
        var hasEscapes = false
    }

    /// The byte between cells; a line feed if each line is one cell.
    let delimiter: UInt8
    /// The quote; nil if no cell is quoted.
    let quote: UInt8?
    /// Whether a carriage return without a line feed ends a line.
    let endsAtReturn: Bool
    let cellLimit: Int

    init(_ shape: TableShape, limits: TableLimits) {
        delimiter = shape.delimiter ?? Self.lineFeed
        quote = shape.quote
        endsAtReturn = shape.lineEnd == .cr
        cellLimit = limits.cellBytes
    }

    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    private static let space = UInt8(ascii: " ")

    /// Scans the record at `start`, which must be before the end of the text.
    func scan(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int, isLast: Bool,
        into cells: UnsafeMutableBufferPointer<TableRow.Bounds>
    ) -> Outcome {
        var index = start
        var found = Found()
        while true {
            guard found.count < cells.count else { return .tooManyCells }
            var first = index
            if let quote {
                while first < text.count, text[first] == Self.space { first &+= 1 }
                if first == text.count, !isLast { return .incomplete }
                if first < text.count, text[first] == quote {
                    let closing = closingQuote(text, from: first, isLast: isLast)
                    guard case .closed(let close, let isEscaped) = closing else {
                        return closing == .cut
                            ? .incomplete : .irregular(quote: first, place: min(text.count, first + cellLimit + 2))
                    }
                    cells[found.count] = TableRow.Bounds(
                        start: Int32(first &+ 1 &- start), end: Int32(close &- start), isQuoted: true,
                        isEscaped: isEscaped)
                    found.count &+= 1
                    found.hasQuotes = true
                    if isEscaped { found.hasEscapes = true }
                    index = close &+ 1
                    while index < text.count, text[index] == Self.space { index &+= 1 }
                    switch ending(text, at: index, isLast: isLast) {
                    case .delimiter:
                        index &+= 1
                        continue
                    case .lineEnd(let next):
                        (found.end, found.next) = (index, next)
                        return .record(found)
                    case .cut: return .incomplete
                    case .text: return .irregular(quote: first, place: close)
                    }
                }
            }
            let stop = firstStop(text, from: index)
            guard stop &- index <= cellLimit else { return .cellTooLong }
            guard stop < text.count || isLast else { return .incomplete }
            cells[found.count] = TableRow.Bounds(start: Int32(index &- start), end: Int32(stop &- start))
            found.count &+= 1
            if stop < text.count, text[stop] == delimiter, delimiter != Self.lineFeed {
                index = stop &+ 1
                continue
            }
            (found.end, found.next) = (stop, min(stop &+ 1, text.count))
            if stop < text.count, text[stop] == Self.carriageReturn {
                guard found.next < text.count || isLast else { return .incomplete }
                if found.next < text.count, text[found.next] == Self.lineFeed { found.next &+= 1 }
            } else if stop > index, text[stop &- 1] == Self.carriageReturn {
                found.end &-= 1
                cells[found.count &- 1].end &-= 1
            }
            return .record(found)
        }
    }

    private enum Closing: Equatable {
        case closed(at: Int, isEscaped: Bool)
        case cut
        case never
    }

    @inline(__always)
    private func closingQuote(_ text: UnsafeBufferPointer<UInt8>, from open: Int, isLast: Bool) -> Closing {
        guard let quote else { return .never }
        var index = open &+ 1
        var isEscaped = false
        // A quote that is not closed within the maximum cell length counts as unclosed, regardless of where the text is cut.
        let limit = open &+ cellLimit &+ 1
        while let found = text.firstIndex(of: quote, from: index), found <= limit {
            guard found &+ 1 < text.count else { return isLast ? .closed(at: found, isEscaped: isEscaped) : .cut }
            guard text[found &+ 1] == quote else { return .closed(at: found, isEscaped: isEscaped) }
            isEscaped = true
            index = found &+ 2
        }
        return isLast || text.count > limit ? .never : .cut
    }

    /// How the text continues at a position.
    enum Ending: Equatable {
        case delimiter
        case lineEnd(next: Int)
        case text
        case cut
    }

    @inline(__always)
    func ending(_ text: UnsafeBufferPointer<UInt8>, at index: Int, isLast: Bool) -> Ending {
        guard index < text.count else { return isLast ? .lineEnd(next: index) : .cut }
        let byte = text[index]
        if byte == Self.lineFeed { return .lineEnd(next: index &+ 1) }
        if byte == delimiter { return .delimiter }
        guard byte == Self.carriageReturn else { return .text }
        guard index &+ 1 < text.count else { return isLast ? .lineEnd(next: index &+ 1) : .cut }
        if text[index &+ 1] == Self.lineFeed { return .lineEnd(next: index &+ 2) }
        return endsAtReturn ? .lineEnd(next: index &+ 1) : .text
    }

    /// The first delimiter or line end at or after `start`, searched eight bytes at a time; the end of the text if there is none.
    ///
    /// Each test can wrongly flag only bytes above a byte that it flags correctly, so the lowest flag is always correct.
    @inline(__always)
    private func firstStop(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let raw = UnsafeRawBufferPointer(text)
        let delimiters = ones &* UInt64(delimiter)
        let feeds = ones &* UInt64(Self.lineFeed)
        let returns = endsAtReturn ? ones &* UInt64(Self.carriageReturn) : feeds
        var index = start
        while index &+ 8 <= text.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let (one, two, three) = (word ^ delimiters, word ^ feeds, word ^ returns)
            let flags =
                ((one &- ones) & ~one | (two &- ones) & ~two | (three &- ones) & ~three) & 0x8080_8080_8080_8080
            if flags != 0 { return index &+ flags.trailingZeroBitCount >> 3 }
            index &+= 8
        }
        while index < text.count {
            let byte = text[index]
            if byte == delimiter || byte == Self.lineFeed || endsAtReturn && byte == Self.carriageReturn { break }
            index &+= 1
        }
        return index
    }

    /// Start of the line after the one that contains `index`; nil if no line end follows.
    func nextLine(_ text: UnsafeBufferPointer<UInt8>, from index: Int) -> Int? {
        guard endsAtReturn else { return text.firstIndex(of: Self.lineFeed, from: index).map { $0 + 1 } }
        for place in index..<max(index, text.count) {
            if case .lineEnd(let next) = ending(text, at: place, isLast: true) { return next }
        }
        return nil
    }

    /// Number of line ends in part of the text.
    func lineEnds(_ text: UnsafeBufferPointer<UInt8>, in range: Range<Int>) -> Int {
        guard endsAtReturn else { return lineFeeds(text, in: range) }
        var count = 0
        for index in range {
            switch text[index] {
            case Self.lineFeed: count &+= 1
            case Self.carriageReturn: if index &+ 1 == text.count || text[index &+ 1] != Self.lineFeed { count &+= 1 }
            default: break
            }
        }
        return count
    }

    /// Counts line feeds, eight bytes at a time: `^` turns line feeds into zero bytes, and the inner expression sets the highest bit of every byte
    /// except zero bytes.
    private func lineFeeds(_ text: UnsafeBufferPointer<UInt8>, in range: Range<Int>) -> Int {
        let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
        let feeds = 0x0101_0101_0101_0101 &* UInt64(Self.lineFeed)
        let raw = UnsafeRawBufferPointer(text)
        var (index, count) = (range.lowerBound, 0)
        while index &+ 8 <= range.upperBound {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ feeds
            count &+= (~(((word & low) &+ low) | word | low)).nonzeroBitCount
            index &+= 8
        }
        while index < range.upperBound {
            if text[index] == Self.lineFeed { count &+= 1 }
            index &+= 1
        }
        return count
    }
}
