extension ShapeDetection {
    /// The sample, read with a particular delimiter and quote.
    struct Trial {
        let shape: TableShape
        /// The most common number of cells.
        private(set) var width = 1
        /// How well the sample fits the shape, from 0 to 1: the consistency of the width, times a factor that grows with the width, times the
        /// fraction of cells that look like values.
        private(set) var score = 0.0
        /// Contents of records that consist of one quoted cell containing a delimiter.
        private(set) var wrappedRecords: [[UInt8]] = []
        /// Whether every record consists of one quoted cell.
        private(set) var isQuotedThroughout = true
        private var records: [Record] = []
        /// Number of records that are not in ``wrappedRecords``.
        private var unwrappedCount = 0

        private struct Record {
            var line: Int
            var width: Int
            var filled: Int
            /// Whether two filled cells are next to each other.
            var hasNeighbors: Bool
            /// Whether a cell starts with a digit.
            var hasNumbers: Bool
        }

        /// Whether most records consist of one quoted cell containing a delimiter.
        var isWrapped: Bool { wrappedRecords.count > unwrappedCount }

        /// - Parameter isWhole: Whether the sample is the whole text.
        init(_ shape: TableShape, _ sample: [UInt8], isWhole: Bool, _ limits: TableLimits) {
            self.shape = shape
            let scanner = RecordScanner(shape, limits: limits)
            var unquoted = shape
            unquoted.quote = nil
            let lineScanner = RecordScanner(unquoted, limits: limits)
            var tally = Tally()
            var open: Open?
            // A record has at most one more cell than it has bytes.
            var scratch = [TableRow.Bounds](repeating: TableRow.Bounds(), count: min(8_192, sample.count + 1))
            var (place, line) = (0, 1)
            while place < sample.count, records.count < ShapeDetection.records {
                var outcome = scratch.withUnsafeMutableBufferPointer { scratch in
                    sample.withUnsafeBufferPointer { scanner.scan($0, from: place, isLast: true, into: scratch) }
                }
                if case .irregular(_, let end) = outcome {
                    if end == sample.count, !isWhole { break }
                    if end == sample.count, open == nil {
                        open = Open(before: tally, records: records.count, isInQuotes: true)
                    }
                    // The record is read without quotes, so fewer of its cells look like values. A few such records do not mean that the file uses a
                    // different quote.
                    isQuotedThroughout = false
                    outcome = scratch.withUnsafeMutableBufferPointer { scratch in
                        sample.withUnsafeBufferPointer {
                            lineScanner.scan($0, from: place, isLast: true, into: scratch)
                        }
                    }
                }
                guard case .record(let found) = outcome else {
                    tally.lost += 1
                    place = sample.withUnsafeBufferPointer { scanner.nextLine($0, from: place) } ?? sample.count
                    line += 1
                    continue
                }
                if found.end == found.next, open == nil {
                    open = Open(before: tally, records: records.count, isInQuotes: false)
                }
                sample.withUnsafeBufferPointer { sample in
                    if found.end > place { add(scratch[..<found.count], sample, place, line, &tally) }
                    line += scanner.lineEnds(sample, in: place..<found.next)
                }
                place = found.next
            }
            rate(tally, open)
        }

        /// The counts other than the number of records.
        private struct Tally {
            var cells = 0
            var typed = 0
            /// Number of records that could not be read.
            var lost = 0
        }

        /// The first record that reaches the end of the sample, which may have cut it off.
        private struct Open {
            /// The counts before this record.
            let before: Tally
            /// Number of records before this one.
            let records: Int
            /// Whether the sample ends inside the record's quotes.
            let isInQuotes: Bool
        }

