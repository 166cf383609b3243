import Foundation
import GRDB
import JSONRPC
import Logging
import Observability

/// One group after another: timers and commands in a transaction, commit, effects. Lives on the engine's thread.
struct EngineLoop {
    let engine: JobEngine
    let pool: DatabasePool
    let clock: EngineClock
    let logger: Logger
    /// Told whenever storage begins to refuse or works again.
    let report: (EngineThread.StorageState) -> Void

    private(set) var storage: EngineThread.StorageState = .working
    /// What is written before anything else and did not succeed yet.
    private var opening: ((Database) throws -> Void)?
    private var isSynced: Bool?
    /// Timers of one group; more wait for the next.
    private static let timersPerGroup = 4_096
    private static let probeInterval = Duration.seconds(1)

    init(
        engine: JobEngine, pool: DatabasePool, clock: EngineClock, logger: Logger,
        report: @escaping (EngineThread.StorageState) -> Void
    ) {
        self.engine = engine
        self.pool = pool
        self.clock = clock
        self.logger = logger
        self.report = report
    }

    /// Whether the engine decided on steps that can run now, in a group of their own.
    var hasSteps: Bool { storage == .working && engine.context.hasSteps }

    /// How long until there is something to do without any command; nil when nothing is planned.
    var nextWake: Duration? {
        if hasSteps { return .zero }
        return engine.context.timers.next.map { $0 - clock.now().uptime }
    }

    /// Writes `opening`, at once or as soon as storage takes it, and reads what the last process left.
    mutating func startUp(opening: @escaping (Database) throws -> Void) {
        let now = clock.now()
        engine.context.timers.set(.housekeeping, at: now.uptime + .seconds(1))
        let failure = runGroup(durable: true) { engine, turn in
            try opening(turn.db)
            try engine.reload(turn)
            try engine.work.keepForReturning(turn)
        }
        guard case .storage(let reason) = failure else { return }
        self.opening = opening
        refuse(reason, now)
    }

    /// Runs commands as one group. While storage refuses, those that write are refused without being tried.
    ///
    /// When the transaction fails, those that write are told why, and the others, which have done nothing wrong, run once more.
    mutating func runGroup(_ commands: [EngineCommand]) {
        var accepted = commands
        if case .refusing(let reason) = storage {
            for command in commands where command.writes { command.refuse(.storage(reason)) }
            accepted.removeAll(where: \.writes)
        }
        guard let failure = run(accepted) else { return }
        for command in accepted where command.writes { command.refuse(failure) }
        let readers = accepted.filter { !$0.writes }
        guard !readers.isEmpty, let failure = run(readers) else { return }
        for command in readers { command.refuse(failure) }
    }

    private mutating func run(_ commands: [EngineCommand]) -> HostFailure? {
        engine.metrics.engine.group(of: commands.count)
        return runGroup(durable: commands.contains(where: \.durable)) { engine, turn in
            for command in commands {
                try Activity.$current.withValue(command.activity) { try command.run(engine, turn) }
            }
        }
    }

    /// Runs one group; says why when its transaction failed and nothing of it happened.
    mutating func runGroup(durable: Bool, _ body: (JobEngine, Turn) throws -> Void) -> HostFailure? {
        let now = clock.now()
        let timers = dueTimers(now)
        let isWorking = storage == .working
        let steps = isWorking ? engine.context.takeSteps() : []
        do {
            try commit(synced: durable || !steps.isEmpty, now) { [engine] turn in
                for step in steps { try engine.perform(step, turn) }
                for timer in timers { try engine.fire(timer, turn) }
                try body(engine, turn)
                guard isWorking else { return }
                try engine.finish(turn)
            }
            let effects = engine.keepTurn()
            GatheredWrites.write { for effect in effects { effect.commit() } }
            return nil
        } catch {
            return fail(error, timers: timers, steps: steps, now)
        }
    }

