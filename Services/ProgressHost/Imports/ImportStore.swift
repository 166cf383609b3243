import BookstrackContract
import Foundation
import GRDB
import JSON
import JSONRPC
import NIOCore
import SuiteMethods
import SuiteStorage

/// SQL statements on imports and their pages, in the engine's transactions and on read connections. Throws SQLite's errors.
struct ImportStore {
    let db: Database

    func insert(_ parameters: BeginImport.Parameters, job: Int64, enrichment: Int64?) throws {
        try db.cachedStatement(
            sql: "INSERT INTO import(job, file_name, bytes, lines, options, enrichment) VALUES (?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
            job, parameters.fileName, parameters.bytes, parameters.lines, parameters.options, enrichment,
        ])
    }

    /// A job's import and its reading state, open or ended; nil for a job that is not an import.
    func `import`(_ job: JobRow) throws -> OpenImport? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT file_name, bytes, lines, options, enrichment, is_uploaded, attempt, lost_attempts, pages, drafted,
                        bytes_read
                    FROM import WHERE job = ?
                    """), arguments: [job.number]
        ).map { row in
            OpenImport(
                job: job.number, id: job.id, client: job.origin.client,
                file: ImportedFile(name: row["file_name"], bytes: row["bytes"], lines: row["lines"]),
                options: row["options"], enrichment: row["enrichment"], isUploaded: row["is_uploaded"],
                attempt: row["attempt"], lostAttempts: row["lost_attempts"], pages: row["pages"],
                drafted: row["drafted"], bytesRead: row["bytes_read"])
        }
    }

    /// Stores an import's reading state.
    func update(_ open: OpenImport) throws {
        try db.cachedStatement(
            sql: """
                UPDATE import SET is_uploaded = ?, attempt = ?, lost_attempts = ?, pages = ?, drafted = ?, bytes_read = ?
                WHERE job = ?
                """
        ).execute(arguments: [
            open.isUploaded, open.attempt, open.lostAttempts, open.pages, open.drafted, open.bytesRead, open.job,
        ])
    }

    // MARK: Ends

    func store(_ summary: ImportSummary, modelUsed: String?, job: Int64) throws {
        try db.cachedStatement(
            sql: """
                UPDATE import SET summary = ?, model_used = ?, total_rows = ?, books = ?, duplicates = ?, errors = ?, skipped = ?
                WHERE job = ?
                """
        ).execute(arguments: [
            try Self.text(summary), modelUsed, summary.totalRows, summary.booksCreated, summary.duplicatesSkipped,
            summary.errorCount, summary.skippedRows, job,
        ])
    }

    func store(_ failure: ImportFault, job: Int64) throws {
        try db.cachedStatement(sql: "UPDATE import SET failure = ? WHERE job = ?")
            .execute(arguments: [try Self.text(failure), job])
    }

    /// Why an import failed; nil if it did not.
    func failure(job: Int64) throws -> ImportFault? {
        let text = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT failure FROM import WHERE job = ?"), arguments: [job]
        ).flatMap { $0["failure"] as String? }
        return text.flatMap { try? BodyCoding.decode(ImportFault.self, from: ByteBuffer(string: $0)) }
    }

    /// Whether an enrichment is linked to an import that failed.
    func hasFailed(enrichment: Int64) throws -> Bool {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT 1 FROM import WHERE enrichment = ? AND failure IS NOT NULL"),
            arguments: [enrichment]) != nil
    }

    /// Counts of an import; nil for other jobs. If the file has been read completely, they count its rows; otherwise, they are estimated from the
    /// bytes read.
    func counts(job: Int64) throws -> JobCounts? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT file_name, bytes, lines, bytes_read, total_rows, books, duplicates, errors, skipped
                    FROM import WHERE job = ?
                    """), arguments: [job]
        ).map { row in
            guard let total = row["total_rows"] as Int? else {
                let file = ImportedFile(name: row["file_name"], bytes: row["bytes"], lines: row["lines"])
                return file.counts(bytesRead: row["bytes_read"])
            }
            let (books, duplicates, skipped): (Int, Int, Int) = (row["books"], row["duplicates"], row["skipped"])
            return JobCounts(total: total - skipped, succeeded: books + duplicates, failed: row["errors"])
        }
    }

    /// The head of an ended import's results; nil for a job that is not an import.
    func head(_ job: JobRow) throws -> ReadImportResults.Head? {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT file_name, bytes, import.summary, model_used, failure, linked.job_id AS linked
                    FROM import LEFT JOIN job AS linked ON linked.number = import.enrichment WHERE import.job = ?
                    """), arguments: [job.number])
        guard let row else { return nil }
        let endedAt = job.endedAt ?? job.createdAt
        var head = ReadImportResults.Head(
            jobId: job.id, status: job.status, resultsRevision: job.resultsRevision,
            expiresAt: ISO8601Milliseconds.string(fromMilliseconds: job.expiresAt ?? 0), endedAt: endedAt,
            processingTime: Int(max(0, endedAt - (job.startedAt ?? endedAt))), fileName: row["file_name"],
            fileSize: row["bytes"])
        head.enrichment = (row["linked"] as String?).flatMap { JobID($0) }
        head.modelUsed = row["model_used"]
        head.summary = try (row["summary"] as String?).map {
            try BodyCoding.decode(ImportSummary.self, from: ByteBuffer(string: $0))
        }
        head.failure = try failure(job: job.number)
        return head
    }

    private static func text(_ value: some Encodable) throws -> String { String(buffer: try BodyCoding.encode(value)) }
}

// MARK: Pages

extension ImportStore {
    /// The position of a page among an attempt's pages in result order: books, errors, skipped rows. This is also the alphabetical order, in which
    /// SQL sorts `part`.
    struct Place: Equatable {
        private static let pagesPerPart = 1 << 32

        var part: ImportPart
        var page: Int

        /// The position from which to read the first page.
        static let first = Place(part: .books, page: 0)

        init(part: ImportPart, page: Int) {
            self.part = part
            self.page = page
        }

        /// Decodes a cursor; nil for a number that is not a valid cursor.
        init?(cursor: Int) {
            let (part, page) = cursor.quotientAndRemainder(dividingBy: Self.pagesPerPart)
            guard cursor >= 0, ImportPart.allCases.indices.contains(part) else { return nil }
            self.init(part: ImportPart.allCases[part], page: page)
        }

        /// This position as a cursor; a page of results contains the cursor of the next page.
        var cursor: Int {
            (ImportPart.allCases.firstIndex(of: part) ?? 0) * Self.pagesPerPart + page
        }
    }

    /// Stores a page.
    ///
    /// - Parameter isShortened: Whether to also store a version with only the members that shipped apps read.
    func insert(_ rows: RecordImportRows, job: Int64, isShortened: Bool) throws {
        let joined = rows.joinedRows
        let short: Data? = isShortened ? Self.shortened(rows).map { Data($0.readableBytesView) } : nil
        try db.cachedStatement(
            sql: "INSERT INTO import_page(job, attempt, part, page, rows, short) VALUES (?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
            job, rows.head.key.attempt, rows.head.part.rawValue, rows.head.page, Data(joined.readableBytesView), short,
        ])
    }

    /// The page at a position or, if there is none, the next one; an empty page if no page follows.
    func page(job: Int64, attempt: Int, from place: Place) throws -> ImportRowsPage {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT part, page, rows FROM import_page
                    WHERE job = ? AND attempt = ? AND (part, page) >= (?, ?) ORDER BY part, page LIMIT 2
                    """), arguments: [job, attempt, place.part.rawValue, place.page])
        let places = rows.map { row in
            Place(part: ImportPart(rawValue: row["part"]) ?? .books, page: row["page"])
        }
        guard let first = rows.first, let place = places.first else {
            return ImportRowsPage(next: nil, part: place.part, rows: ByteBuffer())
        }
        return ImportRowsPage(
            next: places.count > 1 ? places[1].cursor : nil, part: place.part,
            rows: ByteBuffer(bytes: first["rows"] as Data))
    }

    /// The rows for `books[]` and `errors[]` of a completion, joined by commas. The rows are complete if they fit into `bytes`; otherwise they have
    /// only the members that shipped apps read, or are omitted if even those do not fit (imports.md "Frames").
    func completionRows(job: Int64, attempt: Int, atMost bytes: Int) throws -> (books: ByteBuffer, errors: ByteBuffer) {
        for column in ["rows", "short"] {
            let size = try Int.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT coalesce(sum(length(\(column)) + 1), 0) FROM import_page
                        WHERE job = ? AND attempt = ? AND part <> ?
                        """), arguments: [job, attempt, ImportPart.skipped.rawValue])
            guard let size, size <= bytes else { continue }
            return (
                try joined(column, .books, job: job, attempt: attempt),
                try joined(column, .errors, job: job, attempt: attempt)
            )
        }
        return (ByteBuffer(), ByteBuffer())
    }

    private func joined(_ column: String, _ part: ImportPart, job: Int64, attempt: Int) throws -> ByteBuffer {
        let pages = try Data.fetchCursor(
            db.cachedStatement(
                sql: "SELECT \(column) FROM import_page WHERE job = ? AND attempt = ? AND part = ? ORDER BY page"),
            arguments: [job, attempt, part.rawValue])
        var joined = ByteBuffer()
        while let page = try pages.next() {
            if joined.readableBytes > 0, !page.isEmpty { joined.writeString(",") }
            joined.writeBytes(page)
        }
        return joined
    }

    /// The rows, joined by commas, with only the members that shipped apps read; nil for skipped rows, which the apps do not read.
    private static func shortened(_ rows: RecordImportRows) -> ByteBuffer? {
        let members: [StaticString]
        switch rows.head.part {
        case .books: members = ["title", "author", "isbn"]
        case .errors: members = ["title", "error"]
        case .skipped: return nil
        }
        var short = ByteBuffer()
        for row in ArrayReader(rows.rows)?.elements ?? [] {
            guard let row = ObjectReader(row) else { continue }
            if short.readableBytes > 0 { short.writeString(",") }
            var separator = "{"
            for name in members {
                guard let value = row.json(name) else { continue }
                short.writeString("\(separator)\"\(name)\":")
                short.writeImmutableBuffer(value)
                separator = ","
            }
            short.writeString("}")
        }
        return short
    }
}

// MARK: Items of the linked job

extension ImportStore {
    /// Appends items to those that the attempt has drafted, replacing earlier attempts' items at the same indexes. Returns the job's current number
    /// of items.
    func draft(_ queries: [BookQuery], after drafted: Int, job: JobRow) throws -> Int {
        let statement = try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO item(id, title, author, isbn, work_id, source_row) VALUES (?, ?, ?, ?, ?, ?)")
        for (offset, query) in queries.enumerated() {
            try statement.execute(arguments: [
                ItemNumber(job: job.number, index: drafted + offset).rawValue, query.title, query.author, query.isbn,
                query.workId, query.row,
            ])
        }
        let total = max(job.total, drafted + queries.count)
        try setTotal(total, job: job.number)
        return total
    }

    /// Deletes the items of earlier attempts that the newest attempt has not replaced.
    func endDraft(at drafted: Int, job: JobRow) throws {
        guard drafted < job.total else { return }
        try db.cachedStatement(sql: "DELETE FROM item WHERE id BETWEEN ? AND ?").execute(arguments: [
            ItemNumber(job: job.number, index: drafted).rawValue, ItemNumber.range(ofJob: job.number).upperBound,
        ])
        try setTotal(drafted, job: job.number)
    }

    private func setTotal(_ total: Int, job: Int64) throws {
        try db.cachedStatement(sql: "UPDATE job SET total = ? WHERE number = ?").execute(arguments: [total, job])
    }
}
