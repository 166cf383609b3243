import BookstrackContract
import Foundation
import GRDB
import JSONRPC
import NIOCore
import Observability
import SuiteMethods
import SuiteStorage

/// Reads a job's details and items on separate read connections, so the engine does not wait for an operator.
struct JobInspector: Sendable {
    let lister: JobLister

    // MARK: The job

    /// Reads the details of a job. Throws `noJob` if there is no such job or its results have expired.
    func detail(of id: JobID) async throws -> ReadJobDetail.Result {
        let now = lister.clock.now()
        return try await lister.pool.read { db in
            let row = try job(id, at: now, db)
            var detail = ReadJobDetail.Result(
                job: try lister.listed(row, db), traceId: row.trace?.traceID, client: row.origin.client,
                deadlineAt: row.deadlineAt,
                lastSeq: try JobStore(db: db).lastSeq(row.number) ?? row.lastSeq, resultsRevision: row.resultsRevision)
            if let planned = try LaterStore(db: db).plannedRetries(job: row.number) {
                (detail.laterRetries, detail.nextRetryAt) = (planned.count, now.wall(atSettled: planned.next))
            }
            detail.webhooks =
                try Int.fetchOne(db, sql: "SELECT count(*) FROM webhook WHERE job = ?", arguments: [row.number]) ?? 0
            detail.events = try events(of: row.number, db)
            detail.tokens = try TokenHashStore(db: db).all(job: row.number).map {
                .init(number: $0.number, acknowledged: $0.delivered, isValid: $0.verdict(at: now) == .valid)
            }
            detail.file = try file(of: row, db)
            detail.photos = try ScanStore(db: db).scan(row)?.photos.map(\.shown)
            return detail
        }
    }

    private func job(_ id: JobID, at now: Moment, _ db: Database) throws -> JobRow {
        guard let row = try JobStore(db: db).job(id, at: now.settled) else {
            throw HostFailure.noJob(id)
        }
        return row
    }

    /// The job's first event and the newest ones.
    private func events(of job: Int64, _ db: Database) throws -> [ReadJobDetail.Event] {
        let store = JobStore(db: db)
        let first = try store.events(job: job, after: 0, limit: 1)
        let newest = try store.newestEvents(job: job, limit: ReadJobDetail.maxEvents - first.count)
        return (first + newest.filter { $0.seq != first.last?.seq }).map { event in
            let isShown = event.frame.readableBytes <= ReadJobDetail.maxFrameBytes
            return ReadJobDetail.Event(
                seq: event.seq, at: event.at, kind: event.kind.rawValue,
                frame: isShown ? String(buffer: event.frame) : nil)
        }
    }

    private func file(of job: JobRow, _ db: Database) throws -> ReadJobDetail.File? {
        guard job.pipeline == .csvImport else { return nil }
        return try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT file_name, bytes, bytes_read, linked.job_id AS linked, import.summary, model_used, failure
                    FROM import LEFT JOIN job AS linked ON linked.number = import.enrichment WHERE import.job = ?
                    """), arguments: [job.number]
        ).map { row in
            let fault = (row["failure"] as String?).flatMap {
                try? BodyCoding.decode(ImportFault.self, from: ByteBuffer(string: $0))
            }
            return ReadJobDetail.File(
                name: row["file_name"], bytes: row["bytes"], bytesRead: row["bytes_read"],
                enrichment: (row["linked"] as String?).flatMap { JobID($0) }, summary: row["summary"],
                model: row["model_used"], failure: fault?.message)
        }
    }

    // MARK: The job's items

    /// Reads a page of a job's items. Throws `noJob` like `detail(of:)`, and `invalidRequest` for a page outside the limits.
    func items(_ parameters: ReadJobItems.Parameters) async throws -> ReadJobItems.Result {
        guard (1...ReadJobItems.maxPageSize).contains(parameters.limit),
            (0..<Int(ItemNumber.placesPerJob)).contains(parameters.from)
        else {
            throw HostFailure.invalidRequest(
                "a page must begin at a valid index and have 1 to \(ReadJobItems.maxPageSize) items")
        }
        let now = lister.clock.now()
        return try await lister.pool.read { db in
            let row = try job(parameters.jobId, at: now, db)
            let last = ItemNumber.range(ofJob: row.number).upperBound
            let state = parameters.state.map(ItemState.init)
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT item.id, item.state, title, author, isbn, work_id, attempts, error_code,
                            background_round, not_before, photo, engine, reading, result.row
                        FROM item LEFT JOIN result ON result.id = item.result LEFT JOIN spine ON spine.id = item.id
                        WHERE item.id BETWEEN ? AND ? AND (? IS NULL OR item.state = ?)
                        ORDER BY item.id LIMIT ?
                        """),
                arguments: [
                    ItemNumber(job: row.number, index: parameters.from).rawValue, last, state?.rawValue,
                    state?.rawValue, parameters.limit + 1,
                ])
            let items = rows.map { ReadJobItems.Item($0, at: now) }
            return ReadJobItems.Result(
                items: Array(items.prefix(parameters.limit)),
                next: items.count > parameters.limit ? items.last?.index : nil)
        }
    }
}

extension ReadJobItems.Item {
    /// The displayed members of a stored result, either an ``EnrichedBook`` or a ``ScannedBook``.
    private struct Outcome: Decodable {
        var title: String?
        var matchedBy: MatchKind?
        var error: String?
        var enriched: EnrichedMetadata?
        var enrichment: Enrichment?
        var candidates: [EnrichedMetadata]?

        struct Enrichment: Decodable { var work: WorkDTO }

        var work: WorkDTO? { enriched?.work ?? enrichment?.work }
    }

    fileprivate init(_ row: Row, at now: Moment) {
        self.init(
            index: ItemNumber(rawValue: row["id"]).index,
            state: .init(ItemState(rawValue: row["state"]) ?? .queued), attempts: row["attempts"],
            retryRound: row["background_round"])
        (title, author, isbn, workId) = (row["title"], row["author"], row["isbn"], row["work_id"])
        errorCode = row["error_code"]
        retryAt = (row["not_before"] as Int64?).map(now.wall(atSettled:))
        let read = row["reading"] == nil ? nil : ScanStore.spine(row)
        spine = read.map { .init(photo: $0.photo, box: $0.reading.box) }
        guard let bytes = row["row"] as Data?,
            let outcome = try? JSONDecoder().decode(Outcome.self, from: bytes)
        else { return }
        if title == nil, read != nil { title = outcome.title }
        (error, matchedBy) = (outcome.error, outcome.matchedBy)
        found = outcome.work?.title
        let others = outcome.work?.contributors ?? []
        providers = outcome.work?.primaryProvider.map { first in
            ([first] + others.filter { $0 != first }).map(\.rawValue)
        }
        candidates = outcome.candidates.map { $0.map(\.work.title) }
    }
}

extension ReadJobItems.State {
    fileprivate init(_ state: ItemState) {
        switch state {
        case .queued: self = .queued
        case .succeeded: self = .succeeded
        case .failed: self = .failed
        case .skipped: self = .skipped
        }
    }
}

extension ItemState {
    fileprivate init(_ state: ReadJobItems.State) {
        switch state {
        case .queued: self = .queued
        case .succeeded: self = .succeeded
        case .failed: self = .failed
        case .skipped: self = .skipped
        }
    }
}