    private mutating func commit(synced: Bool, _ now: Moment, _ body: (Turn) throws -> Void) throws {
        let switchesMode = isSynced != synced
        // Unknown until the pragma has run, whatever happens to the transaction after it.
        isSynced = nil
        var isSwitched = false
        let metrics = engine.metrics.engine
        let start = ContinuousClock.now
        defer {
            if isSwitched { isSynced = synced }
            metrics.group(synced: synced, took: .now - start)
        }
        try pool.writeWithoutTransaction { db in
            if switchesMode { try db.execute(sql: "PRAGMA synchronous = \(synced ? "FULL" : "NORMAL")") }
            isSwitched = true
            try Self.inTransaction(db) {
                try body(Turn(db: db, now: now))
            } committed: { time in
                metrics.commit(synced: synced, took: time)
            }
        }
    }

    /// Like GRDB's `inTransaction(.deferred)`, which prepares its two statements again each time.
    ///
    /// - Parameter committed: Told how long the commit took when anything was written.
    private static func inTransaction(
        _ db: Database, _ body: () throws -> Void, committed: (Duration) -> Void
    ) throws {
        let changesBefore = db.totalChangesCount
        try db.cachedStatement(sql: "BEGIN DEFERRED TRANSACTION").execute()
        do {
            try body()
            let start = ContinuousClock.now
            try db.cachedStatement(sql: "COMMIT TRANSACTION").execute()
            if db.totalChangesCount != changesBefore { committed(.now - start) }
        } catch {
            // SQLite has rolled back by itself after some errors (sqlite.org/lang_transaction.html).
            if db.isInsideTransaction { try? db.rollback() }
            throw error
        }
    }

    /// Due timers; while storage refuses, those that write are put off.
    private mutating func dueTimers(_ now: Moment) -> [EngineTimer] {
        var due: [EngineTimer] = []
        while due.count < Self.timersPerGroup, let timer = engine.context.timers.pop(at: now.uptime) {
            if case .storageProbe = timer {
                probe(now)
            } else if timer.writes, storage != .working {
                engine.context.timers.setAtLatest(timer, at: now.uptime + Self.probeInterval)
            } else {
                due.append(timer)
            }
        }
        return due
    }

    /// Nothing of the group happened: the truth is read again, and automatic work is tried again after a pause.
    private mutating func fail(
        _ error: any Error, timers: [EngineTimer], steps: [DurableStep], _ now: Moment
    ) -> HostFailure {
        engine.metrics.engine.groupFailed()
        let reason = Self.reason(error)
        let failure = HostFailure.storage(reason)
        logger.error("a transaction failed", metadata: ["reason": "\(reason)", "error": "\(error)"])
        engine.undoTurn(timers: timers, steps: steps, retryAt: now.uptime + Self.probeInterval, failure)
        // A fault in a step of the engine's own would come back at once and for ever.
        if (error as? DatabaseError)?.isStorageRefusal == true || !steps.isEmpty { refuse(reason, now) }
        reload(now)
        return failure
    }

    private mutating func refuse(_ reason: String, _ now: Moment) {
        storage = .refusing(reason: reason)
        report(storage)
        engine.context.timers.set(.storageProbe, at: now.uptime + Self.probeInterval)
    }

    /// Reading usually works when writing does not (jobs.md "Durability").
    private func reload(_ now: Moment) {
        do {
            try pool.writeWithoutTransaction { db in
                try db.inTransaction(.deferred) {
                    try engine.reload(Turn(db: db, now: now))
                    return .rollback
                }
            }
        } catch {
            logger.error("stored jobs cannot be read", metadata: ["error": "\(error)"])
        }
    }

    /// Tries a small synced write; when it works, so does everything else again.
    private mutating func probe(_ now: Moment) {
        do {
            try commit(synced: true, now) { [opening] turn in
                try turn.db.execute(
                    sql: "INSERT OR REPLACE INTO meta(key, value) VALUES ('storage_probe', randomblob(8192))")
                try turn.db.execute(sql: "DELETE FROM meta WHERE key = 'storage_probe'")
                try opening?(turn.db)
            }
            opening = nil
            storage = .working
            report(storage)
            logger.notice("storage works again")
            reload(now)
        } catch {
            refuse(Self.reason(error), now)
        }
    }

    private static func reason(_ error: any Error) -> String {
        (error as? DatabaseError)?.storageReason ?? "an internal error"
    }
}
