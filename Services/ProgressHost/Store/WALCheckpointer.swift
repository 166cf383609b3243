import Dispatch
import GRDB
import GRDBSQLite
import Glibc
import NIOConcurrencyHelpers

/// Moves committed pages from the write-ahead log into the database on its own connection and thread, so the engine does not wait for the disk in the
/// middle of its work (sqlite.org/wal.html, "Application-Initiated Checkpoints").
///
/// Unless a commit is durable, SQLite syncs the log only in a checkpoint that can move pages. A long read, such as a backup, prevents that, and the
/// log is then synced here.
///
/// A failed checkpoint is retried after later commits. The failure is not logged, because its cause soon makes commits fail as well.
final class WALCheckpointer: Sendable {
    private let path: String
    /// The checkpointer's connection, which the first checkpoint opens.
    private let connection = NIOLockedValueBox(DatabaseQueue?.none)
    private let plan = NIOLockedValueBox(CheckpointPlan())
    private let queue = DispatchQueue(label: "wal-checkpointer")
    /// Syncs the log to the disk.
    private let syncLog: @Sendable () -> Void
    private let isSyncPlanned = NIOLockedValueBox(false)

    /// - Parameter syncLog: Replaced by tests.
    init(path: String, syncLog: (@Sendable () -> Void)? = nil) {
        self.path = path
        self.syncLog = syncLog ?? { Self.sync(path + "-wal") }
    }

    private static func sync(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fdatasync(descriptor)
        close(descriptor)
    }

    /// Replaces the writer's automatic checkpoints (sqlite.org/c3ref/wal_hook.html). The checkpointer must live as long as the writer, which is the
    /// case if this is called in the configuration's `prepareDatabase`.
    func replaceAutomaticCheckpoints(of writer: Database) {
        let hook: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, CInt) -> CInt = {
            checkpointer, writer, schema, pages in
            guard let checkpointer else { return SQLITE_OK }
            let owner = Unmanaged<WALCheckpointer>.fromOpaque(checkpointer).takeUnretainedValue()
            switch owner.plan.withLockedValue({ $0.committed(logPages: Int(pages), at: .now) }) {
            case .nothing: break
            case .begin: owner.queue.async { owner.checkpoint() }
            case .beginLater:
                owner.queue.asyncAfter(deadline: .now() + CheckpointPlan.maxUnsyncedSeconds) {
                    if owner.plan.withLockedValue({ $0.beginsNow(at: .now) }) { owner.checkpoint() }
                }
            case .help:
                var (logged, moved) = (CInt(0), CInt(0))
                let status = sqlite3_wal_checkpoint_v2(writer, schema, SQLITE_CHECKPOINT_PASSIVE, &logged, &moved)
                if status != SQLITE_OK || moved < logged { owner.planSync() }
            }
            return SQLITE_OK
        }
        sqlite3_wal_hook(writer.sqliteConnection, hook, Unmanaged.passUnretained(self).toOpaque())
    }

    private func planSync() {
        guard
            !isSyncPlanned.withLockedValue({ isPlanned in
                defer { isPlanned = true }
                return isPlanned
            })
        else { return }
        queue.asyncAfter(deadline: .now() + CheckpointPlan.maxUnsyncedSeconds) { [self] in
            isSyncPlanned.withLockedValue { $0 = false }
            syncLog()
        }
    }

    /// Returns when the running and queued checkpoints have ended; those that are planned for later may still follow.
    func settle() { queue.sync {} }

    /// Moves the whole log into the database and removes the log. Must be called after all other connections have been closed.
    func finish() throws {
        try queue.sync {
            plan.withLockedValue { $0.finish() }
            try connection.withLockedValue { connection in
                let last = try connection ?? DatabaseQueue(path: path)
                connection = nil
                _ = try last.writeWithoutTransaction { try $0.checkpoint(.truncate) }
                try last.close()
            }
        }
    }

    private func checkpoint() {
        let result = try? connection.withLockedValue { connection in
            let open = try connection ?? DatabaseQueue(path: path)
            connection = open
            return try open.writeWithoutTransaction { try $0.checkpoint(.passive) }
        }
        if result.map({ $0.checkpointedFrameCount < $0.walFrameCount }) ?? true { syncLog() }
        plan.withLockedValue { $0.ended(finishedPages: result?.checkpointedFrameCount) }
    }
}

