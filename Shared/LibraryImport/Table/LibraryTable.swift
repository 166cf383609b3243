import Glibc

/// A library file as rows of cells, whatever its encoding and delimiter. It can be walked several times.
package struct LibraryTable: Sendable {
    package let shape: TableShape
    /// The first rows, up to 200, from which the columns are recognised. A header is one of them.
    package let leadingRows: [TableRow]
    /// Size of the file.
    package let byteCount: Int
    private let bytes: [UInt8]
    private let limits: TableLimits

    /// Looks at a file's encoding and shape.
    package init(path: String, limits: TableLimits = TableLimits()) throws(LibraryFileFault) {
        guard let file = fopen(path, "r") else { throw .unreadable(path: path, errno: errno) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block[..<count] }
        try self.init(bytes: bytes, limits: limits)
    }

    /// Looks at a text's encoding and shape.
    package init(bytes: [UInt8], limits: TableLimits = TableLimits()) throws(LibraryFileFault) {
        self.bytes = bytes
        self.limits = limits
        byteCount = bytes.count
        var scanner = RecordScanner(bytes)
        var rows: [TableRow] = []
        while rows.count < 200, let row = try scanner.next(limits) { rows.append(row) }
        guard !rows.isEmpty else { throw .empty }
        leadingRows = rows
        var shape = TableShape()
        shape.width = rows[0].count
        self.shape = shape
    }

    /// Hands every row to `body`, blank ones excepted.
    ///
    /// - Parameter hasHeader: Whether the first row is a header, which is left out and does not count against the limit of rows.
    /// - Throws: `LibraryFileFault`, or what `body` throws.
    package func forEachRow(hasHeader: Bool, _ body: (TableRow) throws -> Void) throws {
        var scanner = RecordScanner(bytes)
        if hasHeader { _ = try scanner.next(limits) }
        var rows = 0
        while let row = try scanner.next(limits) {
            rows += 1
            if rows <= limits.rows { try body(row) }
        }
        guard rows <= limits.rows else { throw LibraryFileFault.tooManyRows(rows: rows, limit: limits.rows) }
    }
}
