import Foundation
import GRDB
import JSONRPC
import Logging
import Observability
import SuiteStorage

/// Runs one group after another: synced steps, timers and commands in one transaction, and the effects after its commit. Used by one thread at a
/// time.
struct EngineLoop {
    let engine: JobEngine
    let pool: DatabasePool
    let clock: EngineClock
    let logger: Logger
    /// Called with ``storage`` each time it is set, even if it has not changed.
    let report: (EngineThread.StorageState) -> Void

    private(set) var storage: EngineThread.StorageState = .working
    /// The process's first write, if it failed or the stored state could not be read after it; repeated until both succeed.
    private var opening: ((Database) throws -> Void)?
    private var isSynced: Bool?
    /// Maximum number of timers in one group; further timers wait for the next group.
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

    /// Whether the engine has scheduled steps that can run now, even if no command is waiting.
    var hasSteps: Bool { storage == .working && engine.context.hasSteps }

    /// When to check the timers next (``TimerQueue/next``).
    var nextTimer: Duration? { engine.context.timers.next }

    /// Time until the next step or timer; nil if none is planned.
    var nextWake: Duration? {
        if hasSteps { return .zero }
        return nextTimer.map { $0 - clock.now().uptime }
    }

    /// Performs the process's first write, `opening`, reads the state left by the previous process, and reserves items for returning workers. If this
    /// fails, probes repeat it until it succeeds.
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

    /// Runs commands as one group. While storage refuses writes, commands that write are refused without being attempted.
    ///
    /// If the transaction fails, commands that write receive the reason, and the others run once more. If that fails, too, each fact
    /// (``EngineCommand/isFact``) runs alone, because it will not be sent again and another command may have caused the failure; the remaining
    /// commands receive the reason.
    ///
    /// - Parameter alone: Whether due timers and synced steps are left to a later group.
    mutating func runGroup(_ commands: [EngineCommand], alone: Bool = false) {
        var accepted = commands
        if case .refusing(let reason) = storage {
            for command in commands where command.writes { command.refuse(.storage(reason)) }
            accepted.removeAll(where: \.writes)
        }
        guard let failure = run(accepted, alone: alone) else { return }
        for command in accepted where command.writes { command.refuse(failure) }
        let readers = accepted.filter { !$0.writes }
        guard !readers.isEmpty, let repeatedFailure = run(readers, alone: alone) else { return }
        for command in readers {
            let failure = command.isFact ? run([command], alone: true) : repeatedFailure
            if let failure { command.refuse(failure) }
        }
    }

    private mutating func run(_ commands: [EngineCommand], alone: Bool) -> HostFailure? {
        engine.metrics.engine.group(of: commands.count)
        return runGroup(durable: commands.contains(where: \.durable), alone: alone) { engine, turn in
            for command in commands {
                try Activity.$current.withValue(command.activity) { try command.run(engine, turn) }
            }
        }
    }

    /// Runs one group; returns the reason if its transaction failed and was rolled back.
    mutating func runGroup(
        durable: Bool, alone: Bool = false, _ body: (JobEngine, Turn) throws -> Void
    ) -> HostFailure? {
        let now = clock.now()
        let timers = alone ? [] : dueTimers(now)
        let isWorking = storage == .working
        let steps = isWorking && !alone ? engine.context.takeSteps() : []
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
        // The mode is unknown if the pragma fails; the transaction's outcome does not affect it.
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

    /// Works like GRDB's `inTransaction(.deferred)`, but does not prepare `BEGIN` and `COMMIT` again each time.
    ///
    /// - Parameter committed: Called with the duration of the commit if anything was written.
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
            // After some errors, SQLite has already rolled back (sqlite.org/lang_transaction.html).
            if db.isInsideTransaction { try? db.rollback() }
            throw error
        }
    }

    /// Removes and returns due timers, up to a limit; while storage refuses writes, timers that write are postponed. A due probe of storage runs
    /// here.
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

    /// Handles a rolled-back group: reads the stored state again, and lets the timers and steps of the group run again after a delay.
    private mutating func fail(
        _ error: any Error, timers: [EngineTimer], steps: [DurableStep], _ now: Moment
    ) -> HostFailure {
        engine.metrics.engine.groupFailed()
        let reason = Self.reason(error)
        let failure = HostFailure.storage(reason)
        logger.error("a transaction failed", metadata: ["reason": "\(reason)", "error": "\(error)"])
        engine.undoTurn(timers: timers, steps: steps, retryAt: now.uptime + Self.probeInterval, failure)
        // A fault in one of the engine's own steps would otherwise repeat immediately and forever.
        if (error as? DatabaseError)?.isStorageRefusal == true || !steps.isEmpty { refuse(reason, now) }
        do {
            try reload(now)
        } catch {
            logger.error("stored jobs cannot be read", metadata: ["error": "\(error)"])
            refuse(Self.reason(error), now)
        }
        return failure
    }

    private mutating func refuse(_ reason: String, _ now: Moment) {
        storage = .refusing(reason: reason)
        report(storage)
        engine.context.timers.set(.storageProbe, at: now.uptime + Self.probeInterval)
    }

    /// Reads the stored state again. Reading usually works even if writing does not (jobs.md "Durability"). If reading fails, only some of the jobs
    /// may be in memory, so nothing may be written until it succeeds.
    private func reload(_ now: Moment) throws {
        try pool.writeWithoutTransaction { db in
            try db.inTransaction(.deferred) {
                try engine.reload(Turn(db: db, now: now))
                return .rollback
            }
        }
    }

    /// Tries a small synced write, performs ``opening`` if that is still pending, and reads the stored state again. If all of this succeeds, storage
    /// is working again.
    private mutating func probe(_ now: Moment) {
        do {
            try commit(synced: true, now) { [engine, opening] turn in
                try turn.db.execute(
                    sql: "INSERT OR REPLACE INTO meta(key, value) VALUES ('storage_probe', randomblob(8192))")
                try turn.db.execute(sql: "DELETE FROM meta WHERE key = 'storage_probe'")
                guard let opening else { return }
                try opening(turn.db)
                try engine.work.keepForReturning(turn)
            }
            try reload(now)
            opening = nil
            storage = .working
            report(storage)
            logger.notice("storage is writable again")
        } catch {
            let reason = Self.reason(error)
            if storage != .refusing(reason: reason) {
                logger.error("storage still fails", metadata: ["reason": "\(reason)", "error": "\(error)"])
            }
            refuse(reason, now)
        }
    }

    private static func reason(_ error: any Error) -> String {
        (error as? DatabaseError)?.storageReason ?? "an internal error"
    }
}
