package import BookstrackContract
import JSON
package import NIOCore

/// Some rows of one part of the results, in the file's order.
package struct ImportPage: Sendable {
    /// Bytes after which a page is full. A page of one row may be longer, up to about twice that.
    package static let fullBytes = 224 << 10
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
        var json = ByteBufferAllocator().buffer(capacity: ImportPage.fullBytes + 8_192)
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
    private let deliver: (ImportPage) throws -> Void

    init(deliver: @escaping (ImportPage) throws -> Void) { self.deliver = deliver }

    mutating func add(_ book: ImportedBook) throws { try add(book, to: .books, query: Self.query(book)) }

    mutating func add(_ error: ImportRowError) throws { try add(error, to: .errors) }

    mutating func add(_ row: SkippedRow) throws {
        skipped += 1
        if skipped <= ImportPage.mostSkipped { try add(row, to: .skipped) }
    }

    /// Delivers the pages that are not full.
    mutating func finish() throws {
        for part in ImportPart.allCases { try close(part) }
    }

    private mutating func add(_ row: some Encodable, to part: ImportPart, query: BookQuery? = nil) throws {
        var text = try JSONCoding.encode(row)
        if let page = open[part], page.json.readableBytes + text.readableBytes > ImportPage.fullBytes {
            try close(part)
        }
        open[part, default: OpenPage()].append(&text, query)
    }

    private mutating func close(_ part: ImportPart) throws {
        guard var page = open.removeValue(forKey: part) else { return }
        page.json.writeStaticString("]")
        try deliver(ImportPage(part: part, json: page.json, count: page.count, queries: page.queries))
    }

    /// What an enrichment asks for: the row as it would have been submitted alone.
    private static func query(_ book: ImportedBook) -> BookQuery {
        BookQuery(
            title: book.title.isEmpty ? nil : book.title,
            author: book.author.isEmpty ? nil : book.author,
            isbn: book.isbn, workId: book.isbn == nil ? book.ids.openLibraryWork : nil, row: book.row)
    }
}