/// Decides when the write-ahead log is moved into the database, and by which thread.
///
/// A checkpoint also syncs the log. Therefore, one begins soon after each commit, so a power failure costs little.
///
/// A checkpoint that runs concurrently with a busy writer may never reach the end of the log. If the log has become long and only a few pages remain,
/// the writer moves the rest itself, and SQLite restarts the log.
struct CheckpointPlan {
    /// Maximum time between a commit and the beginning of a checkpoint, unless one is running (jobs.md "Durability").
    static let maxUnsyncedSeconds = 0.25
    /// Number of pages still to be moved at which a checkpoint starts. With more pages, the kernel occupies a processor for longer, which delays
    /// frames: with SQLite's default of 1 000 pages, the slowest hundredth of frames waits about a third longer.
    static let worthwhilePages = 300
    /// Minimum time between the beginnings of two checkpoints, unless the log is long, many pages must be moved (``urgentPages``), or a commit has
    /// waited for ``maxUnsyncedSeconds``. A checkpoint moves a page only once, however often it was written, so under load a few long checkpoints
    /// cost less than many short ones.
    static let pause = Duration.milliseconds(100)
    /// Number of pages still to be moved at which a checkpoint starts without waiting for ``pause``.
    static let urgentPages = 4_000
    /// Number of pages in the log at which the writer helps if few are left: 64 MiB.
    static let longLog = 16_384
    /// Maximum number of remaining pages that count as few.
    static let fewPages = 200
    /// Number of pages in the log at which the writer helps in any case: 256 MiB.
    static let maxLogPages = 65_536

    /// What to do after a commit.
    enum Step: Equatable {
        case nothing
        /// Start a checkpoint on the checkpointer's thread.
        case begin
        /// Do so after ``maxUnsyncedSeconds``, if it is still needed (``beginsNow(at:)``).
        case beginLater
        /// Have the writer move the rest of the log itself.
        case help
    }

    /// Whether there was a commit since the last checkpoint on the checkpointer's thread began.
    private var hasCommitted = false
    /// Number of log pages that are already in the database.
    private var finishedPages = 0
    private var isUnderWay = false
    /// Whether a later checkpoint is planned.
    private var isPlanned = false
    private var isFinished = false
    private var lastBegin: ContinuousClock.Instant?

    /// Decides what to do after a commit that left `logPages` pages in the log.
    mutating func committed(logPages: Int, at now: ContinuousClock.Instant) -> Step {
        hasCommitted = true
        // A commit adds pages, so a log that is not longer has been restarted.
        if logPages <= finishedPages { finishedPages = 0 }
        if logPages >= Self.maxLogPages { return .help }
        guard !isUnderWay else { return later() }
        let left = logPages - finishedPages
        if logPages >= Self.longLog, left <= Self.fewPages { return .help }
        guard left >= (logPages < Self.longLog ? Self.worthwhilePages : Self.fewPages) else { return later() }
        let isEarly = lastBegin.map { now - $0 < Self.pause } ?? false
        if isEarly, left < Self.urgentPages, logPages < Self.longLog { return later() }
        begin(at: now)
        return .begin
    }

    /// Whether a checkpoint that was planned for now is still needed; it then begins.
    mutating func beginsNow(at now: ContinuousClock.Instant) -> Bool {
        isPlanned = false
        guard !isUnderWay, !isFinished, hasCommitted else { return false }
        begin(at: now)
        return true
    }

    private mutating func later() -> Step {
        guard !isPlanned else { return .nothing }
        isPlanned = true
        return .beginLater
    }

    private mutating func begin(at now: ContinuousClock.Instant) {
        isUnderWay = true
        hasCommitted = false
        lastBegin = now
    }

    /// Records the end of a checkpoint on the checkpointer's thread; `pages` is nil if it failed.
    mutating func ended(finishedPages pages: Int?) {
        if let pages { finishedPages = pages }
        isUnderWay = false
    }

    /// Called when the database is being closed: no planned checkpoint begins afterwards.
    mutating func finish() { isFinished = true }
}
