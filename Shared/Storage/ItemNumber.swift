/// An item's key in the database and in memory. It combines the job's number and the index in the job's input into one integer, so a job's items and
/// results are stored together in SQLite's rowid tables.
package struct ItemNumber: Hashable, Sendable {
    /// Maximum number of items in a job; this is far above the limit for a start request.
    package static let placesPerJob: Int64 = 1 << 20

    /// SQL expression for the job number in a key.
    package static func jobSQL(_ key: String = "id") -> String { "(\(key) / \(placesPerJob))" }

    /// The key in the database: `job` times ``placesPerJob``, plus `index`.
    package let rawValue: Int64

    /// Creates the key for an index, without checking that the item exists.
    package init(job: Int64, index: Int) { rawValue = job * Self.placesPerJob + Int64(index) }

    /// Creates the key of an item identified by a peer; nil if a job with `total` items has no such item.
    package init?(job: Int64, index: Int, total: Int) {
        guard index >= 0, index < total else { return nil }
        self.init(job: job, index: index)
    }

    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// The job's number.
    package var job: Int64 { rawValue / Self.placesPerJob }
    /// The item's index in the job, from 0.
    package var index: Int { Int(rawValue % Self.placesPerJob) }

    /// SQL condition on `item.id` for all keys that a job can use.
    ///
    /// - Parameter job: SQL expression for the job's number.
    package static func rangeSQL(ofJob job: String) -> String {
        "item.id BETWEEN \(job) * \(placesPerJob) AND \(job) * \(placesPerJob) + \(placesPerJob - 1)"
    }

    /// All keys that a job can use.
    package static func range(ofJob job: Int64) -> ClosedRange<Int64> {
        (job * placesPerJob)...((job + 1) * placesPerJob - 1)
    }
}

/// An item's stored state (jobs.md). Leases are not stored, because they end with the process.
package enum ItemState: UInt8, Sendable {
    case queued = 0
    case succeeded = 1
    case failed = 2
    /// The item had no outcome when its job was cancelled, or when the job failed because the import that it waited for failed.
    case skipped = 3

    /// Whether the item has an outcome.
    package var isTerminal: Bool { self != .queued }
}
