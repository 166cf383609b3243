/// Why one item of a job has no result: `errorCode` in a results answer (http-api.md "Results").
public enum ItemErrorCode: String, Codable, Sendable, CaseIterable {
    /// No usable ISBN and no title.
    case invalidISBN = "INVALID_ISBN"
    /// Every provider that counts really answered "none".
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
