import Dispatch
import GRDB
import GRDBSQLite
import NIOConcurrencyHelpers

/// Moves committed pages from the write-ahead log into the database on a connection and a thread of its own, so that the engine does not
/// wait for the disk in the middle of its work (sqlite.org/wal.html, "Application-Initiated Checkpoints").
///
/// A checkpoint that fails is tried again after the next commits. It needs no word: what keeps the database from being written
/// soon keeps commits from being written, too.
final class WALCheckpointer: Sendable {
    private let path: String
    /// Opened by the first checkpoint.
    private let connection = NIOLockedValueBox(DatabaseQueue?.none)
    private let plan = NIOLockedValueBox(CheckpointPlan())
    private let queue = DispatchQueue(label: "wal-checkpointer")

    init(path: String) { self.path = path }

    /// Takes over from the writer's automatic checkpoints (sqlite.org/c3ref/wal_hook.html). The checkpointer has to live as long as
    /// the writer; when this is called in its configuration's `prepareDatabase`, it does.
    func relieve(_ writer: Database) {
        let hook: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, CInt) -> CInt = {
            checkpointer, writer, schema, pages in
            guard let checkpointer else { return SQLITE_OK }
            let owner = Unmanaged<WALCheckpointer>.fromOpaque(checkpointer).takeUnretainedValue()
            switch owner.plan.withLockedValue({ $0.committed(logPages: Int(pages), at: .now) }) {
            case .nothing: break
            case .begin: owner.queue.async { owner.checkpoint() }
            case .help: sqlite3_wal_checkpoint_v2(writer, schema, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
            }
            return SQLITE_OK
        }
        sqlite3_wal_hook(writer.sqliteConnection, hook, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Returns when no checkpoint is under way.
    func settle() { queue.sync {} }

    /// Moves the whole log into the database and removes it; to be called when all other connections are closed.
    func finish() throws {
        try queue.sync {
            try connection.withLockedValue { connection in
                let last = try connection ?? DatabaseQueue(path: path)
                connection = nil
                _ = try last.writeWithoutTransaction { try $0.checkpoint(.truncate) }
                try last.close()
            }
        }
    }

    private func checkpoint() {
        let finished = try? connection.withLockedValue { connection in
            let open = try connection ?? DatabaseQueue(path: path)
            connection = open
            return try open.writeWithoutTransaction { try $0.checkpoint(.passive).checkpointedFrameCount }
        }
        plan.withLockedValue { $0.ended(finishedPages: finished) }
    }
}

/// When the write-ahead log is moved into the database, and by which thread.
///
/// A value. A checkpoint that runs beside a busy writer never reaches the end of the log. When the log has become long anyway, and
/// little of it is left to do, the writer does the rest itself, and SQLite restarts the log.
struct CheckpointPlan {
    /// Pages in the log that a checkpoint is worth. The more there are, the longer the kernel keeps a processor, and a frame that is due
    /// meanwhile is late: with SQLite's own 1 000 pages the slowest hundredth of frames waits about a third longer.
    static let worthwhilePages = 300
    /// Minimum time between two checkpoints of a log that is not long. Pages that are written again and again are moved once in a checkpoint,
    /// so that under load a few long ones cost less than many short ones.
    static let pause = Duration.milliseconds(100)
    /// Pages in the log that a checkpoint is worth at once.
    static let urgentPages = 4_000
    /// Pages in the log from which on the writer helps when little is left: 64 MiB.
    static let longLog = 16_384
    /// Pages that are little.
    static let fewPages = 200
    /// Pages in the log from which on the writer helps in any case: 256 MiB.
    static let longestLog = 65_536

    /// What to do after a commit.
    enum Step: Equatable {
        case nothing
        /// Begin a checkpoint beside the writer.
        case begin
        /// The writer finishes the log.
        case help
    }

    /// Pages of the log that are in the database already.
    private var finishedPages = 0
    private var isUnderWay = false
    private var lastBegin: ContinuousClock.Instant?

    /// The log has this many pages now.
    mutating func committed(logPages: Int, at now: ContinuousClock.Instant) -> Step {
        if logPages < finishedPages { finishedPages = 0 }
        if logPages >= Self.longestLog { return .help }
        guard !isUnderWay else { return .nothing }
        let left = logPages - finishedPages
        if logPages >= Self.longLog, left <= Self.fewPages { return .help }
        guard left >= (logPages < Self.longLog ? Self.worthwhilePages : Self.fewPages) else { return .nothing }
        let isEarly = lastBegin.map { now - $0 < Self.pause } ?? false
        if isEarly, left < Self.urgentPages, logPages < Self.longLog { return .nothing }
        isUnderWay = true
        lastBegin = now
        return .begin
    }

    /// The checkpoint beside the writer is over; nil when it failed.
    mutating func ended(finishedPages pages: Int?) {
        if let pages { finishedPages = pages }
        isUnderWay = false
    }
}
