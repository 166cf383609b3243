import BookstrackContract
import JSON
import LibraryImport

/// Everything that reading a library file returns, decoded from the pages that a host would store.
struct ReadLibrary {
    /// A contradiction within the pages or the reported progress.
    struct Fault: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    private(set) var books: [ImportedBook] = []
    private(set) var errors: [ImportRowError] = []
    private(set) var skipped: [SkippedRow] = []
    private(set) var summary: ImportSummary

    /// - Throws: `ImportFailure` for a file that is not a library, ``Fault`` for contradictory pages or progress, and
    /// `DecodingError` for a page that cannot be decoded.
    init(_ bytes: [UInt8]) throws {
        let table: LibraryTable
        do throws(LibraryFileFault) { table = try LibraryTable(bytes: bytes) } catch { throw ImportFailure.file(error) }
        try self.init(table)
    }

    /// - Throws: As ``init(_:)``.
    init(_ table: LibraryTable, heldBytes: Int = 4 << 20) throws {
        let reading = LibraryReading(table, heldBytes: heldBytes)
        let size = table.byteCount
        var (pages, done) = ([ImportPage](), 0)
        summary = try reading.read { progress in
            guard (done...max(done, size)).contains(progress) else {
                throw Fault("progress \(progress) follows \(done) of \(size)")
            }
            done = progress
        } _: {
            pages.append($0)
        }
        for page in pages { try add(page) }
    }

    private mutating func add(_ page: ImportPage) throws {
        let count: Int
        switch page.part {
        case .books:
            let rows = try JSONCoding.decode([ImportedBook].self, from: page.json)
            guard page.queries.map(\.row) == rows.map(\.row) else {
                throw Fault("queries for rows that are not on the page")
            }
            (books, count) = (books + rows, rows.count)
        case .errors:
            let rows = try JSONCoding.decode([ImportRowError].self, from: page.json)
            (errors, count) = (errors + rows, rows.count)
        case .skipped:
            let rows = try JSONCoding.decode([SkippedRow].self, from: page.json)
            (skipped, count) = (skipped + rows, rows.count)
        }
        guard count == page.count else { throw Fault("\(count) rows in a page of \(page.count)") }
    }
}
