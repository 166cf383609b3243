import BookstrackContract
import Foundation
import GRDB
import JSONRPC
import NIOCore
import SuiteMethods
import SuiteStorage

/// SQL statements on items and their results, in the engine's transactions and on read connections. Throws SQLite's errors.
struct ItemStore {
    let db: Database

    func insert(_ queries: [BookQuery], job: Int64) throws {
        let statement = try db.cachedStatement(
            sql: "INSERT INTO item(id, title, author, isbn, work_id, source_row) VALUES (?, ?, ?, ?, ?, ?)")
        for (index, query) in queries.enumerated() {
            try statement.execute(arguments: [
                ItemNumber(job: job, index: index).rawValue, query.title, query.author, query.isbn, query.workId,
                query.row,
            ])
        }
    }

    /// The items in a range of a job, each with its query, in order. Reading a range costs a fraction of reading its items one by one.
    func queries(job: Int64, _ range: ClosedRange<Int>) throws -> [(item: ItemNumber, query: BookQuery)] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT id, title, author, isbn, work_id, source_row FROM item WHERE id BETWEEN ? AND ? ORDER BY id
                    """),
            arguments: [
                ItemNumber(job: job, index: range.lowerBound).rawValue,
                ItemNumber(job: job, index: range.upperBound).rawValue,
            ])
        return try Array(rows.map { (ItemNumber(rawValue: $0[0]), Self.query($0, from: 1)) })
    }

    func query(_ item: ItemNumber) throws -> BookQuery? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT title, author, isbn, work_id, source_row FROM item WHERE id = ?"),
            arguments: [item.rawValue]
        ).map { Self.query($0) }
    }

    func state(_ item: ItemNumber) throws -> ItemState? {
        try UInt8.fetchOne(
            db.cachedStatement(sql: "SELECT state FROM item WHERE id = ?"), arguments: [item.rawValue]
        ).flatMap(ItemState.init)
    }

    /// An item's state and failure; nil if there is no such item.
    func outcome(_ item: ItemNumber) throws -> (state: ItemState, error: ItemErrorCode?)? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT state, error_code FROM item WHERE id = ?"), arguments: [item.rawValue]
        ).map { row in
            (ItemState(rawValue: row[0]) ?? .queued, (row[1] as String?).flatMap(ItemErrorCode.init))
        }
    }

    /// State, attempts, failure, measure and event of every item of a job, in order.
    func states(job: Int64) throws -> [ActiveJob.StoredItem] {
        let range = ItemNumber.range(ofJob: job)
        return try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT state, attempts, error_code, measure, event_seq, event_at FROM item
                    WHERE id BETWEEN ? AND ? ORDER BY id
                    """),
            arguments: [range.lowerBound, range.upperBound]
        ).map { row in
            ActiveJob.StoredItem(
                state: ItemState(rawValue: row[0]) ?? .queued, attempts: row[1],
                error: (row[2] as String?).flatMap(ItemErrorCode.init),
                measure: (row[3] as Int?).map(ResultMeasure.init), eventSeq: row[4], eventAt: row[5])
        }
    }

    /// Counts of a job, derived from its items. Most items usually succeed, so successes are not counted but computed as the rest.
    func counts(job: Int64, total: Int) throws -> JobCounts {
        let range = ItemNumber.range(ofJob: job)
        var counts = JobCounts(total: total)
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT state, error_code, count(*) AS n FROM item WHERE id BETWEEN ? AND ? AND state <> ?
                    GROUP BY state, error_code
                    """),
            arguments: [range.lowerBound, range.upperBound, ItemState.succeeded.rawValue])
        counts.succeeded = total
        while let row = try rows.next() {
            let number: Int = row["n"]
            counts.succeeded -= number
            counts.add(
                ItemState(rawValue: row["state"]) ?? .queued,
                (row["error_code"] as String?).flatMap(ItemErrorCode.init), items: number)
        }
        return counts
    }

    /// Stores the outcome of an item that had none.
    ///
    /// - Parameter event: The event that reports the outcome; nil if there is none, or if it is a row of `event`.
    func storeOutcome(
        _ item: ItemNumber, _ state: ItemState, error: ItemErrorCode?, notBefore: Int64?, measure: ResultMeasure?,
        row: ByteBuffer, event: StoredEvent?
    ) throws {
        let result = try insertResult(Data(row.readableBytesView), frame: event?.frame)
        try db.cachedStatement(
            sql: """
                UPDATE item SET state = ?, error_code = ?, not_before = ?, measure = ?, result = ?, event_seq = ?,
                    event_at = ? WHERE id = ?
                """
        ).execute(arguments: [
            state.rawValue, error?.rawValue, notBefore, measure?.rawValue, result, event?.seq, event?.at,
            item.rawValue,
        ])
    }

    /// The event that reports the item's outcome and is stored with it; nil if there is none.
    func event(_ item: ItemNumber) throws -> StoredEvent? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT event_seq, event_at, frame FROM item JOIN result ON result.id = item.result
                    WHERE item.id = ? AND frame IS NOT NULL
                    """), arguments: [item.rawValue]
        ).map(Self.event)
    }

    /// The events after `seq` that are stored with a job's items. Reads all items of the job.
    func outcomeEvents(job: Int64, after seq: Int) throws -> OutcomeEvents {
        let range = ItemNumber.range(ofJob: job)
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT event_seq, id FROM item WHERE id BETWEEN ? AND ? AND event_seq > ?"),
            arguments: [range.lowerBound, range.upperBound, seq])
        return try OutcomeEvents(
            Array(rows.map { OutcomeEvents.Entry(seq: $0[0], index: ItemNumber(rawValue: $0[1]).index) }))
    }

    /// The newest events that are stored with a job's items, in order, at most `limit`. Reads all items of the job, but only these events' frames.
    func newestEvents(job: Int64, limit: Int) throws -> [StoredEvent] {
        let range = ItemNumber.range(ofJob: job)
        return try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT event_seq, event_at, frame FROM
                        (SELECT event_seq, event_at, result FROM item WHERE id BETWEEN ? AND ? AND event_seq IS NOT NULL
                            ORDER BY event_seq DESC LIMIT ?)
                        JOIN result ON result.id = result WHERE frame IS NOT NULL ORDER BY event_seq
                    """),
            arguments: [range.lowerBound, range.upperBound, limit]
        ).map(Self.event)
    }

    /// Reads the columns `event_seq, event_at, frame`.
    private static func event(_ row: Row) -> StoredEvent {
        StoredEvent(seq: row[0], at: row[1], kind: .progress, frame: ByteBuffer(bytes: row[2] as Data))
    }

    /// The measure of the item's result; nil if the item has no result or the result was not measured.
    func measure(_ item: ItemNumber) throws -> ResultMeasure? {
        try Int.fetchOne(db.cachedStatement(sql: "SELECT measure FROM item WHERE id = ?"), arguments: [item.rawValue])
            .map(ResultMeasure.init)
    }

    func setMeasure(_ item: ItemNumber, _ measure: ResultMeasure) throws {
        try db.cachedStatement(sql: "UPDATE item SET measure = ? WHERE id = ?")
            .execute(arguments: [measure.rawValue, item.rawValue])
    }

    func setState(_ item: ItemNumber, _ state: ItemState, error: ItemErrorCode?, notBefore: Int64?) throws {
        try db.cachedStatement(sql: "UPDATE item SET state = ?, error_code = ?, not_before = ? WHERE id = ?")
            .execute(arguments: [state.rawValue, error?.rawValue, notBefore, item.rawValue])
    }

    func setAttempts(_ item: ItemNumber, _ attempts: Int) throws {
        try db.cachedStatement(sql: "UPDATE item SET attempts = ? WHERE id = ?")
            .execute(arguments: [attempts, item.rawValue])
    }

    /// Ends items without an outcome; returns their number.
    ///
    /// - Parameter places: Range of the items' indexes; nil for all items of the job.
    @discardableResult
    func endQueued(
        job: Int64, as state: ItemState, error: ItemErrorCode, places: Range<Int>? = nil
    ) throws -> Int {
        let places = places ?? 0..<Int(ItemNumber.placesPerJob)
        let (start, end) = (
            ItemNumber(job: job, index: places.lowerBound), ItemNumber(job: job, index: places.upperBound)
        )
        try db.cachedStatement(
            sql: """
                UPDATE item SET state = ?, error_code = ?, not_before = NULL
                WHERE id >= ? AND id < ? AND state = \(ItemState.queued.rawValue)
                """
        ).execute(arguments: [state.rawValue, error.rawValue, start.rawValue, end.rawValue])
        return db.changesCount
    }

    /// Removes all planned later work on the job's items.
    func forgetLater(job: Int64) throws {
        let range = ItemNumber.range(ofJob: job)
        try db.cachedStatement(
            sql: "UPDATE item SET not_before = NULL WHERE id BETWEEN ? AND ? AND not_before IS NOT NULL"
        ).execute(arguments: [range.lowerBound, range.upperBound])
    }

    /// The item's result; nil if it has none.
    func result(_ item: ItemNumber) throws -> ByteBuffer? {
        try Data.fetchOne(
            db.cachedStatement(
                sql: "SELECT row FROM item JOIN result ON result.id = item.result WHERE item.id = ?"),
            arguments: [item.rawValue]
        ).map(ByteBuffer.init)
    }

    /// Replaces the result of an item that has an outcome; false if the result is unchanged. An item without a result, such as one that ended with
    /// its job, receives one.
    func replaceResult(_ item: ItemNumber, row: ByteBuffer) throws -> Bool {
        let row = Data(row.readableBytesView)
        let stored = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT result.id, row FROM item JOIN result ON result.id = item.result WHERE item.id = ?"),
            arguments: [item.rawValue])
        guard let stored else {
            let result = try insertResult(row)
            try db.cachedStatement(sql: "UPDATE item SET result = ? WHERE id = ?")
                .execute(arguments: [result, item.rawValue])
            return true
        }
        guard stored["row"] != row else { return false }
        let result: Int64 = stored["id"]
        try db.cachedStatement(sql: "UPDATE result SET row = ? WHERE id = ?").execute(arguments: [row, result])
        return true
    }

    private func insertResult(_ row: Data, frame: ByteBuffer? = nil) throws -> Int64 {
        try db.cachedStatement(sql: "INSERT INTO result(row, frame) VALUES (?, ?)")
            .execute(arguments: [row, frame.map { Data($0.readableBytesView) }])
        return db.lastInsertedRowID
    }

    /// The newest outcome with a result; nil if there is none.
    func newestOutcome(job: Int64) throws -> ActiveJob.LatestOutcome? {
        let range = ItemNumber.range(ofJob: job)
        return try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT item.id, state, row, title, author, isbn, work_id, source_row
                    FROM item JOIN result ON result.id = item.result
                    WHERE item.id BETWEEN :first AND :last
                        AND result = (SELECT max(result) FROM item WHERE id BETWEEN :first AND :last)
                    """), arguments: ["first": range.lowerBound, "last": range.upperBound]
        ).map { row in
            let asked = Self.query(row, from: 3)
            return ActiveJob.LatestOutcome(
                item: ItemNumber(rawValue: row[0]), title: TitledRow.title(row[2]) ?? asked.displayTitle,
                found: ItemState(rawValue: row[1]) == .succeeded, asked: asked)
        }
    }

    /// Every readable stored row of a job, in order.
    func resultRows(job: Int64) throws -> [EnrichedBook] {
        let range = ItemNumber.range(ofJob: job)
        let decoder = JSONDecoder()
        return try Data.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT row FROM item JOIN result ON result.id = item.result
                    WHERE item.id BETWEEN ? AND ? ORDER BY item.id
                    """),
            arguments: [range.lowerBound, range.upperBound]
        ).compactMap { try? decoder.decode(EnrichedBook.self, from: $0) }
    }

    /// The titles of the first items that failed or were skipped; for items without a title, their identifiers.
    func failedTitles(job: Int64, limit: Int) throws -> [String] {
        let range = ItemNumber.range(ofJob: job)
        return try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT coalesce(title, isbn, work_id) FROM item
                    WHERE id BETWEEN ? AND ? AND state IN (2, 3) AND coalesce(title, isbn, work_id) IS NOT NULL LIMIT ?
                    """), arguments: [range.lowerBound, range.upperBound, limit])
    }
}

