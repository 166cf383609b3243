import BookstrackContract
import Foundation
import GRDB
import JSONRPC
import NIOCore
import SuiteMethods
import SuiteStorage

/// SQL statements on scans, their photos and their spines, in the engine's transactions and on read connections. Throws SQLite's errors.
struct ScanStore {
    let db: Database

    func insert(_ parameters: BeginScan.Parameters, job: Int64) throws {
        try db.cachedStatement(sql: "INSERT INTO scan(job, is_batch, is_tokenless) VALUES (?, ?, ?)")
            .execute(arguments: [job, parameters.isBatch, parameters.isTokenless])
        for (place, bytes) in parameters.photos.enumerated() {
            try db.cachedStatement(sql: "INSERT INTO photo(job, place, bytes, status) VALUES (?, ?, ?, ?)")
                .execute(arguments: [job, place, bytes, ScannedPhoto.Status.queued.rawValue])
        }
    }

    /// A job's scan with its photos; nil for any other job.
    func scan(_ job: JobRow) throws -> OpenScan? {
        guard job.pipeline == .aiScan else { return nil }
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT is_batch, is_uploaded, attempt, lost_attempts FROM scan WHERE job = ?"),
            arguments: [job.number])
        return try row.map { row in
            OpenScan(
                job: job.number, id: job.id, client: job.origin.client, isBatch: row["is_batch"],
                isUploaded: row["is_uploaded"], attempt: row["attempt"], lostAttempts: row["lost_attempts"],
                photos: try photos(job: job.number))
        }
    }

    /// The photos of a job, in order.
    func photos(job: Int64) throws -> [StoredPhoto] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT place, bytes, status, books, width, height, engine, model, fault FROM photo
                    WHERE job = ? ORDER BY place
                    """), arguments: [job]
        ).map { row in
            var shown = ScannedPhoto(index: row["place"])
            shown.status = ScannedPhoto.Status(rawValue: row["status"]) ?? .queued
            shown.booksFound = row["books"]
            shown.width = row["width"]
            shown.height = row["height"]
            shown.engine = row["engine"]
            let fault = (row["fault"] as String?).flatMap {
                try? BodyCoding.decode(PhotoFault.self, from: ByteBuffer(string: $0))
            }
            shown.error = fault?.message
            return StoredPhoto(shown: shown, bytes: row["bytes"], model: row["model"], fault: fault)
        }
    }

    /// Numbers of ended jobs with photos that must be read again.
    func reopened() throws -> [Int64] {
        let over = ScannedPhoto.Status.allCases.filter(\.isOver).map { "'\($0.rawValue)'" }.joined(separator: ",")
        return try Int64.fetchAll(
            db,
            sql: """
                SELECT DISTINCT photo.job FROM photo JOIN job ON job.number = photo.job
                WHERE job.ended_at IS NOT NULL AND job.status <> 'cancelled' AND photo.status NOT IN (\(over))
                """)
    }

    /// Whether a job is a scan whose photos are kept with its results: one that was not cancelled.
    func keepsPhotos(_ id: JobID) throws -> Bool {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT 1 FROM job JOIN scan ON scan.job = job.number WHERE job_id = ? AND status <> 'cancelled'
                    """), arguments: [id.text]) != nil
    }

    /// Ended scans whose photos, together with those of all scans that ended later, exceed `bytes`.
    func scansWithPhotos(beyond bytes: Int) throws -> Set<JobID> {
        let scans = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT job_id, (SELECT sum(bytes) FROM photo WHERE photo.job = job.number) AS bytes
                    FROM scan JOIN job ON job.number = scan.job
                    WHERE status IN ('completed', 'failed') ORDER BY ended_at DESC
                    """))
        var (kept, beyond) = (0, Set<JobID>())
        while let row = try scans.next() {
            kept += row["bytes"] as Int? ?? 0
            if kept > bytes, let id = JobID(row["job_id"]) { beyond.insert(id) }
        }
        return beyond
    }

    /// Whether a job is a scan that sockets may follow without a token.
    func isTokenless(_ id: JobID) throws -> Bool {
        try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT 1 FROM job JOIN scan ON scan.job = job.number WHERE job_id = ? AND is_tokenless = 1"),
            arguments: [id.text]) != nil
    }

    func update(_ open: OpenScan) throws {
        try db.cachedStatement(sql: "UPDATE scan SET is_uploaded = ?, attempt = ?, lost_attempts = ? WHERE job = ?")
            .execute(arguments: [open.isUploaded, open.attempt, open.lostAttempts, open.job])
    }

    func update(_ photo: StoredPhoto, job: Int64) throws {
        let fault = try photo.fault.map { String(buffer: try BodyCoding.encode($0)) }
        try db.cachedStatement(
            sql: """
                UPDATE photo SET status = ?, books = ?, width = ?, height = ?, engine = ?, model = ?, fault = ?
                WHERE job = ? AND place = ?
                """
        ).execute(arguments: [
            photo.shown.status.rawValue, photo.shown.booksFound, photo.shown.width, photo.shown.height,
            photo.shown.engine, photo.model, fault, job, photo.shown.index,
        ])
    }

    // MARK: Spines

    /// Appends the spines of a photo to the items of a job, one item per spine.
    ///
    /// - Parameter due: When to look up the items if the job has ended. All items of an ended job have outcomes, so these start out as failed items.
    func add(_ reading: PhotoReading, photo: Int, to job: JobRow, dueAt due: Int64? = nil) throws {
        let state = due == nil ? ItemState.queued : .failed
        let code = due.map { _ in ItemErrorCode.providerError.rawValue }
        for (offset, spine) in reading.spines.enumerated() {
            let (query, item) = (spine.query, ItemNumber(job: job.number, index: job.total + offset).rawValue)
            try db.cachedStatement(
                sql: """
                    INSERT INTO item(id, title, author, isbn, state, error_code, not_before) VALUES (?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [item, query.title, query.author, query.isbn, state.rawValue, code, due])
            try db.cachedStatement(
                sql: "INSERT INTO spine(id, photo, engine, reading, confidence, identity) VALUES (?, ?, ?, ?, ?, ?)"
            ).execute(arguments: [
                item, photo, reading.engine, String(buffer: try BodyCoding.encode(spine)), spine.confidence,
                spine.identity,
            ])
        }
        try db.cachedStatement(sql: "UPDATE job SET total = ? WHERE number = ?")
            .execute(arguments: [job.total + reading.spines.count, job.number])
    }

    /// The spine for which an item is looked up; nil if there is none or it cannot be decoded.
    func spine(_ item: ItemNumber) throws -> SpineItem? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT photo, engine, reading FROM spine WHERE id = ?"), arguments: [item.rawValue]
        ).flatMap(Self.spine)
    }

    /// Decodes the spine in a row with `photo`, `engine` and `reading`; nil if its text cannot be decoded.
    static func spine(_ row: Row) -> SpineItem? {
        (try? BodyCoding.decode(DetectedSpine.self, from: ByteBuffer(string: row["reading"]))).map {
            SpineItem(photo: row["photo"], engine: row["engine"], reading: $0)
        }
    }

    /// Stores the identity of a spine's book, and whether the match is verified.
    func note(_ outcome: ItemOutcome, of item: ItemNumber) throws {
        try db.cachedStatement(sql: "UPDATE spine SET identity = ?, is_verified = ? WHERE id = ?")
            .execute(arguments: [outcome.identity, outcome.isVerified == true, item.rawValue])
    }

    // MARK: Results

    /// The books of a job, without duplicates.
    func tally(job: Int64) throws -> ScanTally {
        let range = ItemNumber.range(ofJob: job)
        return ScanTally(
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT item.id AS id, state, confidence, identity, is_verified
                        FROM spine JOIN item ON item.id = spine.id WHERE item.id BETWEEN ? AND ? ORDER BY item.id
                        """), arguments: [range.lowerBound, range.upperBound]
            ).map { row in
                ScanTally.Spine(
                    item: row["id"], confidence: row["confidence"], identity: row["identity"],
                    isVerified: row["is_verified"], isFound: ItemState(rawValue: row["state"]) == .succeeded)
            })
    }

    /// Rows of kept items from `cursor` on: as many as fit into `bytes`, but at least one if any is left.
    func page(job: JobRow, from cursor: Int, atMost bytes: Int) throws -> ResultsPage {
        let kept = try tally(job: job.number).kept
        let first = ItemNumber(job: job.number, index: cursor).rawValue
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT item.id AS id, error_code, photo, engine, reading, row
                    FROM item JOIN spine ON spine.id = item.id LEFT JOIN result ON result.id = item.result
                    WHERE item.id BETWEEN ? AND ? ORDER BY item.id
                    """), arguments: [first, ItemNumber.range(ofJob: job.number).upperBound])
        var page = ByteBuffer()
        while let row = try rows.next() {
            guard kept.contains(row["id"]) else { continue }
            let text = try (row["row"] as Data?).map { ByteBuffer(bytes: $0) } ?? Self.rowWithoutResult(row)
            if page.readableBytes > 0, page.readableBytes + text.readableBytes > bytes {
                return ResultsPage(next: ItemNumber(rawValue: row["id"]).index, rows: page)
            }
            if page.readableBytes > 0 { page.writeString(",") }
            page.writeImmutableBuffer(text)
        }
        return ResultsPage(next: nil, rows: page)
    }

    /// The row for a spine without a result.
    private static func rowWithoutResult(_ row: Row) throws -> ByteBuffer {
        guard let spine = spine(row) else { return ByteBuffer(string: "{}") }
        var book = ScannedBook(spine.reading, photo: spine.photo)
        let code = (row["error_code"] as String?).flatMap(ItemErrorCode.init) ?? .deadlineExceeded
        book.errorCode = code
        book.error = code == .deadlineExceeded ? "The job ran out of time" : "The book has not been looked up yet"
        book.retryable = code.isRetryable
        return try BodyCoding.encode(book)
    }

    /// A scan's results without its books; nil for a job that is not a scan.
    func figures(_ job: JobRow) throws -> ScanFigures? {
        guard let scan = try scan(job) else { return nil }
        let tally = try tally(job: job.number)
        let end = job.endedAt ?? job.createdAt
        return ScanFigures(
            detected: tally.kept.count, approved: tally.approved, enriched: tally.enriched,
            photos: scan.photos.map(\.shown), modelUsed: scan.modelUsed,
            processingTime: Int(max(0, end - (job.startedAt ?? end))), endedAt: end)
    }
}

extension OpenScan {
    /// The model that read the most photos. If several models are tied, the one that read the earliest photo; empty if no photo was read.
    var modelUsed: String {
        let models = photos.compactMap(\.model)
        let most = Dictionary(grouping: models, by: \.self).mapValues(\.count).values.max()
        return models.first { model in models.count { $0 == model } == most } ?? ""
    }
}
