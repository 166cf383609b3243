public import BookstrackContract

/// Why a call or the following of a job failed: one type for the whole library, with a stable code.
///
/// ```swift
/// do {
///     let found = try await client.search(isbn: "9780441172719")
/// } catch where error.code == .rateLimitExceeded {
///     try await Task.sleep(for: error.retryAfter ?? .seconds(60))
/// }
/// ```
public struct BookstrackError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stable code: one of the server's (http-api.md "Error codes", websocket.md "Payloads") or one of the library's own.
    ///
    /// A server may know codes that this version of the library does not name; they are kept as they came.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as it is on the wire.
        public let rawValue: String

        /// Takes any code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Takes a code of an HTTP answer.
        public init(_ code: APIErrorCode) { rawValue = code.rawValue }

        /// Nothing answers, or the connection broke before the answer; ``BookstrackError/cause`` says which.
        public static let connectionFailed = Code(rawValue: "CONNECTION_FAILED")
        /// The server's TLS certificate is not signed by a known authority, has expired, or is for another name.
        public static let serverUntrusted = Code(rawValue: "SERVER_UNTRUSTED")
        /// No answer in time.
        public static let timedOut = Code(rawValue: "TIMED_OUT")
        /// The server's answer violates the contract.
        public static let unexpectedAnswer = Code(rawValue: "UNEXPECTED_ANSWER")
        /// The token store has no token of the job.
        public static let tokenMissing = Code(rawValue: "TOKEN_MISSING")
        /// A file could not be read, or the token store not be used.
        public static let storageFailed = Code(rawValue: "STORAGE_FAILED")
        /// The whole job failed, and the server did not say why.
        public static let jobFailed = Code(rawValue: "JOB_FAILED")
        /// The calling task was cancelled.
        public static let cancelled = Code(rawValue: "CANCELLED")
        /// The ISBN's length, characters or check digit are wrong.
        public static let invalidISBN = Code(.invalidISBN)
        /// The token of the job is wrong or was revoked.
        public static let unauthorized = Code(.unauthorized)
        /// The token of the job has expired.
        public static let tokenExpired = Code(.tokenExpired)
        /// No such job, results, editions or book.
        public static let notFound = Code(.notFound)
        /// The jobId is taken.
        public static let jobExists = Code(.jobExists)
        /// Too many requests; see ``BookstrackError/retryAfter``.
        public static let rateLimitExceeded = Code(.rateLimitExceeded)
        /// The server cannot serve now; see ``BookstrackError/retryAfter``.
        public static let serviceUnavailable = Code(.serviceUnavailable)
    }

    /// What an app does about an error.
    public enum Recovery: Sendable, Equatable {
        /// Nothing: the library or the app's own queue tries again.
        case automatic
        /// Offer a button that repeats the call.
        case retryButton
        /// Leave the book out and continue with the others.
        case skipBook
        /// Start the job anew: its token is of no use any more.
        case startAgain
        /// The request itself is wrong.
        case none
    }

    /// The stable code.
    public let code: Code
    /// A technical sentence, for logs.
    public let message: String
    /// The HTTP status; nil if there was no answer.
    public let status: Int?
    /// Context of a server's refusal.
    public let details: [String: DetailValue]
    /// How long the server asks to wait.
    public let retryAfter: Duration?
    /// Whether the same call may succeed later.
    public let isRetryable: Bool
    /// Why there is no answer; nil if there is one.
    public let cause: TransportFailure?
    /// Whether the code only stands for the status of an answer that has none.
    package let isCodeOfStatus: Bool

    /// Makes an error.
    public init(
        _ code: Code, _ message: String, status: Int? = nil, details: [String: DetailValue] = [:],
        retryAfter: Duration? = nil, isRetryable: Bool = false, cause: TransportFailure? = nil
    ) {
        self.code = code
        self.message = message
        self.status = status
        self.details = details
        self.retryAfter = retryAfter
        self.isRetryable = isRetryable
        self.cause = cause
        isCodeOfStatus = false
    }

    /// A short text for users, as the product shows it in a toast.
    public var userMessage: String {
        switch recovery {
        case .automatic: code == .connectionFailed ? "Connection lost, reconnecting" : "Enrichment failed, will retry"
        case .retryButton: "Server error, try again later"
        case .skipBook: "This book has no valid ISBN and was skipped"
        case .startAgain: "This job can no longer be followed, please start it again"
        case .none where code == .serverUntrusted: "The server's identity cannot be verified"
        case .none: message
        }
    }

    /// What an app does about it.
    public var recovery: Recovery {
        switch code {
        case .connectionFailed, .timedOut: return .automatic
        case .invalidISBN: return .skipBook
        case .unauthorized, .tokenExpired, .tokenMissing: return .startAgain
        default: return isRetryable ? .retryButton : .none
        }
    }

    /// The technical sentence with the code, or with the status of an answer without one.
    public var description: String {
        guard isCodeOfStatus, let status else { return "\(message) (\(code.rawValue))" }
        return "\(message) (status \(status))"
    }

    /// Reads the error of an answer; an answer that is no envelope of the contract keeps its status.
    package init(_ answer: ClientAnswer) {
        let failure = answer.failure
        code = failure.map { Code(rawValue: $0.code) } ?? Code(status: answer.status)
        message = failure?.message ?? "the server refused"
        status = answer.status
        details = failure?.details ?? [:]
        retryAfter = answer.retryAfter
        isRetryable = failure?.retryable ?? (answer.status >= 500 || answer.status == 429)
        cause = nil
        isCodeOfStatus = failure == nil
    }
}

extension BookstrackError {

    /// The error of a call whose answer never came.
    package init(_ failure: TransportFailure) {
        switch failure {
        case .unreachable(let reason), .lost(let reason):
            self.init(.connectionFailed, reason, isRetryable: true, cause: failure)
        case .untrusted(let reason): self.init(.serverUntrusted, reason, cause: failure)
        case .malformed(let reason): self.init(.unexpectedAnswer, reason, cause: failure)
        case .timedOut: self.init(.timedOut, "no answer in time", isRetryable: true, cause: failure)
        case .refused(let answer): self.init(answer)
        case .unsupported(let reason): self.init(.connectionFailed, reason, cause: failure)
        case .cancelled: self.init(.cancelled, "the task was cancelled", cause: failure)
        }
    }
}

extension BookstrackError.Code {
    /// The code of an answer without an envelope, as a proxy in between may send it.
    fileprivate init(status: Int) {
        switch status {
        case 401: self = .unauthorized
        case 404: self = .notFound
        case 429: self = .rateLimitExceeded
        case 500...: self = .serviceUnavailable
        default: self = .unexpectedAnswer
        }
    }
}
