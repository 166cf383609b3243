/// A library file as rows of cells, regardless of its encoding, delimiter and quotes.
///
/// The file is read in blocks and may be read several times; memory use does not depend on its size, except for JSON.
package struct LibraryTable: Sendable {
    private enum Content: Sendable {
        case text
        case json(JSONExport)
    }

    /// Maximum number of rows used to recognize the columns.
    private static let leadingCount = 200

    package private(set) var shape: TableShape
    /// The first rows, up to 200, from which the columns are recognized, including the header if there is one.
    package private(set) var leadingRows: [TableRow] = []
    /// Size of the file in bytes.
    package var byteCount: Int { source.count }
    private let source: ByteSource
    private let text: TextProperties
    private let content: Content
    private let limits: TableLimits
    private let blockSize: Int

    /// Opens a regular file and detects its encoding and shape.
    ///
    /// - Parameter expectedCount: The size in bytes that the file must have; nil for any size.
    package init(
        path: String, expectedCount: Int? = nil, limits: TableLimits = TableLimits()
    ) throws(LibraryFileFault) {
        try self.init(ByteSource(path: path, expectedCount: expectedCount), limits, blockSize: Self.blockSize)
    }

    /// Detects a text's encoding and shape.
    ///
    /// - Parameter blockSize: Number of bytes read at a time.
    package init(
        bytes: [UInt8], limits: TableLimits = TableLimits(), blockSize: Int = Self.blockSize
    ) throws(LibraryFileFault) {
        try self.init(ByteSource(bytes), limits, blockSize: blockSize)
    }

    /// Size of a block in bytes: small enough for the CPU's second-level cache.
    package static let blockSize = 256 << 10

    private init(_ source: ByteSource, _ limits: TableLimits, blockSize: Int) throws(LibraryFileFault) {
        self.source = source
        self.limits = limits
        self.blockSize = blockSize
        text = try TextProperties(source)
        var window = TextWindow(source, from: text.start, encoding: text.encoding, blockSize: blockSize)
        repeat { try window.advance(to: 0) } while !window.isLast && window.text.count < ShapeDetection.sampleSize
        var shape = TableShape()
        if window.text.withUnsafeBufferPointer(JSONExport.isLikely) {
            let export = try JSONExport(source, text, limits)
            content = .json(export)
            (shape.kind, shape.delimiter, shape.quote, shape.width) = (.json, nil, nil, export.columns.count)
        } else {
            content = .text
            let sample = Array(window.text.prefix(ShapeDetection.sampleSize))
            if text.encoding.codePage != nil, Self.isBinary(sample) { throw .notText }
            let isWhole = window.isLast && window.text.count == sample.count
            shape = ShapeDetection(sample, isWhole: isWhole, limits: limits).shape
        }
        shape.encoding = text.encoding
        self.shape = shape
        leadingRows = try leading()
        guard !leadingRows.isEmpty else { throw .empty }
        guard shape.kind == .delimited, let header = Self.headerBelowNotes(leadingRows) else { return }
        self.shape.skippedLeadingLines = header.lineNumber - 1
        leadingRows = try leading()
    }

    /// The header if it is below notes that ``ShapeDetection`` cannot distinguish from sparse rows of a narrow table, such as `My books,,`. Notes
    /// have fewer filled cells than the header. Only one of them may have words in several cells (`Owner,Jane Doe,`): two may be books of another
    /// table.
    private static func headerBelowNotes(_ rows: [TableRow]) -> TableRow? {
        let rows = rows.prefix(ShapeDetection.maxNotes)
        guard let index = rows.firstIndex(where: { HeaderVocabulary.isHeader($0.cells) }), index > 0 else { return nil }
        func filled(_ row: TableRow) -> [String] { row.cells.filter { !$0.isEmpty } }
        let (notes, width) = (rows[..<index].map(filled), filled(rows[index]).count)
        let withWords = notes.count { $0.dropFirst().contains { $0.utf8.first?.isASCIIDigit != true } }
        return withWords < 2 && notes.allSatisfy { $0.count < width } ? rows[index] : nil
    }

    /// Whether more than 1 in 50 bytes is a control character other than white space, as in archives, programs and encrypted files; in random bytes,
    /// it is 1 in 10. Zeros do not count, because damaged text may contain them.
    private static func isBinary(_ sample: [UInt8]) -> Bool {
        let controls = sample.count { (1..<9).contains($0) || (14..<0x20).contains($0) || $0 == 0x7F }
        return controls * 50 > sample.count
    }

    private func leading() throws(LibraryFileFault) -> [TableRow] {
        var rows: [TableRow] = []
        do {
            try walk { row in
                rows.append(row.compact)
                if rows.count == Self.leadingCount { throw Enough() }
            }
        } catch let fault as LibraryFileFault {
            throw fault
        } catch {}
        return rows
    }

    /// Ends a pass early.
    private struct Enough: Error {}

    /// Passes the data rows to `body`, up to the row limit. Rows beyond the limit are only counted.
    ///
    /// - Parameter hasHeader: Whether the first row is a header, which is skipped and does not count toward the row limit.
    /// - Throws: `LibraryFileFault`, which is `tooManyRows` at the end of a file that exceeds the row limit; or any error from `body`.
    package func forEachRow(hasHeader: Bool, _ body: (TableRow) throws -> Void) throws {
        var rows = hasHeader ? -1 : 0
        try walk { row in
            rows += 1
            if rows > 0, rows <= limits.rows { try body(row) }
        }
        guard rows <= limits.rows else { throw LibraryFileFault.tooManyRows(rows: rows, limit: limits.rows) }
    }

    private func walk(_ body: (TableRow) throws -> Void) throws {
        switch content {
        case .json(let export):
            try export.forEachRow(body)
        case .text:
            var reader = RecordReader(source, text, shape, limits, blockSize: blockSize)
            var row = TableRow()
            while try reader.next(&row) { try body(row) }
        }
    }
}
