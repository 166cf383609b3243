/// Reads a record whose quotes do not follow RFC 4180, choosing the interpretation that results in the usual number of cells.
///
/// | what was written | what was meant |
/// |---|---|
/// | `"The "Great" Gatsby",x` | quotes inside the text were not doubled |
/// | `"Emma" (abridged),x` | text follows the closing quote |
/// | `"Emma,x` | the quote is never closed |
///
/// Each interpretation is tried. A line is *usual* if it starts a record of the usual width, is blank, or is the end of the text. Among the
/// interpretations that result in the usual width and are followed by a usual line, the one with the fewest lines is used. If there is none, the
/// quote counts as never closed, and the record ends before the next usual line. If no such line is nearby, the next quote closes the cell, and more
/// text follows; if there is no next quote either, no cell of the record was quoted.
struct RecordRepair {
    /// A record that a repair has read.
    struct Record: Equatable {
        var cells: [[UInt8]]
        /// Start of the next record.
        var next: Int
        var problem: RowProblem?
    }

    /// How a quote in a quoted cell is interpreted.
    private enum Reading: CaseIterable {
        /// A quote closes the cell if a delimiter or line end follows; a doubled quote stands for one quote.
        case closesBeforeDelimiter
        /// A quote closes the cell if a delimiter or line end follows; a doubled quote stands for two quotes.
        case isNeverDoubled
        /// The first quote closes the cell, and more text follows.
        case textMayFollow
        /// The cell was not quoted.
        case cellIsText
        /// No cell of the record was quoted.
        case recordIsText

        var keepsQuoted: Bool { self != .cellIsText && self != .recordIsText }
    }

    /// How far a repair reads beyond the irregular position, in bytes; if the line is longer, up to the maximum cell length.
    static let horizon = 64 << 10
    /// Maximum number of lines tried as the end of an unclosed quote.
    private static let lines = 64

    let scanner: RecordScanner
    /// The usual number of cells.
    let width: Int
    /// Number of bytes that repairs may still read; this bounds the time spent on an irregular file. Once it is used up, no cell of an irregular
    /// record counts as quoted.
    private var fuel = 4 << 20

    init(_ scanner: RecordScanner, width: Int) {
        self.scanner = scanner
        self.width = width
    }

    /// Allows more work as more of the file is consumed.
    mutating func refuel(_ consumed: Int) { fuel = min(fuel + 32 * consumed, 16 << 20) }

    /// Result of a repair.
    enum Outcome {
        case record(Record)
        /// More text is needed.
        case incomplete
        case cellTooLong
    }

    /// Reads the record at `start`, in which the quote at `quote` is irregular, as shown by the text at `place`.
    mutating func repaired(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int, quote: Int, place: Int, isLast: Bool
    ) -> Outcome {
        guard let near = part(of: text, upTo: place + Self.horizon, isLast) else { return .incomplete }
        let fuelBefore = fuel
        if fuel > 0, let record = likeliest(near, from: start, quote: quote) { return .record(record) }
        if let record = record(near, from: start, quote: quote, as: .recordIsText) { return .record(record) }
        // The line is longer than the horizon.
        guard let far = part(of: text, upTo: place + scanner.cellLimit + 1, isLast) else {
            fuel = fuelBefore
            return .incomplete
        }
        return record(far, from: start, quote: quote, as: .recordIsText).map { .record($0) } ?? .cellTooLong
    }

    /// The text up to a position, or up to the end of the file; nil if more text is needed first, because the result must not depend on how the file
    /// is divided into blocks.
    private func part(of text: UnsafeBufferPointer<UInt8>, upTo end: Int, _ isLast: Bool) -> Part? {
        guard end < text.count else { return isLast ? Part(text: text, isLast: true) : nil }
        return Part(text: UnsafeBufferPointer(rebasing: text[..<end]), isLast: false)
    }

    private mutating func likeliest(_ part: Part, from start: Int, quote: Int) -> Record? {
        var best: (record: Record, lines: Int)?
        for reading in Reading.allCases where fuel > 0 {
            guard let record = record(part, from: start, quote: quote, as: reading), isUsual(record, part) else {
                continue
            }
            let lines = scanner.lineEnds(part.text, in: start..<record.next)
            if lines < best?.lines ?? .max { best = (record, lines) }
        }
        return best?.record ?? unclosed(part, from: start, quote: quote)
            ?? record(part, from: start, quote: quote, as: .textMayFollow)
    }

    /// Reads a record of several lines as if the quote at `quote` were text, if that results in the usual width. Used for a regular record that does
    /// not have the usual width.
    ///
    /// - Parameter end: Where the record ends when read regularly.
    mutating func unquoted(_ text: UnsafeBufferPointer<UInt8>, from start: Int, quote: Int, end: Int) -> Record? {
        guard fuel > 0 else { return nil }
        let part = Part(text: UnsafeBufferPointer(rebasing: text[..<end]), isLast: true)
        guard let record = record(part, from: start, quote: quote, as: .cellIsText), isUsual(record, part) else {
            return nil
        }
        return record
    }

    /// A part of the text, and whether its end counts as the end of the file.
    private struct Part {
        let text: UnsafeBufferPointer<UInt8>
        let isLast: Bool
    }

    private mutating func isUsual(_ record: Record, _ part: Part) -> Bool {
        record.cells.count == width && isUsualLine(part, at: record.next)
    }

