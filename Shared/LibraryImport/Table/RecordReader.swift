/// Reads the rows of a text one after another.
///
/// A line that is not a row, such as a blank line, a comment or a Git conflict marker, is skipped.
struct RecordReader {
    private let text: TextProperties
    private let shape: TableShape
    private let limits: TableLimits
    private let scanner: RecordScanner
    private var repair: RecordRepair
    private var window: TextWindow
    private var position = 0
    private var line = 1
    /// Whether the next record is the first line of a clipping.
    private var startsClipping = true
    private var cells: [TableRow.Bounds]
    /// Text of the cell that was decoded last; its memory is reused.
    private var decoded: [UInt8] = []

    init(_ source: ByteSource, _ text: TextProperties, _ shape: TableShape, _ limits: TableLimits, blockSize: Int) {
        self.text = text
        self.shape = shape
        self.limits = limits
        scanner = RecordScanner(shape, limits: limits)
        repair = RecordRepair(scanner, width: shape.width)
        window = TextWindow(source, from: text.start, encoding: text.encoding, blockSize: blockSize)
        cells = [TableRow.Bounds](repeating: TableRow.Bounds(), count: limits.columns)
    }

    /// Reads the next row into `row`, whose arrays are reused. Returns false at the end.
    mutating func next(_ row: inout TableRow) throws(LibraryFileFault) -> Bool {
        while try nextRecord(&row) {
            if row.lineNumber <= shape.skippedLeadingLines || isNoRow(row) { continue }
            if shape.kind == .clippings, !isTitleOfClipping(row) { continue }
            unwrap(&row)
            decode(&row)
            switch shape.kind {
            case .titleByAuthorList: LineList.splitTitle(&row)
            case .clippings: LineList.splitAuthor(&row)
            case .isbnList: LineList.cutComment(&row)
            default: break
            }
            return true
        }
        return false
    }

    private mutating func nextRecord(_ row: inout TableRow) throws(LibraryFileFault) -> Bool {
        while true {
            if position >= window.text.count {
                if window.isLast { return false }
                try refill()
                continue
            }
            switch scan() {
            case .record(let found):
                try checkLength(upTo: found.next)
                fill(&row, found)
                return true
            case .irregular(let quote, let place):
                try checkLength(upTo: place)
                if try fill(&row, repairing: quote, place) { return true }
                try refill()
            case .incomplete:
                try checkLength(upTo: window.text.count)
                try refill()
            case .tooManyCells:
                throw .tooManyColumns(line: line, limit: limits.columns)
            case .cellTooLong:
                throw .cellTooLong(line: line, limit: limits.cellBytes)
            }
        }
    }

    @inline(__always)
    private mutating func scan() -> RecordScanner.Outcome {
        let (position, isLast, scanner) = (position, window.isLast, scanner)
        let window = window
        return cells.withUnsafeMutableBufferPointer { cells in
            window.text.withUnsafeBufferPointer { scanner.scan($0, from: position, isLast: isLast, into: cells) }
        }
    }

    /// Refuses a record that is longer than allowed, whether or not the window contains its end.
    private func checkLength(upTo place: Int) throws(LibraryFileFault) {
        guard place - position <= limits.recordBytes else {
            throw .recordTooLong(line: line, limit: limits.recordBytes)
        }
    }

    private mutating func refill() throws(LibraryFileFault) {
        try window.advance(to: position)
        position = 0
    }
}

// MARK: Filling rows

