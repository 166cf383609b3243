import BookIdentifiers
import BookstrackContract
import Foundation
import GRDB
import SuiteMethods

/// The history of requested ISBNs: which ones failed, and which metadata users report as missing (http-api.md "Reports"). ISBNs in responses count as
/// requested. All statements that read or change it are here.
///
/// ``prune(at:keeping:)`` keeps the ISBNs requested within the last day and those that failed or were reported, the most recent ``maxNoted`` of each.
struct ISBNHistory {
    /// Maximum number of ISBNs that failed or were reported, and of those that were only requested; beyond this, the oldest are dropped.
    static let maxNoted = 100_000
    /// How long an ISBN counts as requested, and how long a fresh lookup counts as recent, in seconds.
    static let day = 86_400

    let db: Database

    /// Records the uses of ISBNs at `now`, in seconds since 1970.
    func note(_ uses: [ISBN: ISBNUse], at now: Int) throws {
        let returned = try db.cachedStatement(
            sql: """
                INSERT INTO isbn_history(isbn, asked_at) VALUES (?1, ?2) ON CONFLICT(isbn) DO UPDATE SET asked_at = ?2
                """)
        let found = try db.cachedStatement(
            sql: """
                INSERT INTO isbn_history(isbn, asked_at) VALUES (?1, ?2) ON CONFLICT(isbn) DO UPDATE SET
                    asked_at = ?2, attempts = 0, code = NULL, first_failed_at = NULL, last_failed_at = NULL,
                    noted_at = reported_at
                """)
        let failed = try db.cachedStatement(
            sql: """
                INSERT INTO isbn_history(isbn, asked_at, attempts, code, first_failed_at, last_failed_at, noted_at)
                VALUES (?1, ?2, 1, ?3, ?2, ?2, ?2) ON CONFLICT(isbn) DO UPDATE SET
                    asked_at = ?2, attempts = attempts + 1, code = ?3, last_failed_at = ?2, noted_at = ?2,
                    first_failed_at = coalesce(first_failed_at, ?2)
                """)
        for (isbn, use) in uses {
            switch use {
            case .found: try found.execute(arguments: [isbn.number, now])
            case .failed(let code): try failed.execute(arguments: [isbn.number, now, code.rawValue])
            case .returned: try returned.execute(arguments: [isbn.number, now])
            }
        }
    }

    /// Adds a report, unless the ISBN is not in the table, and decides whether it leads to a lookup.
    ///
    /// - Parameter limit: Maximum number of fresh lookups per day.
    func add(_ report: MetadataReport, limit: Int, at now: Int) throws -> ReportReceipt.Lookup {
        let row = try Row.fetchOne(
            db, sql: "SELECT asked_at, refreshed_at FROM isbn_history WHERE isbn = ?", arguments: [report.isbn.number])
        // Only requested ISBNs can be reported; otherwise, anyone could fill the table with arbitrary numbers.
        guard let row else { return .notAsked }
        try db.execute(
            sql: """
                UPDATE isbn_history SET reports = reports + 1, fields = fields | ?2, note = coalesce(?3, note),
                    reported_at = ?4, noted_at = ?4
                WHERE isbn = ?1
                """, arguments: [report.isbn.number, BookFieldSet(report.fields).rawValue, report.note, now])
        guard row["asked_at"] > now - Self.day else { return .notAsked }
        let latest = now + ClockSkew.tolerance
        if let refreshedAt: Int = row["refreshed_at"], refreshedAt > now - Self.day, refreshedAt <= latest {
            return .recent
        }
        let used = try Int.fetchOne(
            db, sql: "SELECT COUNT(*) FROM isbn_history WHERE refreshed_at BETWEEN ? AND ?",
            arguments: [now - now % Self.day, latest])
        guard used ?? 0 < limit else { return .budget }
        try db.execute(
            sql: "UPDATE isbn_history SET refreshed_at = ?2 WHERE isbn = ?1", arguments: [report.isbn.number, now])
        return .scheduled
    }