    /// Whether the line starts a record of the usual width, is blank, or is the end of the text.
    private mutating func isUsualLine(_ part: Part, at line: Int) -> Bool {
        if case .lineEnd = scanner.ending(part.text, at: line, isLast: true) { return true }
        guard fuel > 0 else { return false }
        var cells = [TableRow.Bounds](repeating: TableRow.Bounds(), count: width + 1)
        let outcome = cells.withUnsafeMutableBufferPointer {
            scanner.scan(part.text, from: line, isLast: part.isLast, into: $0)
        }
        switch outcome {
        case .record(let found):
            fuel -= found.next - line
            return found.count == width
        case .irregular(let quote, let place):
            fuel -= place - line
            return Reading.allCases.contains {
                fuel > 0 && record(part, from: line, quote: quote, as: $0)?.cells.count == width
            }
        case .incomplete:
            fuel -= part.text.count - line
            return false
        case .tooManyCells, .cellTooLong:
            fuel -= part.text.count - line
            return false
        }
    }

    /// The record up to the next usual line; nil if none of the next ``lines`` lines is usual.
    private mutating func unclosed(_ part: Part, from start: Int, quote: Int) -> Record? {
        var line = start
        for _ in 0..<Self.lines {
            guard let next = scanner.nextLine(part.text, from: line), next < part.text.count else { return nil }
            line = next
            guard line > quote, isUsualLine(part, at: line) else { continue }
            return unclosed(part, from: start, quote: quote, end: line)
        }
        return nil
    }

    /// The record for a quote that is not closed before `end`. The text after the quote is split into cells, unless the record would then have more
    /// than the usual number of cells; in that case, the text is one cell.
    private mutating func unclosed(_ part: Part, from start: Int, quote: Int, end: Int) -> Record? {
        var last = end
        while last > quote,
            part.text[last - 1] == RecordScanner.lineFeed || part.text[last - 1] == RecordScanner.carriageReturn
        {
            last -= 1
        }
        let inside = Part(text: UnsafeBufferPointer(rebasing: part.text[..<last]), isLast: true)
        guard var record = record(inside, from: start, quote: quote, as: .cellIsText, breaksAreText: true) else {
            return nil
        }
        let column = record.problem?.column ?? 0
        if record.cells.count > width {
            record.cells.removeLast(record.cells.count - column)
            record.cells.append(Array(part.text[(quote + 1)..<last]))
        }
        record.next = end
        return record
    }
}

// MARK: One reading

extension RecordRepair {
    /// Reads a record; nil if the text does not contain its end, or if a cell is too long.
    ///
    /// - Parameters:
    ///   - quote: The opening quote of the irregular cell.
    ///   - breaksAreText: Whether line ends after that quote belong to the cells.
    private mutating func record(
        _ part: Part, from start: Int, quote: Int, as reading: Reading, breaksAreText: Bool = false
    ) -> Record? {
        let text = part.text
        var record = Record(cells: [], next: start)
        var index = start
        defer { fuel -= index - start }
        while true {
            var cell: [UInt8] = []
            let open = quoteOfCell(text, at: index)
            if open == quote {
                record.problem = RowProblem(
                    reading.keepsQuoted ? .textAfterQuote : .unclosedQuote, column: record.cells.count)
            }
            if open == quote, !reading.keepsQuoted {
                index = quote + 1
            } else if let open, reading != .recordIsText {
                // The cells after the irregular one are quoted in the same way.
                let isRegular = record.problem == nil || reading == .cellIsText
                index = open + 1
                guard appendQuoted(part, at: &index, to: &cell, as: isRegular ? .textMayFollow : reading) else {
                    return nil
                }
            }
            let isBehindQuote = breaksAreText && record.problem != nil
            while true {
                let ending = scanner.ending(text, at: index, isLast: part.isLast)
                if case .lineEnd(let next) = ending, !isBehindQuote || index == text.count {
                    record.cells.append(cell)
                    record.next = next
                    return record
                }
                if ending == .cut { return nil }
                if ending == .delimiter, scanner.delimiter != RecordScanner.lineFeed { break }
                guard cell.count < scanner.cellLimit else { return nil }
                cell.append(text[index])
                index += 1
            }
            record.cells.append(cell)
            index += 1
        }
    }

    /// The opening quote of the cell that starts at `index`; nil if it is not quoted.
    private func quoteOfCell(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
        guard let quote = scanner.quote else { return nil }
        var first = index
        while first < text.count, text[first] == UInt8(ascii: " ") { first += 1 }
        return first < text.count && text[first] == quote ? first : nil
    }

    /// Appends the text of a quoted cell, and moves `index` from the start of this text past the closing quote. Returns false if there is no closing
    /// quote, or if the cell is too long; `index` is then where reading stopped, so that the bytes read count against ``fuel``.
    private func appendQuoted(_ part: Part, at index: inout Int, to cell: inout [UInt8], as reading: Reading) -> Bool {
        guard let quote = scanner.quote else { return false }
        let text = part.text
        while let found = text.firstIndex(of: quote, from: index) {
            cell.append(contentsOf: UnsafeBufferPointer(rebasing: text[index..<found]))
            index = found + 1
            guard cell.count <= scanner.cellLimit else { return false }
            let isDoubled = index < text.count && text[index] == quote
            if isDoubled, reading != .isNeverDoubled {
                cell.append(quote)
                index += 1
                continue
            }
            if reading == .textMayFollow { return true }
            var next = index
            while next < text.count, text[next] == UInt8(ascii: " ") { next += 1 }
            switch scanner.ending(text, at: next, isLast: part.isLast) {
            case .delimiter, .lineEnd:
                index = next
                return true
            case .text: cell.append(quote)
            case .cut: return false
            }
        }
        index = text.count
        return false
    }
}
