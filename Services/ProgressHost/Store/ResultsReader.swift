import BookstrackContract
import Foundation
import GRDB
import JSONRPC
import NIOCore
import SuiteMethods
import SuiteStorage

/// Reads results of ended jobs on separate read connections, so the engine does not wait for a long download.
struct ResultsReader: Sendable {
    let pool: DatabasePool
    let clock: EngineClock
    /// Minimum time for which results are kept after a job's end (`BOOKSTRACK_RESULTS_TTL_SECONDS`).
    let ttl: Duration

    /// Returns the head and the first page of a job's results; throws `resultsNotReady` before the end, `scanWithoutResults` for a cancelled scan and
    /// a failed one without books, and `noResults` if there is no such job or its results have expired.
    func opening(of id: JobID) async throws -> ReadResults {
        try await pool.read { db in
            let row = try endedJob(id, db)
            let counts = try JobStore(db: db).counts(row)
            var head = ReadResults.Head(
                jobId: id, pipeline: row.pipeline, resultsRevision: row.resultsRevision,
                expiresAt: ISO8601Milliseconds.string(fromMilliseconds: row.expiresAt ?? 0),
                successCount: counts.succeeded, failureCount: counts.withoutResult)
            head.scan = try ScanStore(db: db).figures(row)
            // A failed scan has results once a retry has read a book in one of its photos; a cancelled one never has any.
            let isRead = row.status == .failed && (head.scan?.detected ?? 0) > 0
            guard head.scan == nil || row.status == .completed || isRead else {
                let scan = row.status == .failed ? try ScanStore(db: db).scan(row) : nil
                let failure = scan.flatMap { ScanFailure($0, books: row.total) }
                throw HostFailure.scanWithoutResults(id, row.status, failure?.fault)
            }
            return ReadResults(head: head, page: try page(of: row, from: 0, db))
        }
    }

    /// Returns a page of rows from `cursor` on, in input order; an empty page after the last row.
    func page(of id: JobID, cursor: Int) async throws -> ResultsPage {
        guard cursor >= 0 else { throw HostFailure.invalidRequest("no such cursor") }
        return try await pool.read { db in
            let row = try endedJob(id, db)
            // A cursor far beyond the last row does not fit into an item's number.
            return try page(of: row, from: min(cursor, row.total), db)
        }
    }

    private func page(of job: JobRow, from cursor: Int, _ db: Database) throws -> ResultsPage {
        let scans = ScanStore(db: db)
        return try scans.scan(job) == nil
            ? ItemStore(db: db).resultsPage(job: job.number, from: cursor, atMost: ResultsPage.bytes)
            : scans.page(job: job, from: cursor, atMost: ResultsPage.bytes)
    }

    /// Returns the head and the first page of an import's results; throws `resultsNotReady` before the end, `notAnImport` for another kind of job,
    /// and `noResults` if there is no such job or its results have expired.
    func importOpening(of id: JobID) async throws -> ReadImportResults {
        try await pool.read { db in
            let job = try endedJob(id, db)
            guard let head = try ImportStore(db: db).head(job) else { throw HostFailure.notAnImport(id, job.pipeline) }
            return ReadImportResults(head: head, page: try importPage(of: job, from: .first, db))
        }
    }

    /// Returns a page of an import's rows from `cursor` on, as delivered by the worker. Throws `invalidRequest` for an invalid cursor, and otherwise
    /// the errors of ``importOpening(of:)``.
    func importPage(of id: JobID, cursor: Int) async throws -> ImportRowsPage {
        guard let place = ImportStore.Place(cursor: cursor) else { throw HostFailure.invalidRequest("no such cursor") }
        return try await pool.read { db in try importPage(of: endedJob(id, db), from: place, db) }
    }

    /// A page of an import's rows; empty unless the import has completed.
    private func importPage(of job: JobRow, from place: ImportStore.Place, _ db: Database) throws -> ImportRowsPage {
        let store = ImportStore(db: db)
        guard let read = try store.import(job) else { throw HostFailure.notAnImport(job.id, job.pipeline) }
        guard job.status == .completed else { return ImportRowsPage(next: nil, part: .books, rows: .init()) }
        return try store.page(job: job.number, attempt: read.attempt, from: place)
    }

    private func endedJob(_ id: JobID, _ db: Database) throws -> JobRow {
        guard let row = try JobStore(db: db).job(id, at: clock.now().settled) else {
            throw HostFailure.noResults(id, ttl: ttl)
        }
        guard row.status.isTerminal else { throw HostFailure.resultsNotReady(id, row.status) }
        return row
    }
}
