/// An item's key in the database and in memory: the job's number and the place in its input in one integer, so that items and
/// results of a job lie together in SQLite's rowid tables.
package struct ItemNumber: Hashable, Sendable {
    /// Maximum number of items in a job; far above the limit of a start.
    package static let placesPerJob: Int64 = 1 << 20

    /// SQL for the job number of the key `id`.
    package static let jobSQL = "(id / \(placesPerJob))"

    /// The key in the database: `job` times the places of a job, plus `index`.
    package let rawValue: Int64

    /// The item at a place that is known to exist.
    package init(job: Int64, index: Int) { rawValue = job * Self.placesPerJob + Int64(index) }

    /// The item at a place that a peer named; nil when a job of `total` items has no such place.
    package init?(job: Int64, index: Int, total: Int) {
        guard index >= 0, index < total else { return nil }
        self.init(job: job, index: index)
    }

    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// The row of the job.
    package var job: Int64 { rawValue / Self.placesPerJob }
    /// The item's place in the job, from 0.
    package var index: Int { Int(rawValue % Self.placesPerJob) }

    /// Every key a job can use.
    package static func range(ofJob job: Int64) -> ClosedRange<Int64> {
        (job * placesPerJob)...((job + 1) * placesPerJob - 1)
    }
}

/// An item's state, as stored (jobs.md). A lease is not stored: it ends with the process.
package enum ItemState: UInt8, Sendable {
    case queued = 0
    case succeeded = 1
    case failed = 2
    /// Never tried, because the job was cancelled or ran out of time.
    case skipped = 3

    /// Whether the item has its outcome.
    package var isTerminal: Bool { self != .queued }
}
