package import GRDB

/// The stored sequence numbers of a job's events: a job's `seq` is that of its newest event, but at least its `seq_floor`.
package enum JobSequence {
    /// SQL expression for the newest `seq` of a row in `job`. Reads all items of a running job, which may contain newer events than `event`; the
    /// newest event of an ended job is always a row of `event`.
    package static let lastSQL = """
        max(\(lastOwnSQL), CASE WHEN started_at IS NOT NULL AND ended_at IS NULL THEN coalesce(
            (SELECT max(event_seq) FROM item WHERE \(ItemNumber.rangeSQL(ofJob: "job.number"))), 0) ELSE 0 END)
        """

    /// Like ``lastSQL``, but without the events that are stored with items.
    package static let lastOwnSQL = """
        max(seq_floor, coalesce((SELECT max(seq) FROM event WHERE event.job = job.number), 0))
        """

    /// Raises every open job's `seq` by `jump`, because later events may have been sent and then lost. A client that received them is then informed
    /// that its position cannot be recovered, and does not mistake new events for old ones (websocket.md "Frames").
    package static func raise(by jump: Int, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE job SET seq_floor = \(lastSQL) + :jump, recoverable_from = \(lastSQL) + :jump
                WHERE ended_at IS NULL
                """, arguments: ["jump": jump])
    }
}

/// A mark in `jobs.sqlite` with the ID of the machine boot during which the database was opened but not yet closed. If the mark is found during a
/// different boot, the last stop was unclean (websocket.md "Frames").
///
/// Programs with a schema version below 11 take a missing mark for a clean stop, and any mark other than their own boot's ID for an unclean one. They
/// cannot read the events that are stored with items, and would assign the numbers of these events again. The marks written here never equal a boot
/// ID, not even after a clean stop, so such a program raises the numbers first.
package enum OpeningMark {
    /// The mark in a restored database in place of a boot ID, so the next start is treated like one after an unclean stop. It cannot equal a boot ID,
    /// which is a UUID (random(4)).
    package static let restored = "restored"
    private static let closed = "closed"
    private static let suffix = " (version 11)"

    /// The boot during which the database was left open, or ``restored``; nil after a clean stop and for a new database.
    package static func read(_ db: Database) throws -> String? {
        let mark = try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'open_since_boot'")
        guard let mark, mark != closed else { return nil }
        return mark.hasSuffix(suffix) ? String(mark.dropLast(suffix.count)) : mark
    }

    /// Records that the database is open during this boot.
    package static func write(_ boot: String, _ db: Database) throws { try store(boot + suffix, db) }

    /// Records a clean stop, and the `seq` of every open job in `seq_floor`, for programs that cannot read the events stored with items.
    package static func close(_ db: Database) throws {
        try db.execute(sql: "UPDATE job SET seq_floor = \(JobSequence.lastSQL) WHERE ended_at IS NULL")
        try store(closed, db)
    }

    private static func store(_ mark: String, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO meta(key, value) VALUES ('open_since_boot', ?)", arguments: [mark])
    }
}
