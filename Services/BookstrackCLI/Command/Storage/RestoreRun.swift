import Foundation
import GRDB
import Observability
import ServiceKit
import SuiteStorage

/// Replaces the databases of a data directory with those of a backup. `Shared/Storage/Backups.md` explains the order of the steps.
struct RestoreRun {
    /// The result of a restore.
    struct Outcome: Equatable {
        var restored: [SuiteDatabase]
        /// Directory that contains the previous files; nil if there were none.
        var setAside: String?
    }

    let backup: BackupFolder
    /// The data directory.
    let storage: String
    /// Minimum time between two events of a job, apart from those that the throttle never delays (websocket.md "Throttle").
    let progressInterval: Duration
    /// How long to wait for a progress-host that is stopping.
    var stopWait = StopWait(limit: .zero)
    var clock: any SuiteClock = SystemClock()

    /// Restores the databases. Throws `CommandFailure`. No file is replaced until every copy is staged and every database is locked; a failure up to
    /// then leaves the databases unchanged.
    func restore() async throws -> Outcome {
        let soundness = BackupCheck(backup: backup, depth: .whole).soundness()
        if let problem = soundness.first(where: { $0.verdict == .problem }) {
            throw CommandFailure(.badInput, "\(problem.subject): \(problem.statement)")
        }
        try makeStorage()
        let owner = try StorageOwner(directory: storage)
        let ownerLock = try await stopWait.wait { try lock(owner) }
        defer { withExtendedLifetime(ownerLock) {} }
        let aside = "\(storage)/replaced-\(TimeStamp.text(clock.date))"
        let exchanges = backup.manifest.files.map {
            DatabaseExchange(path: "\(storage)/\($0.database.fileName)", aside: aside, owner: owner)
        }
        let locks: [DatabaseLock?]
        do {
            for (entry, exchange) in zip(backup.manifest.files, exchanges) {
                try exchange.stage(backup.copy(of: entry.database)) { try prepare(entry.database, $0) }
            }
            locks = try exchanges.map { try $0.lock() }
        } catch {
            for exchange in exchanges { exchange.unstage() }
            throw error
        }
        defer { withExtendedLifetime(locks) {} }
        for exchange in exchanges { try exchange.exchange() }
        try DurableFile.sync(storage)
        return Outcome(
            restored: backup.manifest.files.map(\.database),
            setAside: FileManager.default.fileExists(atPath: aside) ? aside : nil)
    }

    private func makeStorage() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: storage, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o750])
        } catch {
            throw CommandFailure(.notPermitted, "\(storage) cannot be created: \(CommandFailure.reason(of: error))")
        }
    }

    private func lock(_ owner: StorageOwner) throws -> OwnerLock {
        do {
            let lock = try OwnerLock(directory: storage)
            try owner.give("\(storage)/\(OwnerLock.fileName)")
            return lock
        } catch OwnerLock.Refusal.heldByAnother {
            throw CommandFailure(
                .tryLater,
                "progress-host has the data in \(storage) open; stop the services, restore, and start them again"
            )
        } catch OwnerLock.Refusal.failed(let call, let path, let code) {
            throw CommandFailure(errno: code, "cannot \(call) \(path)")
        }
    }

    /// Migrates a copy to this program's schema. In `jobs.sqlite`, the `seq` of every open job is increased by the number of events that the largest
    /// open job may have sent since the backup. progress-host will treat its next start like one after an unclean stop, and increase `seq` again
    /// (websocket.md "Frames").
    private func prepare(_ database: SuiteDatabase, _ db: Database) throws {
        try database.migrate(db)
        guard database == .jobs else { return }
        let largest = try Int.fetchOne(db, sql: "SELECT max(total) FROM job WHERE ended_at IS NULL") ?? 0
        try JobSequence.raise(by: eventsSinceBackup(items: largest), db)
        try OpeningMark.write(OpeningMark.restored, db)
    }

    /// Maximum number of progress events that a job with `items` items may have sent since the backup: one per interval, plus one per item
    /// (websocket.md "Throttle"). The few other events, such as a photo's changes of state, are covered by the increase after an unclean stop.
    private func eventsSinceBackup(items: Int) -> Int {
        // `madeAt` comes from the manifest and may be out of range.
        let elapsed = max(0, clock.date.millisecondsSince1970 - max(0, backup.manifest.madeAt))
        let interval = max(1, Int(progressInterval / .milliseconds(1)))
        return Int(elapsed) / interval + items
    }
}

/// Waits for services that are stopping: `systemctl stop bookstrack.target` returns before the services of the target have stopped
/// (systemd.unit(5), `PartOf=`).
struct StopWait {
    /// How long systemd lets a service take to stop (`TimeoutStopSec=` in the units).
    static let limit = Duration.seconds(15)
    private static let interval = Duration.milliseconds(250)

    var limit = Self.limit
    /// Waits before the next attempt.
    var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Receives a message for the user, at most once per ``wait(for:)``, before the first pause.
    var note: @Sendable (String) -> Void = { _ in }

    /// Runs `attempt`, and repeats it for up to ``limit`` while it fails with `ExitStatus.tryLater`, which means that a service is running or has the
    /// data open. Throws the last such failure; any other error is thrown immediately.
    func wait<Outcome>(for attempt: () throws -> Outcome) async throws -> Outcome {
        var waited = Duration.zero
        while true {
            do {
                return try attempt()
            } catch let failure as CommandFailure where failure.status == .tryLater && waited < limit {
                if waited == .zero {
                    note("Waiting up to \(limit.components.seconds) s for the services to stop: \(failure.message)")
                }
                try await pause(Self.interval)
                waited += Self.interval
            }
        }
    }
}
