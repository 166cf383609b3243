import BookIdentifiers
import BookMetadata
import BookstrackContract
import Dispatch
import Foundation
import GRDB
import Logging
import NIOConcurrencyHelpers
import Observability
import ProviderClient
import SuiteMethods

/// Provider answers in SQLite, which survive restarts and are shared by all jobs and by all workers with the same data directory (metadata.md
/// "Cache").
///
/// A faulty cache never makes a lookup fail: an answer that cannot be read is treated as missing, and one that cannot be written is dropped. Failed
/// calls are never stored.
final class ProviderCache: Sendable {
    private struct State: Sendable {
        var opened: CacheDatabase.Opened
        /// Whether the database is being opened again; until that is done, `opened` holds the previous connections.
        var isReopening = false
        var unwritten = UnwrittenAnswers()
        /// The answers that are currently being written.
        var writing = UnwrittenAnswers()
        /// Writes what is waiting when it begins, and starts the next writer if more has arrived by its end.
        var writer: Task<Void, Never>?
        var uses = CacheUses()
        /// The current faults in reading, writing and reopening the cache.
        var faults: [CacheAccess: LogOnce] = [:]
        /// Number of ISBNs noted since those beyond the limits were last dropped.
        var isbnsNoted = 0
    }

    /// How long answers are gathered for the next transaction while more keep arriving.
    private static let gathering = Duration.milliseconds(25)
    /// Number of noted ISBNs after which those beyond the limits are dropped.
    private static let isbnsPerPruning = 1_000

    private let database: CacheDatabase
    let ttl: CacheTTL
    let limit: Int
    private let metrics: WorkerMetrics
    private let clock: any SuiteClock
    private let state: NIOLockedValueBox<State>
    private let reads = GatheredReads()
    /// Closes connections. Closing blocks a thread until the reads in progress end, and these need the threads that run tasks.
    private let closing = DispatchQueue(label: "cache-closing")

    /// Opens or creates the cache.
    ///
    /// - Parameter limit: Maximum size of the pages in use, in bytes; beyond this, the least recently used entries are evicted.
    /// - Throws: An error from SQLite or the file system if the database can be neither opened nor replaced.
    init(
        path: String, ttl: CacheTTL, limit: Int, clock: any SuiteClock = SystemClock(), metrics: WorkerMetrics,
        logger: Logger
    ) throws {
        database = CacheDatabase(path: path, logger: logger)
        self.ttl = ttl
        self.limit = limit
        self.metrics = metrics
        self.clock = clock
        state = NIOLockedValueBox(State(opened: try database.open()))
    }

    /// The current connections. If they are closed or another worker has replaced the file, the file is opened first.
    var pool: DatabasePool {
        let opened = state.withLockedValue { $0.opened }
        if let file = opened.file, FileIdentity(database.path) == file { return opened.pool }
        reopen(after: opened.pool) {}
        return state.withLockedValue { $0.opened.pool }
    }

    /// The calendar time in seconds since 1970.
    var now: Int { Int(clock.date.timeIntervalSince1970) }

    /// Hits and misses since the process started.
    var uses: CacheUses { state.withLockedValue { $0.uses } }

    /// The cached answers to all of these questions, read together; empty if the cache cannot be read.
    func answers(to questions: [Question]) async -> CachedAnswers {
        guard let answers = await known(questions) else { return CachedAnswers() }
        state.withLockedValue { $0.uses.count(questions.map { answers[$0] }) }
        for question in questions { metrics.cacheAsked(question, found: answers[question]) }
        return answers
    }

    /// Like ``answers(to:)``, but without counting hits and misses; nil if the cache cannot be read.
    func known(_ questions: [Question]) async -> CachedAnswers? {
        guard !questions.isEmpty else { return CachedAnswers() }
        return await reads.answers(to: questions) { await self.read($0) }
    }

    private func read(_ questions: [Question]) async -> CachedAnswers? {
        // This is done before the disk is read: an answer that is written in between would otherwise be found neither in memory nor on disk.
        let unwritten = unwritten(questions)
        let seconds = now
        let result = try? await use(.read) { pool in
            try await pool.read { db in
                var reading = CacheReading(now: seconds)
                for question in questions { try reading.read(question, from: db) }
                return (answers: reading.answers, used: reading.used)
            }
        }
        guard let result else { return nil }
        var answers = result.answers
        note(unwritten, in: &answers)
        if !result.used.isEmpty { write { $0.note(used: result.used) } }
        return answers
    }

