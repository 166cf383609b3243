/// A view of a row for reading its cells in place.
struct RowCells {
    let lineNumber: Int
    let problems: [RowProblem]
    private let bytes: UnsafeBufferPointer<UInt8>
    private let bounds: UnsafeBufferPointer<TableRow.Bounds>

    @inline(__always)
    fileprivate init(
        _ row: borrowing TableRow, _ bytes: UnsafeBufferPointer<UInt8>, _ bounds: UnsafeBufferPointer<TableRow.Bounds>
    ) {
        (lineNumber, problems) = (row.lineNumber, row.problems)
        (self.bytes, self.bounds) = (bytes, bounds)
    }

    /// Number of cells.
    var count: Int { bounds.count }
    var hasProblems: Bool { !problems.isEmpty }

    /// A cell; empty beyond the last one.
    @inline(__always)
    subscript(column: Int) -> CellBytes {
        guard column < bounds.count else { return CellBytes() }
        let cell = bounds[column]
        return CellBytes(UnsafeBufferPointer(rebasing: bytes[Int(cell.start)..<Int(cell.end)]))
    }

    @inline(__always)
    func isEmpty(_ column: Int) -> Bool {
        column >= bounds.count || bounds[column].start == bounds[column].end
    }
}

extension TableRow {
    /// Gives `body` access to the cells in place. `body` must not keep them.
    @inline(__always)
    func withCells<Result>(_ body: (RowCells) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBufferPointer { bytes in
            try bounds.withUnsafeBufferPointer { bounds in try body(RowCells(self, bytes, bounds)) }
        }
    }
}