// MARK: Rows of results as JSON text

extension ItemStore {
    /// Rows of a job in input order from `cursor` on: as many as fit into `bytes`, but at least one if any is left.
    ///
    /// - Parameter titled: Whether the row of a book requested without a title has its ISBN or work identifier as a title, for clients that need one.
    func resultsPage(job: Int64, from cursor: Int, atMost bytes: Int, titled: Bool = false) throws -> ResultsPage {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT item.id, title, author, isbn, work_id, source_row, error_code, row
                    FROM item LEFT JOIN result ON result.id = item.result
                    WHERE item.id BETWEEN ? AND ? ORDER BY item.id
                    """),
            arguments: [
                ItemNumber(job: job, index: cursor).rawValue, ItemNumber.range(ofJob: job).upperBound,
            ])
        var page = ByteBuffer()
        while let row = try rows.next() {
            var text = try (row[7] as Data?) ?? Self.rowWithoutResult(row)
            if titled, (row[1] as String?) == nil {
                text = try Self.titled(text, Self.query(row, from: 1).displayTitle)
            }
            if page.readableBytes > 0, page.readableBytes + text.count > bytes {
                return ResultsPage(next: ItemNumber(rawValue: row["id"]).index, rows: page)
            }
            if page.readableBytes > 0 { page.writeString(",") }
            page.writeBytes(text)
        }
        return ResultsPage(next: nil, rows: page)
    }

    /// The row of an item without a result: the request echoed, and the reason.
    private static func rowWithoutResult(_ row: Row) throws -> Data {
        let code = (row["error_code"] as String?).flatMap(ItemErrorCode.init) ?? .cancelled
        var book = EnrichedBook(asked: query(row, from: 1), success: false)
        book.errorCode = code
        book.error =
            code == .deadlineExceeded ? "The job ran out of time" : "The job ended before this book was looked up"
        book.retryable = code.isRetryable
        return Data(try BodyCoding.encode(book).readableBytesView)
    }

    /// - Parameter first: Index of the first of the columns `title, author, isbn, work_id, source_row`. They are accessed by index for
    ///   speed: every claim reads them, and access by name makes GRDB look up the column each time.
    private static func query(_ row: Row, from first: Int = 0) -> BookQuery {
        BookQuery(
            title: row[first], author: row[first + 1], isbn: row[first + 2], workId: row[first + 3], row: row[first + 4]
        )
    }

    /// Inserts a title before the other members of a row's text, none of which is a title.
    private static func titled(_ row: Data, _ title: String) throws -> Data {
        var text = Data(try BodyCoding.encode(["title": title]).readableBytesView)
        text.removeLast()
        text.append(UInt8(ascii: ","))
        text.append(row.dropFirst())
        return text
    }

    /// The rows for `enrichedBooks[]` of a completion, each with a title, joined by commas: complete if they fit into `bytes`, otherwise with only
    /// title, author, isbn and success; no rows if even those do not fit (websocket.md "Payloads").
    ///
    /// Reads at most `bytes` of each form, so the largest job costs little more than one that fits.
    func completionRows(job: Int64, atMost bytes: Int) throws -> ByteBuffer {
        let whole = try resultsPage(job: job, from: 0, atMost: bytes, titled: true)
        if whole.next == nil, whole.rows.readableBytes <= bytes { return whole.rows }
        let range = ItemNumber.range(ofJob: job)
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT title, author, isbn, work_id, source_row, state FROM item WHERE id BETWEEN ? AND ? ORDER BY id
                    """), arguments: [range.lowerBound, range.upperBound])
        var short = ByteBuffer()
        while let row = try rows.next() {
            let asked = Self.query(row)
            // The apps' decoder needs a title and `success`.
            let book = EnrichedBook(
                asked: BookQuery(title: asked.displayTitle, author: asked.author, isbn: asked.isbn),
                success: ItemState(rawValue: row["state"]) == .succeeded)
            if short.readableBytes > 0 { short.writeString(",") }
            short.writeImmutableBuffer(try BodyCoding.encode(book))
            if short.readableBytes > bytes { return ByteBuffer() }
        }
        return short
    }
}

/// The part of a result that contains its title.
private struct TitledRow: Decodable {
    struct Book: Decodable { var work: Work }
    struct Work: Decodable { var title: String }

    /// The title of a `ScannedBook`, or the requested title of an `EnrichedBook`.
    var title: String?
    /// The book of an `EnrichedBook`.
    var enriched: Book?

    /// The title of the book found, otherwise as requested or read from a spine; nil if there is none.
    static func title(_ row: Data) -> String? {
        let row = try? JSONDecoder().decode(TitledRow.self, from: row)
        return row?.enriched?.work.title ?? row?.title
    }
}
