import GRDB

/// The schema of `jobs.sqlite` and its migrations (spec/07 "Schema").
///
/// `PRAGMA user_version` is the version that wrote the database, `meta.min_reader` the oldest version that can read it. Migrations run
/// forward inside one transaction and stay readable by the version before.
enum JobSchema {
    /// What this program writes.
    static let version = 2
    /// The oldest program that can read what this program writes.
    static let minReader = 1

    /// Why a database is refused.
    enum Refusal: Error, Equatable, CustomStringConvertible {
        case tooNew(minReader: Int)

        var description: String {
            switch self {
            case .tooNew(let minReader):
                "jobs.sqlite needs at least schema version \(minReader), this program reads \(JobSchema.version)"
            }
        }
    }

    /// Brings the database to `version`; throws `Refusal` for one that this program cannot read.
    static func migrate(_ db: Database) throws {
        let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        if found > 0 {
            let needed = try Int.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'min_reader'") ?? 0
            guard needed <= version else { throw Refusal.tooNew(minReader: needed) }
        }
        guard found < version else { return }
        for migration in [first, second].dropFirst(found) { try db.execute(sql: migration) }
        try db.execute(
            sql: "INSERT OR REPLACE INTO meta(key, value) VALUES ('min_reader', ?)", arguments: [minReader])
        try db.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// Times are milliseconds since 1970. `item.id` is an `ItemNumber`; `item.result` names its row in `result`. Results and events, the
    /// large rows, are only ever appended: rows put between others make SQLite rewrite their neighbours. A job's `seq` is that of its newest event, and at
    /// least its `seq_floor`. `removed_job` holds jobs that are gone and
    /// whose items and results are still to be deleted.
    private static let first = """
        CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
        CREATE TABLE job(
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            job_id TEXT NOT NULL UNIQUE,
            pipeline TEXT NOT NULL,
            status TEXT NOT NULL,
            digest TEXT NOT NULL,
            total INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            started_at INTEGER,
            ended_at INTEGER,
            expires_at INTEGER,
            deadline_at INTEGER NOT NULL,
            seq_floor INTEGER NOT NULL DEFAULT 0,
            recoverable_from INTEGER NOT NULL DEFAULT 0,
            results_revision INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX job_open ON job(number) WHERE ended_at IS NULL;
        CREATE INDEX job_expiry ON job(expires_at) WHERE expires_at IS NOT NULL;
        CREATE TABLE item(
            id INTEGER PRIMARY KEY,
            state INTEGER NOT NULL DEFAULT 0,
            title TEXT, author TEXT, isbn TEXT, work_id TEXT,
            attempts INTEGER NOT NULL DEFAULT 0,
            error_code TEXT,
            background_round INTEGER NOT NULL DEFAULT 0,
            not_before INTEGER,
            result INTEGER
        );
        CREATE INDEX item_later ON item(not_before) WHERE not_before IS NOT NULL;
        CREATE TABLE result(id INTEGER PRIMARY KEY, row BLOB NOT NULL);
        CREATE TABLE event(
            job INTEGER NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL, frame BLOB NOT NULL
        );
        CREATE UNIQUE INDEX event_order ON event(job, seq);
        CREATE TABLE token(
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            job INTEGER NOT NULL,
            hash BLOB NOT NULL,
            expires_at INTEGER NOT NULL,
            superseded INTEGER NOT NULL DEFAULT 0,
            revoked INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX token_job ON token(job);
        CREATE TABLE removed_job(number INTEGER PRIMARY KEY);
        """

    /// `token.ready`: the client that holds it was ready once. `item_later_job` finds a job's due items, whatever is due of others.
    private static let second = """
        ALTER TABLE token ADD COLUMN ready INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX item_later_job ON item(\(ItemNumber.jobSQL), state, not_before) WHERE not_before IS NOT NULL;
        """
}
