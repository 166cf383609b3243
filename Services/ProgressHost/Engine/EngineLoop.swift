import Foundation
import GRDB
import Logging

/// One group after another: timers and commands in a transaction, commit, effects. Lives on the engine's thread.
struct EngineLoop {
    let engine: JobEngine
    let pool: DatabasePool
    let clock: any EngineClock
    let logger: Logger
    /// Told whenever storage begins to refuse or works again.
    let report: (EngineThread.StorageState) -> Void

    private var storage: EngineThread.StorageState = .working
    private var isSynced: Bool?
    /// Timers of one group; more wait for the next.
    private static let timersPerGroup = 4_096
    private static let probeInterval = Duration.seconds(1)

    init(
        engine: JobEngine, pool: DatabasePool, clock: any EngineClock, logger: Logger,
        report: @escaping (EngineThread.StorageState) -> Void
    ) {
        self.engine = engine
        self.pool = pool
        self.clock = clock
        self.logger = logger
        self.report = report
    }

    /// Whether the engine decided on steps that are to run in a group of their own.
    var hasSteps: Bool { !engine.durableSteps.isEmpty }

    /// How long until there is something to do without any command; nil when nothing is planned.
    var nextWake: Duration? {
        if hasSteps { return .zero }
        return engine.timers.next.map { $0 - clock.now().uptime }
    }

    /// Reads what the last process left, jumping `seq` when the machine went down (spec/07).
    mutating func startUp(jump: Int?) {
        runGroup(durable: true) { engine, turn in
            if let jump { try turn.jobs.jumpSequences(by: jump) }
            try engine.reload(turn)
            engine.timers.set(.housekeeping, at: turn.now.uptime + .seconds(1))
        } onFailure: { _ in
        }
    }

    /// While storage refuses, commands that write are refused without being tried; the rest runs.
    func partition<Command>(
        _ group: ArraySlice<Command>, writes: (Command) -> Bool
    ) -> (accepted: [Command], refused: [Command]) {
        guard storage != .working else { return (Array(group), []) }
        return (group.filter { !writes($0) }, group.filter(writes))
    }

    /// Runs one group. `onFailure` is called when the transaction failed and nothing of it happened.
    mutating func runGroup(
        durable: Bool, _ body: (JobEngine, Turn) throws -> Void, onFailure: (HostFailure) -> Void
    ) {
        let now = clock.now()
        let timers = dueTimers(now)
        let isWorking = storage == .working
        let steps = isWorking ? engine.durableSteps : []
        engine.durableSteps.removeFirst(steps.count)
        do {
            try commit(synced: durable || !steps.isEmpty, now) { [engine] turn in
                for step in steps { try engine.perform(step, turn) }
                for timer in timers { try engine.fire(timer, turn) }
                try body(engine, turn)
                if isWorking { try engine.serveClaims(turn) }
            }
            for effect in takeEffects() { effect.commit() }
        } catch {
            fail(error, now, onFailure)
        }
    }

    private mutating func commit(synced: Bool, _ now: Moment, _ body: (Turn) throws -> Void) throws {
        let switchesMode = isSynced != synced
        try pool.writeWithoutTransaction { db in
            if switchesMode { try db.execute(sql: "PRAGMA synchronous = \(synced ? "FULL" : "NORMAL")") }
            try db.inTransaction(.deferred) {
                try body(Turn(db: db, now: now))
                return .commit
            }
        }
        isSynced = synced
    }

    /// Due timers; while storage refuses, those that write are put off.
    private mutating func dueTimers(_ now: Moment) -> [EngineTimer] {
        var due: [EngineTimer] = []
        while due.count < Self.timersPerGroup, let timer = engine.timers.pop(at: now.uptime) {
            if case .storageProbe = timer {
                probe(now)
            } else if timer.writes, storage != .working {
                engine.timers.set(timer, at: now.uptime + Self.probeInterval)
            } else {
                due.append(timer)
            }
        }
        return due
    }

    private func takeEffects() -> [Effect] {
        defer { engine.effects = [] }
        return engine.effects
    }

    /// Nothing of the group happened: tells who waits, and reads the truth again.
    private mutating func fail(_ error: any Error, _ now: Moment, _ onFailure: (HostFailure) -> Void) {
        let reason = (error as? DatabaseError)?.storageReason ?? "\(error)"
        let failure = HostFailure.storage(reason)
        logger.error("a transaction failed", metadata: ["reason": "\(reason)", "error": "\(error)"])
        let abandoned = takeEffects()
        if error is DatabaseError { refuse(reason, now) }
        onFailure(failure)
        for effect in abandoned { effect.abandon(failure) }
        reload(now)
    }

    private mutating func refuse(_ reason: String, _ now: Moment) {
        storage = .refusing(reason: reason)
        report(storage)
        engine.timers.set(.storageProbe, at: now.uptime + Self.probeInterval)
    }

    /// Reading usually works when writing does not (spec/05 "what is stored stays readable where it can").
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
            try commit(synced: true, now) { turn in
                try turn.db.execute(
                    sql: "INSERT OR REPLACE INTO meta(key, value) VALUES ('storage_probe', randomblob(8192))")
                try turn.db.execute(sql: "DELETE FROM meta WHERE key = 'storage_probe'")
            }
            storage = .working
            report(storage)
            logger.notice("storage works again")
            reload(now)
        } catch {
            refuse((error as? DatabaseError)?.storageReason ?? "\(error)", now)
        }
    }
}

extension DatabaseError {
    /// What is wrong, in words an operator can act on.
    var storageReason: String {
        switch resultCode {
        case .SQLITE_FULL: "the disk is full"
        case .SQLITE_READONLY: "the database is read-only"
        case .SQLITE_IOERR: "the disk reports an I/O error"
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: "the database is damaged"
        case .SQLITE_CANTOPEN: "the database cannot be opened"
        default: message ?? "SQLite error \(resultCode.rawValue)"
        }
    }
}
