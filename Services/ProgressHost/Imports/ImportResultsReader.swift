import BookstrackContract
import GRDB
import NIOCore
import SuiteMethods

/// Reads results of ended imports on separate read connections, so a long download never delays the engine.
struct ImportResultsReader: Sendable {
    let pool: DatabasePool
    let clock: EngineClock
    /// How long results are kept after a job's end (`BOOKSTRACK_RESULTS_TTL_SECONDS`).
    let ttl: Duration

    /// Returns the head and the first page of an import's results; throws `resultsNotReady` before the end, `notAnImport` for another kind of job,
    /// and `noResults` if there is no such job.
    func opening(of id: JobID) async throws -> ReadImportResults {
        try await pool.read { db in
            let job = try endedJob(id, db)
            guard let head = try ImportStore(db: db).head(job) else { throw HostFailure.notAnImport(id, job.pipeline) }
            return ReadImportResults(head: head, page: try page(of: job, from: .first, db))
        }
    }

    /// Returns a page of rows from `cursor` on, as delivered by the worker.
    func page(of id: JobID, cursor: Int) async throws -> ImportRowsPage {
        guard let place = ImportStore.Place(cursor: cursor) else { throw HostFailure.invalidRequest("no such cursor") }
        return try await pool.read { db in try page(of: endedJob(id, db), from: place, db) }
    }

    /// A page of an import's rows; empty unless the import has completed.
    private func page(of job: JobRow, from place: ImportStore.Place, _ db: Database) throws -> ImportRowsPage {
        let store = ImportStore(db: db)
        guard job.status == .completed, let read = try store.import(job) else {
            return ImportRowsPage(next: nil, part: .books, rows: .init())
        }
        return try store.page(job: job.number, attempt: read.attempt, from: place)
    }

    private func endedJob(_ id: JobID, _ db: Database) throws -> JobRow {
        guard let job = try JobStore(db: db).job(id, at: clock.now().settled) else {
            throw HostFailure.noResults(id, ttl: ttl)
        }
        guard job.status.isTerminal else { throw HostFailure.resultsNotReady(id, job.status) }
        return job
    }
}
