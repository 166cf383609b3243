/// How far a job is, derived from its items and never counted apart from them (Services/README.md rule 3).
public struct JobCounts: Codable, Sendable, Equatable {
    /// Items in all.
    public var total: Int
    /// Items with a result.
    public var succeeded: Int
    /// Items that failed.
    public var failed: Int
    /// Items of a cancelled job that were never done.
    public var skipped: Int
    /// Why items failed or were skipped.
    public var failures: FailureCounts

    /// Makes counts.
    public init(
        total: Int, succeeded: Int = 0, failed: Int = 0, skipped: Int = 0, failures: FailureCounts = FailureCounts()
    ) {
        self.total = total
        self.succeeded = succeeded
        self.failed = failed
        self.skipped = skipped
        self.failures = failures
    }

    /// Items that were done, with a result or without.
    public var processed: Int { succeeded + failed }

    /// Items without a result: failed ones and, once the job is cancelled, skipped ones (jobs.md "Work").
    public var withoutResult: Int { failed + skipped }

    /// Items that were not done.
    public var remaining: Int { total - processed }

    /// From 0 to 1; an empty job is done.
    public var progress: Double { total == 0 ? 1 : Double(processed) / Double(total) }

    /// From 0 to 100, rounded down, so that only a job whose items are all done is at 100.
    public var percentage: Int { total == 0 ? 100 : processed * 100 / total }
}