    /// The ISBNs that failed or were reported, newest failure or report first.
    func noted(limit: Int) throws -> ReadFailingISBNs.Result {
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT * FROM isbn_history WHERE noted_at IS NOT NULL ORDER BY noted_at DESC, isbn LIMIT ?",
            arguments: [limit])
        let total = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM isbn_history WHERE noted_at IS NOT NULL") ?? 0
        return ReadFailingISBNs.Result(isbns: rows.map(FailingISBN.init), total: total)
    }

    /// Drops ISBNs that were last requested more than a day ago, or in the future by a clock that has been set back since, unless they failed or were
    /// reported. Then drops the oldest of each kind beyond `limit`.
    func prune(at now: Int, keeping limit: Int = maxNoted) throws {
        try db.execute(
            sql: "DELETE FROM isbn_history WHERE noted_at IS NULL AND (asked_at <= ? OR asked_at > ?)",
            arguments: [now - Self.day, now + ClockSkew.tolerance])
        for (condition, order) in [("noted_at IS NULL", "asked_at"), ("noted_at IS NOT NULL", "noted_at")] {
            let count = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM isbn_history WHERE \(condition)") ?? 0
            guard count > limit else { continue }
            try db.execute(
                sql: """
                    DELETE FROM isbn_history WHERE isbn IN
                        (SELECT isbn FROM isbn_history WHERE \(condition) ORDER BY \(order), isbn LIMIT ?)
                    """, arguments: [count - limit])
        }
    }
}

extension ProviderCache {
    /// Adds a report once all previously recorded lookups are written. Throws SQLite's errors.
    func add(_ report: MetadataReport, limit: Int) async throws -> ReportReceipt.Lookup {
        await flush()
        let seconds = now
        return try await use(.written) { pool in
            try await pool.write { try ISBNHistory(db: $0).add(report, limit: limit, at: seconds) }
        }
    }

    /// The ISBNs that failed or were reported, newest first. Throws SQLite's errors.
    func failingISBNs(limit: Int) async throws -> ReadFailingISBNs.Result {
        await flush()
        return try await use(.read) { pool in
            try await pool.read { try ISBNHistory(db: $0).noted(limit: limit) }
        }
    }

    /// Drops old ISBNs (``ISBNHistory/prune(at:keeping:)``); those that cannot be dropped now will be dropped the next time.
    func pruneISBNs() async {
        let seconds = now
        try? await use(.written) { pool in try await pool.write { try ISBNHistory(db: $0).prune(at: seconds) } }
    }
}

/// How a search or an item of a job used an ISBN, which counts as requested from then on.
enum ISBNUse: Equatable, Sendable {
    /// The ISBN was looked up, and the book was found.
    case found
    /// The ISBN was looked up without success.
    case failed(ItemErrorCode)
    /// The response contains an edition with this ISBN. This says nothing about lookups of the ISBN itself.
    case returned
}

extension [ISBN: ISBNUse] {
    /// The ISBNs of the editions in a response.
    init(returned editions: [EditionDTO]) {
        self.init(editions.compactMap { $0.isbn.flatMap { ISBN($0) } }.map { ($0, .returned) }) { $1 }
    }
}

/// A user's report that a book lacks metadata.
struct MetadataReport: Sendable {
    var isbn: ISBN
    var fields: [BookField] = []
    var note: String?
}

extension ISBN {
    fileprivate var number: Int64 { Int64(value) }
}

extension FailingISBN {
    fileprivate init(_ row: Row) {
        self.init(
            isbn: String(row["isbn"] as Int64), attempts: row["attempts"], reports: row["reports"],
            fields: BookFieldSet(rawValue: row["fields"]).fields)
        code = (row["code"] as String?).flatMap(ItemErrorCode.init)
        (firstFailedAt, lastFailedAt) = (row["first_failed_at"], row["last_failed_at"])
        (note, reportedAt) = (row["note"], row["reported_at"])
    }
}