    /// Answers that have just been received and are not on disk yet.
    private func unwritten(_ questions: [Question]) -> [(Question, ProviderRecords)] {
        // The lookup is done under the lock: if a copy of the table outlived the lock, adding the next answer would copy all waiting answers.
        state.withLockedValue { state in
            questions.compactMap { question in
                (state.unwritten[question] ?? state.writing[question]).map { (question, $0) }
            }
        }
    }

    private func note(_ unwritten: [(Question, ProviderRecords)], in answers: inout CachedAnswers) {
        for (question, records) in unwritten {
            let ttl = ttl.ttl(of: records, to: question)
            if ttl > .zero {
                answers.note(CachedAnswer(records: records, age: .zero, freshFor: ttl), to: question)
            }
        }
    }

    /// Stores answers unless their TTL is zero; returns before they are written.
    func store(_ answers: [Question: ProviderRecords]) {
        if !answers.isEmpty { write { $0.note(answers) } }
    }

    /// Records which ISBNs a search or an item of a job has used; returns before the record is written.
    func note(_ uses: [ISBN: ISBNUse]) {
        guard !uses.isEmpty else { return }
        write { $0.note(uses) }
        let isDue = state.withLockedValue { state in
            state.isbnsNoted += uses.count
            guard state.isbnsNoted >= Self.isbnsPerPruning else { return false }
            state.isbnsNoted = 0
            return true
        }
        if isDue { Task { await pruneISBNs() } }
    }

    /// Waits until everything stored before this call has been written or, after a failure, dropped, but not for what is stored later.
    func flush() async {
        // The current writer may have begun before the last answer was stored; the next one writes that answer.
        for _ in 1...2 { await state.withLockedValue { $0.writer }?.value }
    }

    func close() async throws {
        await flush()
        try await close(state.withLockedValue { $0.opened.pool })
    }

    private func close(_ pool: DatabasePool) async throws {
        try await withCheckedThrowingContinuation { closed in
            closing.async { closed.resume(with: Result { try pool.close() }) }
        }
    }

    /// Adds to what will be written; returns before it is written.
    func write(_ change: (inout UnwrittenAnswers) -> Void) {
        state.withLockedValue { state in
            change(&state.unwritten)
            guard state.writer == nil, !state.unwritten.isEmpty else { return }
            state.writer = Task { await self.writeBatch() }
        }
    }

    private func writeBatch() async {
        let batch = state.withLockedValue { state in
            swap(&state.writing, &state.unwritten)
            return state.writing
        }
        let seconds = now
        try? await use(.written) { pool in
            try await pool.write { [ttl, limit] db in
                try batch.write(to: db, ttl: ttl, now: seconds)
                try CacheEviction(limit: limit).run(db, now: seconds)
            }
        }
        state.withLockedValue { state in
            state.writing = UnwrittenAnswers()
            state.writer = state.unwritten.isEmpty ? nil : Task { await self.gatherAndWrite() }
        }
    }

    /// Waits for further answers, and writes the next batch. Only a writer that follows another one waits, so a single answer is stored immediately.
    private func gatherAndWrite() async {
        try? await Task.sleep(for: Self.gathering)
        await writeBatch()
    }

    /// Uses the database. Logs a fault when it begins and when it ends, replaces a damaged database, and throws the errors of `body`.
    func use<Value>(_ access: CacheAccess, _ body: (DatabasePool) async throws -> Value) async throws -> Value {
        let pool = pool
        do {
            let value = try await body(pool)
            succeeded(access)
            return value
        } catch {
            if !(error is CancellationError) { failed(error, access, at: pool) }
            throw error
        }
    }

    private func succeeded(_ access: CacheAccess) {
        let hadFailed = state.withLockedValue { $0.faults[access, default: LogOnce()].end() }
        if hadFailed { database.logger.notice("the cache can be \(access.rawValue) again") }
    }

    /// Logs a fault when it begins, and replaces a damaged database. Errors from a pool that has been replaced in the meantime are ignored.
    func failed(_ error: any Error, _ access: CacheAccess, at pool: DatabasePool) {
        guard pool === self.pool else { return }
        let code = log(error, access)
        guard code == .SQLITE_CORRUPT || code == .SQLITE_NOTADB else { return }
        reopen(after: pool) { try database.setAside() }
    }

