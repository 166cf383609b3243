/// How far a job is, derived from its items and never counted apart from them (spec/01 rule 3).
public struct JobCounts: Codable, Sendable, Equatable {
    /// Items in all.
    public var total: Int
    /// Items with a result.
    public var succeeded: Int
    /// Items that failed or were skipped.
    public var failed: Int

    /// Makes counts.
    public init(total: Int, succeeded: Int = 0, failed: Int = 0) {
        self.total = total
        self.succeeded = succeeded
        self.failed = failed
    }

    /// Items that are terminal.
    public var processed: Int { succeeded + failed }

    /// From 0 to 1; an empty job is done.
    public var progress: Double { total == 0 ? 1 : Double(processed) / Double(total) }
}
