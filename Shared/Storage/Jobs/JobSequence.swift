package import GRDB

/// The numbers of a job's events as stored: a job's `seq` is that of its newest event, and at least its `seq_floor`.
package enum JobSequence {
    /// The newest `seq` of a row of `job`, in SQL.
    package static let lastSQL = """
        max(seq_floor, coalesce((SELECT max(seq) FROM event WHERE event.job = job.number), 0))
        """

    /// Raises every open job's `seq` by `jump`, because later events may have been sent and lost: a client that saw them is told that its
    /// place cannot be recovered, instead of taking new events for old ones (websocket.md "Frames").
    package static func raise(by jump: Int, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE job SET seq_floor = \(lastSQL) + :jump, recoverable_from = \(lastSQL) + :jump
                WHERE ended_at IS NULL
                """, arguments: ["jump": jump])
    }
}