    /// Logs a fault when it begins. Returns SQLite's code if SQLite reported it.
    @discardableResult
    private func log(_ error: any Error, _ access: CacheAccess) -> ResultCode? {
        let code = (error as? DatabaseError)?.resultCode
        let reason = code.map { "\($0)" } ?? "\(error)"
        if state.withLockedValue({ $0.faults[access, default: LogOnce()].note(reason) }) {
            database.logger.error("the cache cannot be \(access.rawValue)", metadata: ["error": "\(error)"])
        }
        return code
    }

    /// Removes the database of `pool` and creates an empty one; returns false, and removes nothing, if it has been or is being replaced. Throws
    /// errors from SQLite and the file system.
    func recreate(_ pool: DatabasePool) async throws -> Bool {
        guard let old = beginReopening(after: pool) else { return false }
        database.logger.notice("emptying the cache because the disk is full", metadata: ["path": "\(database.path)"])
        // The file system frees a removed file's space when the file is closed.
        try? await close(pool)
        // If the file cannot be replaced now, the next use opens it.
        state.withLockedValue { $0.opened = CacheDatabase.Opened(pool: pool, file: nil) }
        var isRemoved = false
        try finishReopening(after: old) {
            try database.remove()
            isRemoved = true
        }
        return isRemoved
    }

    /// Opens the file at the cache's path, calling `clear` first unless another worker has already replaced the file. Does nothing if this is in
    /// progress or has been done since `pool` was opened. In the meantime, other tasks use `pool`.
    private func reopen(after pool: DatabasePool, _ clear: () throws -> Void) {
        guard let old = beginReopening(after: pool) else { return }
        do {
            try finishReopening(after: old, clear)
            succeeded(.opened)
            closing.async { try? pool.close() }
        } catch {
            log(error, .opened)
        }
    }

    private func beginReopening(after pool: DatabasePool) -> CacheDatabase.Opened? {
        state.withLockedValue { state in
            guard state.opened.pool === pool, !state.isReopening else { return nil }
            state.isReopening = true
            return state.opened
        }
    }

    private func finishReopening(after old: CacheDatabase.Opened, _ clear: () throws -> Void) throws {
        defer { state.withLockedValue { $0.isReopening = false } }
        let opened = try database.reopen(after: old.file, clear)
        state.withLockedValue { $0.opened = opened }
    }
}

// Operators' requests to the cache (`bookstrack cache`).
extension ProviderCache {
    /// Size, hits and misses. Throws SQLite's errors.
    func statistics() async throws -> ReadCacheStatistics.Result {
        let (entries, bytes) = try await use(.read) { pool in
            try await pool.read { db in
                (try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM answer") ?? 0, try CacheEviction.bytesInUse(db))
            }
        }
        let uses = uses
        return ReadCacheStatistics.Result(
            entries: entries, bytes: bytes, limit: limit, hits: uses.hits, staleHits: uses.staleHits,
            misses: uses.misses)
    }

    /// Bytes in use, from the file's page counts. Throws SQLite's errors.
    func bytesInUse() async throws -> Int { try await use(.read) { try await $0.read(CacheEviction.bytesInUse) } }

    /// Removes all answers and returns their space to the file system; the usage of daily budgets is kept. Returns the number of removed answers.
    ///
    /// SQLite logs deletions before it frees any space (sqlite.org/wal.html). If the disk is full, there is no room for this, and the file itself,
    /// including the history of ISBNs, is removed instead. Throws SQLite's errors, or the file system's if the file cannot be removed.
    func purge() async throws -> Int {
        await flush()
        return try await use(.written) { pool in
            let (count, usages) = try await pool.read { db in
                (try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM answer") ?? 0, try DailyUsage.all(db))
            }
            do {
                try await pool.write { try $0.execute(sql: "DELETE FROM answer") }
                try await pool.vacuum()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
                // If another purge has removed the database, that purge restores the usage.
                guard try await recreate(pool) else { return count }
                for (provider, usage) in usages { _ = try await add(usage.used, on: usage.day, provider: provider) }
            }
            return count
        }
    }
}
