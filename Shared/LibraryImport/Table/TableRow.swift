/// One record of a library file.
///
/// All cells share one array of bytes, and strings are created only on request, because most rows have many columns that are never used. A pass
/// over the file reuses the arrays of rows that the caller does not keep.
package struct TableRow: Sendable {
    /// The position of a cell in `bytes`.
    struct Bounds: Sendable {
        var start: Int32 = 0
        var end: Int32 = 0
        var isQuoted = false
        /// Whether the cell has doubled quotes.
        var isEscaped = false
    }

    /// Line of the file at which the record starts, from 1.
    package internal(set) var lineNumber = 0
    /// Number of bytes in the file up to the end of the record; an estimate if the text was converted to UTF-8.
    package internal(set) var byteEnd = 0
    package internal(set) var problems: [RowProblem] = []
    /// Text of the cells in valid UTF-8; there may be other bytes between the cells.
    var bytes: [UInt8] = []
    var bounds: [Bounds] = []

    init() {}

    /// Creates a row from given cells.
    package init(_ cells: [String], lineNumber: Int = 1) {
        self.lineNumber = lineNumber
        for cell in cells { append(cell.utf8) }
    }

    /// Number of cells.
    package var count: Int { bounds.count }

    /// All cells as strings.
    package var cells: [String] { bounds.indices.map { self[$0] } }

    /// A cell; empty beyond the last one.
    package subscript(_ column: Int) -> String {
        withUTF8(column) { String(decoding: $0, as: UTF8.self) }
    }

    /// Passes the UTF-8 bytes of a cell to `body`, which must not keep them; empty beyond the last cell.
    package func withUTF8<Result>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows
        -> Result
    {
        guard column < bounds.count else { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
        let cell = bounds[column]
        return try bytes.withUnsafeBufferPointer {
            try body(UnsafeBufferPointer(rebasing: $0[Int(cell.start)..<Int(cell.end)]))
        }
    }

    /// Whether all cells contain only white space.
    var isBlank: Bool {
        bounds.allSatisfy { cell in bytes[Int(cell.start)..<Int(cell.end)].allSatisfy { $0 <= UInt8(ascii: " ") } }
    }

    /// The size of the cells and their positions in memory, in bytes.
    var size: Int { bytes.count + bounds.count * MemoryLayout<Bounds>.stride }

    /// A copy for keeping. Unlike other copies of a row that is being reused, it does not take as much memory as the longest row before it.
    var compact: TableRow {
        var copy = self
        copy.bytes = bytes.withUnsafeBufferPointer { Array($0) }
        copy.bounds = bounds.withUnsafeBufferPointer { Array($0) }
        return copy
    }

    mutating func append(_ cell: some Collection<UInt8>) {
        let start = Int32(bytes.count)
        bytes.append(contentsOf: cell)
        bounds.append(Bounds(start: start, end: Int32(bytes.count)))
    }

    /// Replaces each doubled quote with a single one.
    mutating func undouble(_ quote: UInt8) {
        for column in bounds.indices where bounds[column].isEscaped {
            let cell = Int(bounds[column].start)..<Int(bounds[column].end)
            bounds[column].end = bytes.withUnsafeMutableBufferPointer { bytes in
                var (index, end) = (cell.lowerBound, cell.lowerBound)
                while index < cell.upperBound {
                    let byte = bytes[index]
                    bytes[end] = byte
                    end &+= 1
                    let isDoubled = byte == quote && index &+ 1 < cell.upperBound && bytes[index &+ 1] == quote
                    index &+= isDoubled ? 2 : 1
                }
                return Int32(end)
            }
        }
    }

    /// Removes the zero bytes from every cell.
    mutating func removeZeros() {
        for column in bounds.indices {
            let cell = Int(bounds[column].start)..<Int(bounds[column].end)
            bounds[column].end = bytes.withUnsafeMutableBufferPointer { bytes in
                var end = cell.lowerBound
                for index in cell where bytes[index] != 0 {
                    bytes[end] = bytes[index]
                    end &+= 1
                }
                return Int32(end)
            }
        }
    }

    /// Converts every cell with bytes outside ASCII to valid UTF-8.
    ///
    /// - Parameter scratch: Reused from row to row.
    mutating func decode(_ decoder: CellDecoder, _ scratch: inout [UInt8]) {
        for column in bounds.indices {
            let cell = bounds[column]
            scratch.removeAll(keepingCapacity: true)
            let outcome = bytes.withUnsafeBufferPointer { bytes -> CellDecoder.Outcome in
                let cell = UnsafeBufferPointer(rebasing: bytes[Int(cell.start)..<Int(cell.end)])
                guard UTF8Sequence.endOfASCII(cell, from: 0) < cell.count else { return .asItIs }
                return decoder.decode(cell, to: &scratch)
            }
            guard case .decoded(let kind) = outcome else { continue }
            let start = Int32(bytes.count)
            bytes += scratch
            bounds[column] = Bounds(start: start, end: Int32(bytes.count))
            if let kind { problems.append(RowProblem(kind, column: column)) }
        }
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        bounds.removeAll(keepingCapacity: true)
        if !problems.isEmpty { problems = [] }
    }
}

extension TableRow: Equatable {
    package static func == (one: TableRow, other: TableRow) -> Bool {
        one.lineNumber == other.lineNumber && one.problems == other.problems && one.cells == other.cells
    }
}

/// A problem with a record, and the position of the problem.
package struct RowProblem: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// Text followed a quote that, according to RFC 4180, closes the cell; the text was kept as part of the cell.
        case textAfterQuote
        /// The quote of the cell was never closed; the record ends before the next line of the usual width if there is one nearby, otherwise
        /// at the end of its line.
        case unclosedQuote
        /// The cell was in an encoding other than the file's, or an earlier program misread its encoding; it has been repaired.
        case encodingRepaired
        /// Bytes in the cell do not encode a character, or the file itself contains U+FFFD; ``RawCells/undecodable`` is in their place.
        case undecodable
    }

    package let kind: Kind
    /// Index of the cell, from 0.
    package let column: Int

    package init(_ kind: Kind, column: Int) {
        self.kind = kind
        self.column = column
    }
}
