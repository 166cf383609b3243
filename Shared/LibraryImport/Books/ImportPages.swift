package import BookstrackContract
import JSON
package import NIOCore

/// A page of rows from one part of the results, in file order.
package struct ImportPage: Sendable {
    /// Maximum size in bytes of a page with several rows. A page with a single row may be longer.
    package static let maxBytesOfSeveralRows = 192 << 10
    /// Maximum size of a row in bytes. It is higher than the sum of ``RowLimits`` and lets a page and its queries fit into an RPC frame.
    package static let maxRowBytes = 384 << 10
    /// Maximum number of skipped rows listed in the results.
    package static let maxSkipped = 1_000

    package let part: ImportPart
    /// A JSON array of the rows.
    package let json: ByteBuffer
    /// Number of rows.
    package let count: Int
    /// For books: the queries of a linked enrichment, row by row.
    package let queries: [BookQuery]
}

/// Collects rows into pages.
struct ImportPages: ~Copyable, RowReceiver {
    private var books: OpenPage
    private var errors: OpenPage
    private var skipped: OpenPage
    private var skippedCount = 0

    init(deliver: @escaping (ImportPage) throws -> Void) {
        books = OpenPage(.books, deliver)
        errors = OpenPage(.errors, deliver)
        skipped = OpenPage(.skipped, deliver)
    }

    mutating func add(_ book: borrowing ImportedBook) throws {
        books.beginRow()
        book.write(to: &books.json)
        try books.endRow()
        books.queries.append(BookQuery(book))
    }

    mutating func add(_ error: ImportRowError) throws {
        errors.beginRow()
        try JSONCoding.encode(error).withUnsafeReadableBytes { errors.json.write(json: $0) }
        try errors.endRow()
    }

    mutating func add(_ row: SkippedRow) throws {
        skippedCount += 1
        guard skippedCount <= ImportPage.maxSkipped else { return }
        skipped.beginRow()
        try JSONCoding.encode(row).withUnsafeReadableBytes { skipped.json.write(json: $0) }
        try skipped.endRow()
    }

    /// Delivers the last page of each part, which need not be full.
    mutating func finish() throws {
        try books.close()
        try errors.close()
        try skipped.close()
    }
}

/// The rows of a part that are waiting until their page is full.
private struct OpenPage: ~Copyable {
    let part: ImportPart
    var json = JSONText(capacity: 4 << 10)
    var queries: [BookQuery] = []
    private var count = 0
    /// Start of the last row, including the separator before it.
    private var rowStart = 0
    private let deliver: (ImportPage) throws -> Void

    init(_ part: ImportPart, _ deliver: @escaping (ImportPage) throws -> Void) {
        self.part = part
        self.deliver = deliver
    }

    mutating func beginRow() {
        rowStart = json.count
        json.write(json: count == 0 ? "[" : ",")
    }

    /// Ends the current row. If the page has no room for it, delivers the rows before it.
    mutating func endRow() throws {
        // The page will end with a bracket.
        if count > 0, json.count + 1 > ImportPage.maxBytesOfSeveralRows {
            try deliver(upTo: rowStart)
            json.drop(first: rowStart)
            json.replaceFirst(UInt8(ascii: "["))
        }
        count += 1
    }

    mutating func close() throws {
        guard count > 0 else { return }
        try deliver(upTo: json.count)
        json.removeAll()
    }

    private mutating func deliver(upTo end: Int) throws {
        var page = json.copy(first: end)
        page.writeStaticString("]")
        let queries = queries
        self.queries.removeAll(keepingCapacity: true)
        let count = count
        self.count = 0
        try deliver(ImportPage(part: part, json: page, count: count, queries: queries))
    }
}