        private mutating func add(
            _ found: ArraySlice<TableRow.Bounds>, _ sample: UnsafeBufferPointer<UInt8>, _ start: Int, _ line: Int,
            _ tally: inout Tally
        ) {
            var (filled, isPreviousFilled, hasNeighbors, hasNumbers) = (0, false, false, false)
            for cell in found {
                let bytes = UnsafeBufferPointer(rebasing: sample[(start + Int(cell.start))..<(start + Int(cell.end))])
                tally.cells += 1
                if !bytes.isEmpty { filled += 1 }
                if isPreviousFilled && !bytes.isEmpty { hasNeighbors = true }
                if bytes.first?.isASCIIDigit == true { hasNumbers = true }
                isPreviousFilled = !bytes.isEmpty
                if CellKind.isTyped(bytes, isQuoted: cell.isQuoted, delimiter: shape.delimiter ?? 0) {
                    tally.typed += 1
                }
            }
            guard filled > 0 else { return }
            if found.count == 1, let only = found.first, only.isQuoted {
                let content = sample[(start + Int(only.start))..<(start + Int(only.end))]
                if let delimiter = shape.delimiter, content.contains(where: ShapeDetection.delimiters.contains) {
                    wrappedRecords.append(Self.undoubled(content))
                    // The record's width is that of its content, so it does not count as a record of one cell.
                    if content.contains(delimiter) { return }
                } else {
                    unwrappedCount += 1
                }
            } else {
                unwrappedCount += 1
                isQuotedThroughout = false
            }
            records.append(
                Record(
                    line: line, width: found.count, filled: filled, hasNeighbors: hasNeighbors, hasNumbers: hasNumbers
                ))
        }

        private mutating func rate(_ tally: Tally, _ open: Open?) {
            var (tally, rated) = (tally, records[...])
            if let open, open.records > 1, let first = records.first?.width,
                records[..<open.records].allSatisfy({ $0.width == first }),
                records[open.records...].dropFirst(open.isInQuotes ? 1 : 0).allSatisfy({ $0.width < first })
            {
                // The sample of a regular file was cut off, so its last record is ignored.
                (tally, rated) = (open.before, records[..<open.records])
            }
            var counts: [Int: Int] = [:]
            for record in rated { counts[record.width, default: 0] += 1 }
            guard let most = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }), tally.cells > 0 else {
                return
            }
            width = most.key
            let constancy = Double(most.value) / Double(rated.count + tally.lost)
            score = constancy * Double(width - 1) / Double(width) * Double(tally.typed) / Double(tally.cells)
        }

        private static func undoubled(_ content: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
            var bytes: [UInt8] = []
            var isSecond = false
            for byte in content {
                let isQuote = byte == UInt8(ascii: "\"")
                if !(isQuote && isSecond) { bytes.append(byte) }
                isSecond = isQuote && !isSecond
            }
            return bytes
        }

        /// Number of lines before the table. They are notes or headings: a note has one cell, one filled cell among a sheet's padding, or at most a
        /// third of the table's cells; headings are each merged over several columns.
        ///
        /// - Parameter declared: Number of lines that are known not to belong to the table.
        func linesBeforeTable(_ declared: Int) -> Int {
            for (index, record) in records.prefix(ShapeDetection.maxNotes).enumerated() where record.line > declared {
                let isNote = record.width == 1 || record.filled == 1 && width >= 4 || record.width * 3 <= width
                if !(isNote || hasMergedHeadings(index)) || width < 2 { return max(record.line - 1, declared) }
            }
            return declared
        }

        /// Whether a record has only headings that are each merged over several columns. No two of them are next to each other, the header below has
        /// more than twice as many cells, and neither row has numbers. The first row of a table without a header may be as sparse, but the next one
        /// has numbers, such as an ISBN, a year or a rating.
        private func hasMergedHeadings(_ index: Int) -> Bool {
            guard index + 1 < records.count else { return false }
            let (headings, header) = (records[index], records[index + 1])
            return headings.filled > 1 && !headings.hasNeighbors && header.filled > 2 * headings.filled
                && !headings.hasNumbers && !header.hasNumbers
        }
    }
}
