/// Where an item stands, as stored (jobs.md). A lease is not stored: it ends with the process.
package enum ItemState: UInt8, Sendable {
    case queued = 0
    case succeeded = 1
    case failed = 2
    /// Never tried, because the job was cancelled or ran out of time.
    case skipped = 3

    /// Whether the item has its outcome.
    package var isTerminal: Bool { self != .queued }
}
