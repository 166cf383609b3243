/// Progress of a job in items, derived from its items and never counted separately (Services/README.md rule 3).
public struct JobCounts: Codable, Sendable, Equatable {
    /// Total number of items.
    public var total: Int
    /// Items with a result.
    public var succeeded: Int
    /// Items that failed.
    public var failed: Int
    /// Items of a cancelled job that were never processed.
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

/// Numbers of a job's items without a result, by reason (`ItemErrorCode`). On the wire an object whose keys are the
/// codes; reasons that do not occur are left out.
public struct FailureCounts: Codable, Sendable, Equatable {
    private var invalidISBN: Int?
    private var notFound: Int?
    private var providerTimeout: Int?
    private var providerError: Int?
    private var quotaExhausted: Int?
    private var cancelled: Int?
    private var deadlineExceeded: Int?

    private enum CodingKeys: String, CodingKey {
        case invalidISBN = "INVALID_ISBN"
        case notFound = "NOT_FOUND"
        case providerTimeout = "PROVIDER_TIMEOUT"
        case providerError = "PROVIDER_ERROR"
        case quotaExhausted = "QUOTA_EXHAUSTED"
        case cancelled = "CANCELLED"
        case deadlineExceeded = "DEADLINE_EXCEEDED"
    }

    /// Makes counts that are all 0.
    public init() {}

    /// Number of items without a result for this reason.
    public subscript(code: ItemErrorCode) -> Int {
        get { self[keyPath: Self.member(code)] ?? 0 }
        set { self[keyPath: Self.member(code)] = newValue == 0 ? nil : newValue }
    }

    /// Whether there are no failures.
    public var isEmpty: Bool { self == FailureCounts() }

    /// Nil if there are no failures, because answers leave out members without a value.
    public var ifAny: FailureCounts? { isEmpty ? nil : self }

    private static func member(_ code: ItemErrorCode) -> WritableKeyPath<Self, Int?> {
        switch code {
        case .invalidISBN: \.invalidISBN
        case .notFound: \.notFound
        case .providerTimeout: \.providerTimeout
        case .providerError: \.providerError
        case .quotaExhausted: \.quotaExhausted
        case .cancelled: \.cancelled
        case .deadlineExceeded: \.deadlineExceeded
        }
    }
}

/// Why one item of a job has no result: `errorCode` in a results answer (http-api.md "Results").
public enum ItemErrorCode: String, Codable, Sendable, CaseIterable {
    /// No usable ISBN and no title.
    case invalidISBN = "INVALID_ISBN"
    /// Every provider that counts answered that it has no match.
    case notFound = "NOT_FOUND"
    /// A provider did not answer in time.
    case providerTimeout = "PROVIDER_TIMEOUT"
    /// A provider failed.
    case providerError = "PROVIDER_ERROR"
    /// A provider's budget is used up.
    case quotaExhausted = "QUOTA_EXHAUSTED"
    /// The job was cancelled before this item was done.
    case cancelled = "CANCELLED"
    /// The job's deadline passed before this item was done.
    case deadlineExceeded = "DEADLINE_EXCEEDED"

    /// Whether trying the item again may succeed.
    public var isRetryable: Bool {
        switch self {
        case .providerTimeout, .providerError, .quotaExhausted: true
        case .invalidISBN, .notFound, .cancelled, .deadlineExceeded: false
        }
    }
}
