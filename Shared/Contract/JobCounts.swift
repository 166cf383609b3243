/// Progress of a job, derived from its items or, for an import, from its file, and never counted separately (Services/README.md rule 3).
public struct JobCounts: Codable, Sendable, Equatable {
    /// Total number of items.
    public var total: Int
    /// Number of items with a result.
    public var succeeded: Int
    /// Number of items that failed.
    public var failed: Int
    /// Number of items that had no outcome when their job was cancelled or failed with its import.
    public var skipped: Int
    /// Number of failed and skipped items, by reason.
    public var failures: FailureCounts

    /// Creates counts.
    public init(
        total: Int, succeeded: Int = 0, failed: Int = 0, skipped: Int = 0, failures: FailureCounts = FailureCounts()
    ) {
        self.total = total
        self.succeeded = succeeded
        self.failed = failed
        self.skipped = skipped
        self.failures = failures
    }

    /// Number of finished items, with or without a result.
    public var processed: Int { succeeded + failed }

    /// Number of items without a result: failed and skipped items (jobs.md "Work").
    public var withoutResult: Int { failed + skipped }

    /// Number of items that are not finished, including skipped ones.
    public var remaining: Int { total - processed }

    /// The completed fraction, from 0 to 1; 1 for an empty job.
    public var progress: Double { total == 0 ? 1 : Double(processed) / Double(total) }

    /// The completed percentage, rounded down, so only a job whose items are all finished reaches 100.
    public var percentage: Int { total == 0 ? 100 : processed * 100 / total }
}

/// Counts of a job's items without a result, by reason (`ItemErrorCode`). They are encoded as an object with the codes as keys; reasons that do not
/// occur are omitted.
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

    /// Creates counts with all values 0.
    public init() {}

    /// Number of items without a result for this reason.
    public subscript(code: ItemErrorCode) -> Int {
        get { self[keyPath: Self.member(code)] ?? 0 }
        set { self[keyPath: Self.member(code)] = newValue == 0 ? nil : newValue }
    }

    /// Whether there are no failures.
    public var isEmpty: Bool { self == FailureCounts() }

    /// The counts; nil if there are no failures, because responses omit members without a value.
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

/// Why an item of a job has no result: `errorCode` in a results response (http-api.md "Results").
public enum ItemErrorCode: String, Codable, Sendable, CaseIterable {
    /// No usable ISBN, title or work identifier.
    case invalidISBN = "INVALID_ISBN"
    /// Every provider that matters for the outcome responded without a match.
    case notFound = "NOT_FOUND"
    /// A provider did not respond in time, or could not be queried in time.
    case providerTimeout = "PROVIDER_TIMEOUT"
    /// A provider failed.
    case providerError = "PROVIDER_ERROR"
    /// A provider's quota, or the daily budget for it, is used up.
    case quotaExhausted = "QUOTA_EXHAUSTED"
    /// The job was cancelled, or failed with its import, before this item was finished.
    case cancelled = "CANCELLED"
    /// The job's deadline passed before this item was finished.
    case deadlineExceeded = "DEADLINE_EXCEEDED"

    /// Whether the reason is temporary, so the server retries the item (jobs.md "Retries").
    public var isRetryable: Bool {
        switch self {
        case .providerTimeout, .providerError, .quotaExhausted: true
        case .invalidISBN, .notFound, .cancelled, .deadlineExceeded: false
        }
    }
}
