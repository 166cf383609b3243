package import BookstrackContract
import JSON
package import NIOCore

/// Some rows of one part of the results, in the file's order.
package struct ImportPage: Sendable {
    /// Bytes of a full page. A page of one row may be longer, up to ``longestRow``.
    package static let fullBytes = 64 << 10
    /// Bytes of the longest row that ``RowLimits`` allows.
    package static let longestRow = 256 << 10
    /// Number of skipped rows that the results name.
    package static let mostSkipped = 1_000

    package let part: ImportPart
    /// A JSON array of the rows.
    package let json: ByteBuffer
    /// Number of rows.
    package let count: Int
    /// For books: what a linked enrichment asks for, row by row.
    package let queries: [BookQuery]
}

/// Collects rows into pages.
struct ImportPages {
    private struct OpenPage {
        var json = ByteBufferAllocator().buffer(capacity: ImportPage.fullBytes)
        var count = 0
        var queries: [BookQuery] = []

        mutating func append(_ text: inout ByteBuffer, _ query: BookQuery?) {
            json.writeStaticString(count == 0 ? "[" : ",")
            json.writeBuffer(&text)
            count += 1
            if let query { queries.append(query) }
        }
    }

    private var open: [ImportPart: OpenPage] = [:]
    private var skipped = 0
    /// The row that is being added.
    private var row = ByteBufferAllocator().buffer(capacity: 8_192)
    private let deliver: (ImportPage) throws -> Void

    init(deliver: @escaping (ImportPage) throws -> Void) { self.deliver = deliver }

    mutating func add(_ book: ImportedBook) throws {
        row.clear()
        book.write(to: &row)
        try addRow(to: .books, query: BookQuery(book))
    }

    mutating func add(_ error: ImportRowError) throws {
        row = try JSONCoding.encode(error)
        try addRow(to: .errors)
    }

    mutating func add(_ row: SkippedRow) throws {
        skipped += 1
        guard skipped <= ImportPage.mostSkipped else { return }
        self.row = try JSONCoding.encode(row)
        try addRow(to: .skipped)
    }

    /// Delivers the pages that are not full.
    mutating func finish() throws {
        for part in ImportPart.allCases { try close(part) }
    }

    private mutating func addRow(to part: ImportPart, query: BookQuery? = nil) throws {
        if let page = open[part], page.json.readableBytes + row.readableBytes + 2 > ImportPage.fullBytes {
            try close(part)
        }
        open[part, default: OpenPage()].append(&row, query)
    }

    private mutating func close(_ part: ImportPart) throws {
        guard var page = open.removeValue(forKey: part) else { return }
        page.json.writeStaticString("]")
        try deliver(ImportPage(part: part, json: page.json, count: page.count, queries: page.queries))
    }
}

extension BookQuery {
    /// What an enrichment asks for: the row as it would have been submitted alone.
    package init(_ book: ImportedBook) {
        self.init(
            title: book.title.isEmpty ? nil : book.title,
            author: book.author.isEmpty ? nil : book.author,
            isbn: book.isbn, workId: book.isbn == nil ? book.ids.openLibraryWork : nil, row: book.row)
    }
}
