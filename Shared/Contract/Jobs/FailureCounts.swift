/// How many items of a job have no result, by the reason (`ItemErrorCode`). On the wire an object whose keys are the codes; reasons that
/// do not occur are left out.
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

    /// Makes counts of which all are 0.
    public init() {}

    /// Items without a result for this reason.
    public subscript(code: ItemErrorCode) -> Int {
        get { self[keyPath: Self.member(code)] ?? 0 }
        set { self[keyPath: Self.member(code)] = newValue == 0 ? nil : newValue }
    }

    /// Whether every item so far has its result.
    public var isEmpty: Bool { self == FailureCounts() }

    /// Nil when there is nothing to say, as members without a value are left out of answers.
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
