package import GRDB

/// The schema of `jobs.sqlite` and its migrations (Migrations.md).
///
/// `PRAGMA user_version` is the schema version to which the database was last migrated; `meta.min_reader` is the oldest version that can read it.
/// Migrations run forward in one transaction. The previous version can read the result, except after the second migration, which moves results and
/// events.
package enum JobSchema {
    /// The schema version that this program writes.
    package static let version = steps.count
    /// Schema version of the oldest program that can read databases written by this program.
    package static let minReader = 2

    /// Why a database is refused.
    package enum Refusal: Error, Equatable, CustomStringConvertible {
        case tooNew(minReader: Int)

        package var description: String {
            switch self {
            case .tooNew(let minReader):
                """
                jobs.sqlite needs at least schema version \(minReader), but this program supports \(JobSchema.version); start the newer \
                version again, or restore a backup that this one can read
                """
            }
        }
    }

    /// Migrates an older database to `version`; throws `Refusal` if this program cannot read it.
    package static func migrate(_ db: Database) throws {
        let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        if found > 0 {
            let needed = try Int.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'min_reader'") ?? 0
            guard needed <= version else { throw Refusal.tooNew(minReader: needed) }
        }
        guard found < version else { return }
        for step in steps[found...] { try db.execute(sql: step) }
        try db.execute(
            sql: "INSERT OR REPLACE INTO meta(key, value) VALUES ('min_reader', ?)", arguments: [minReader])
        try db.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// Step n migrates from version n to n + 1.
    private static let steps = [
        first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, eleventh,
    ]

    /// The tables of the first version. Times are milliseconds since 1970. `item.id` is an `ItemNumber`. `removed_job` contains removed jobs whose
    /// items and results have not been deleted yet.
    package static let first = """
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
            last_seq INTEGER NOT NULL DEFAULT 0,
            recoverable_from INTEGER NOT NULL DEFAULT 0,
            last_update INTEGER NOT NULL,
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
            not_before INTEGER
        );
        CREATE INDEX item_later ON item(not_before) WHERE not_before IS NOT NULL;
        CREATE TABLE result(id INTEGER PRIMARY KEY, row BLOB NOT NULL);
        CREATE TABLE event(
            job INTEGER NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, frame BLOB NOT NULL,
            PRIMARY KEY(job, seq)
        ) WITHOUT ROWID;
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

    /// New results and events, the large rows, are appended, because rows inserted between others make SQLite rewrite their neighbors.
    /// `item.result` is the item's row in `result`. A job's `seq` is that of its newest event, but at least its `seq_floor`; its last update is the
    /// time of that event or, if it has no events, of its creation.
    ///
    /// `token.ready` indicates that the token's client has sent `ready`. `item_later_job` finds a job's due items without reading those of other
    /// jobs.
    private static let second = """
        ALTER TABLE job RENAME COLUMN last_seq TO seq_floor;
        ALTER TABLE item ADD COLUMN result INTEGER;
        UPDATE item SET result = id WHERE id IN (SELECT id FROM result);
        DELETE FROM result WHERE id NOT IN (SELECT id FROM item);
        ALTER TABLE event RENAME TO event_by_job;
        CREATE TABLE event(
            job INTEGER NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL, frame BLOB NOT NULL
        );
        INSERT INTO event(job, seq, at, kind, frame)
            SELECT job, seq, last_update, kind, frame FROM event_by_job JOIN job ON job.number = event_by_job.job
            ORDER BY job, seq;
        DROP TABLE event_by_job;
        CREATE UNIQUE INDEX event_order ON event(job, seq);
        ALTER TABLE job DROP COLUMN last_update;
        ALTER TABLE token ADD COLUMN ready INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX item_later_job ON item(\(ItemNumber.jobSQL()), state, not_before) WHERE not_before IS NOT NULL;
        """

    /// The request that started a job, for tracing.
    private static let third = """
        ALTER TABLE job ADD COLUMN trace_id TEXT;
        ALTER TABLE job ADD COLUMN request_id TEXT;
        """

    /// The origin of a job's start request (`JobOrigin`), and when its failed items were last retried on request.
    private static let fourth = """
        ALTER TABLE job ADD COLUMN client TEXT;
        ALTER TABLE job ADD COLUMN priority TEXT;
        ALTER TABLE job ADD COLUMN completion_books TEXT;
        ALTER TABLE job ADD COLUMN retried_at INTEGER;
        """

    /// Finds the newest jobs of a pipeline in a particular state, however many jobs there are.
    private static let fifth = "CREATE INDEX job_listing ON job(pipeline, status, created_at)"

    /// Imports and the pages of their rows. A `csv_import` job has no items, and its `total` is 0; `enrichment` holds the `number` of its linked
    /// job, whose items contain their row number in the file. Pages of earlier attempts are ignored.
    private static let sixth = """
        CREATE TABLE import(
            job INTEGER PRIMARY KEY,
            file_name TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            lines INTEGER NOT NULL,
            options TEXT NOT NULL,
            enrichment INTEGER,
            is_uploaded INTEGER NOT NULL DEFAULT 0,
            attempt INTEGER NOT NULL DEFAULT 0,
            lost_attempts INTEGER NOT NULL DEFAULT 0,
            pages INTEGER NOT NULL DEFAULT 0,
            drafted INTEGER NOT NULL DEFAULT 0,
            bytes_read INTEGER NOT NULL DEFAULT 0,
            summary TEXT, model_used TEXT, failure TEXT,
            total_rows INTEGER, books INTEGER, duplicates INTEGER, errors INTEGER, skipped INTEGER
        );
        CREATE TABLE import_page(
            id INTEGER PRIMARY KEY,
            job INTEGER NOT NULL, attempt INTEGER NOT NULL, part TEXT NOT NULL, page INTEGER NOT NULL,
            rows BLOB NOT NULL, short BLOB
        );
        CREATE UNIQUE INDEX import_page_order ON import_page(job, attempt, part, page);
        ALTER TABLE item ADD COLUMN source_row INTEGER;
        """

    /// Scans, their photos, and the spines read in them. A job of the pipeline `ai_scan` receives its items photo by photo; `spine.id` is the item's
    /// key, and spines of the same book in several photos have the same `identity`.
    private static let seventh = """
        CREATE TABLE scan(
            job INTEGER PRIMARY KEY,
            is_batch INTEGER NOT NULL,
            is_tokenless INTEGER NOT NULL DEFAULT 0,
            is_uploaded INTEGER NOT NULL DEFAULT 0,
            attempt INTEGER NOT NULL DEFAULT 0,
            lost_attempts INTEGER NOT NULL DEFAULT 0
        );
        CREATE TABLE photo(
            job INTEGER NOT NULL, place INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            status TEXT NOT NULL,
            books INTEGER NOT NULL DEFAULT 0,
            width INTEGER, height INTEGER, engine TEXT, model TEXT, fault TEXT,
            PRIMARY KEY(job, place)
        ) WITHOUT ROWID;
        CREATE TABLE spine(
            id INTEGER PRIMARY KEY,
            photo INTEGER NOT NULL,
            engine TEXT NOT NULL,
            reading TEXT NOT NULL,
            confidence REAL NOT NULL,
            identity TEXT,
            is_verified INTEGER NOT NULL DEFAULT 0
        );
        """

    /// What triggered a job; the events acknowledged by a token's client; the improved items of ended jobs that have not yet been reported to
    /// followers, by their `item.id`; and webhooks that have not been delivered successfully.
    ///
    /// `webhook_at` is the most recent time at which a webhook of the job was handed out for its first attempt. A sealed webhook has been handed out
    /// and no longer changes; `first_at` is when it was first handed out.
    private static let eighth = """
        ALTER TABLE job ADD COLUMN source TEXT;
        ALTER TABLE job ADD COLUMN callback_url TEXT;
        ALTER TABLE job ADD COLUMN webhook_at INTEGER;
        ALTER TABLE token ADD COLUMN delivered INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE improved_item(id INTEGER PRIMARY KEY);
        CREATE TABLE webhook(
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            job INTEGER NOT NULL,
            id TEXT NOT NULL UNIQUE,
            results_revision INTEGER NOT NULL,
            improved INTEGER NOT NULL,
            tries INTEGER NOT NULL DEFAULT 0,
            due_at INTEGER NOT NULL,
            is_sealed INTEGER NOT NULL DEFAULT 0,
            first_at INTEGER
        );
        CREATE INDEX webhook_due ON webhook(due_at);
        CREATE INDEX webhook_job ON webhook(job);
        """

    /// The quality of enrichment (metadata.md "Quality"): the measure of each item's result, and totals by the UTC day on which the items' jobs were
    /// accepted, as days since 1970. `quality` is the sum of the found books' quality scores; each field's column in `provider_day`
    /// counts the results in which the provider supplied that field.
    private static let ninth = """
        ALTER TABLE item ADD COLUMN measure INTEGER;
        CREATE TABLE quality_day(
            day INTEGER NOT NULL, pipeline TEXT NOT NULL,
            books INTEGER NOT NULL, found INTEGER NOT NULL, isbns INTEGER NOT NULL, isbns_found INTEGER NOT NULL,
            covers INTEGER NOT NULL, authors INTEGER NOT NULL, known_authors INTEGER NOT NULL, quality INTEGER NOT NULL,
            PRIMARY KEY(day, pipeline)
        ) WITHOUT ROWID;
        CREATE TABLE provider_day(
            day INTEGER NOT NULL, pipeline TEXT NOT NULL, provider TEXT NOT NULL,
            asked INTEGER NOT NULL, answered INTEGER NOT NULL,
            title INTEGER NOT NULL, authors INTEGER NOT NULL, cover INTEGER NOT NULL, description INTEGER NOT NULL,
            subjects INTEGER NOT NULL, publisher INTEGER NOT NULL, publication_date INTEGER NOT NULL,
            page_count INTEGER NOT NULL, language INTEGER NOT NULL,
            PRIMARY KEY(day, pipeline, provider)
        ) WITHOUT ROWID;
        """

    /// Operator actions, and an index of jobs by the request that started them. `audit.subject` is the target of the action, such as a job's
    /// identifier or a provider's name; null if the action implies it.
    private static let tenth = """
        CREATE TABLE audit(
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            address TEXT NOT NULL,
            session TEXT,
            action TEXT NOT NULL,
            subject TEXT,
            outcome TEXT NOT NULL
        );
        CREATE INDEX job_request ON job(request_id) WHERE request_id IS NOT NULL;
        """

    /// The progress events that report an item's outcome, except one in 256 (`StoredEvent`). They are stored with the item and its result, which are
    /// written anyway, because a row of their own would double the pages that an outcome writes. `item.event_seq` and `event_at` are the event's
    /// `seq` and time, `result.frame` is its frame. All other events are rows of `event`.
    private static let eleventh = """
        ALTER TABLE item ADD COLUMN event_seq INTEGER;
        ALTER TABLE item ADD COLUMN event_at INTEGER;
        ALTER TABLE result ADD COLUMN frame BLOB;
        """
}
