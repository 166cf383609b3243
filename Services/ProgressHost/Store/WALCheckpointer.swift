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