extension RecordReader {
    /// Fills a row from a regular record.
    private mutating func fill(_ row: inout TableRow, _ found: RecordScanner.Found) {
        row.removeAll()
        row.lineNumber = line
        row.byteEnd = window.position(of: found.next)
        cells.withUnsafeBufferPointer {
            row.bounds.append(contentsOf: UnsafeBufferPointer(rebasing: $0[..<found.count]))
        }
        let lines = window.text.withUnsafeBufferPointer { text in
            row.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[position..<found.end]))
            return found.hasQuotes ? scanner.lineEnds(text, in: position..<found.next) : found.end < found.next ? 1 : 0
        }
        if lines > 1, found.count != shape.width, !shape.isWrapped, fillUnquoted(&row, found) { return }
        if found.hasEscapes, let quote = scanner.quote { row.undouble(quote) }
        line += lines
        repair.refuel(found.next - position)
        position = found.next
    }

    /// Fills a row from a repaired irregular record. Returns false if more text is needed.
    private mutating func fill(_ row: inout TableRow, repairing quote: Int, _ place: Int) throws(LibraryFileFault)
        -> Bool
    {
        let (start, isLast) = (position, window.isLast)
        let outcome = window.text.withUnsafeBufferPointer {
            repair.repaired($0, from: start, quote: quote, place: place, isLast: isLast)
        }
        switch outcome {
        case .record(let record):
            guard record.cells.count <= limits.columns else {
                throw .tooManyColumns(line: line, limit: limits.columns)
            }
            fill(&row, record)
            return true
        case .incomplete: return false
        case .cellTooLong: throw .cellTooLong(line: line, limit: limits.cellBytes)
        }
    }

    /// Fills a row from a regular record of several lines that does not have the usual width: one of its quotes may be text that only appears to
    /// be closed by a quote in a later line. Returns false if treating a quote as text does not result in the usual width.
    private mutating func fillUnquoted(_ row: inout TableRow, _ found: RecordScanner.Found) -> Bool {
        let start = position
        for cell in cells[..<found.count] where cell.isQuoted {
            let record = window.text.withUnsafeBufferPointer { text in
                let inside = (start + Int(cell.start))..<(start + Int(cell.end))
                return scanner.lineEnds(text, in: inside) == 0
                    ? nil : repair.unquoted(text, from: start, quote: inside.lowerBound - 1, end: found.next)
            }
            guard let record else { continue }
            fill(&row, record)
            return true
        }
        return false
    }

    private mutating func fill(_ row: inout TableRow, _ record: RecordRepair.Record) {
        row.removeAll()
        row.lineNumber = line
        row.byteEnd = window.position(of: record.next)
        for cell in record.cells { row.append(cell) }
        if let problem = record.problem { row.problems = [problem] }
        line += window.text.withUnsafeBufferPointer { scanner.lineEnds($0, in: position..<record.next) }
        repair.refuel(record.next - position)
        position = record.next
    }
}

// MARK: Contents of a row

extension RecordReader {
    /// Whether a record is the first line of a clipping, which contains the title; the others are not rows.
    private mutating func isTitleOfClipping(_ row: TableRow) -> Bool {
        let isTitle = startsClipping
        startsClipping = row[0] == LineList.endOfClipping
        return isTitle && !startsClipping
    }

    /// Whether a record is not a row: one with only blank cells, a comment, a conflict marker or the rule below the header of a Markdown table. In a
    /// list of titles, a line that begins with `#` may be a title.
    private func isNoRow(_ row: TableRow) -> Bool {
        if row.isBlank || isRule(row) { return true }
        guard row.count == 1, !row.bounds[0].isQuoted, let first = row.bytes.first else { return false }
        switch first {
        case UInt8(ascii: "#"):
            return shape.width > 1 || shape.kind == .isbnList
        case UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: ">"):
            let mark = row.bytes.prefix { $0 == first }.count
            return mark == 7 && (row.bytes.count == 7 || row.bytes[7] == UInt8(ascii: " "))
        default:
            return false
        }
    }

    /// Whether a record is the line below the header of a Markdown table: `|---|:--:|`.
    private func isRule(_ row: TableRow) -> Bool {
        guard shape.delimiter == UInt8(ascii: "|") else { return false }
        return row.bytes.allSatisfy { "|-: ".utf8.contains($0) } && row.bytes.firstRange(of: "---".utf8) != nil
    }

    /// Splits a record whose whole line is inside one quoted cell, because a spreadsheet misread the delimiter.
    private mutating func unwrap(_ row: inout TableRow) {
        guard row.count == 1, shape.width > 1, let cell = row.bounds.first, cell.isQuoted, let quote = scanner.quote
        else { return }
        let inner = Array(row.bytes[Int(cell.start)..<Int(cell.end)])
        var found = cells
        let outcome = found.withUnsafeMutableBufferPointer { cells in
            inner.withUnsafeBufferPointer { scanner.scan($0, from: 0, isLast: true, into: cells) }
        }
        guard !inner.isEmpty, case .record(let inside) = outcome, inside.next == inner.count,
            inside.count == shape.width || shape.isWrapped && inside.count > 1
        else { return }
        row.bytes = inner
        row.bounds = Array(found[..<inside.count])
        row.undouble(quote)
    }

    /// Makes every cell valid UTF-8 without zero bytes.
    private mutating func decode(_ row: inout TableRow) {
        if text.hasZeros, row.bytes.contains(0) { row.removeZeros() }
        guard text.hasHighBytes, !row.bytes.withUnsafeBufferPointer(text.decoder.isIntact) else { return }
        row.decode(text.decoder, &decoded)
    }
}
