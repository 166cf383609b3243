public import BookstrackContract
public import Foundation

/// Why a call failed or a job can no longer be followed: one type for the whole library, with a stable code.
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
    /// A server may send codes that this version of the library does not define; they are kept unchanged.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as text, for example `RATE_LIMIT_EXCEEDED`.
        public let rawValue: String

        /// Creates a code from any string.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a code from the code of an HTTP error.
        public init(_ code: APIErrorCode) { rawValue = code.rawValue }

        /// No connection could be established, or it broke; ``BookstrackError/cause`` contains the details, if known.
        public static let connectionFailed = Code(rawValue: "CONNECTION_FAILED")
        /// The server's TLS certificate is not signed by a trusted authority, is not valid at this time, or is for another name; or the trusted
        /// authorities cannot be read.
        public static let serverUntrusted = Code(rawValue: "SERVER_UNTRUSTED")
        /// The request timed out.
        public static let timedOut = Code(rawValue: "TIMED_OUT")
        /// The server, or a proxy in front of it, responded in a way that the contract does not define.
        public static let unexpectedAnswer = Code(rawValue: "UNEXPECTED_ANSWER")
        /// The token store has no token for the job.
        public static let tokenMissing = Code(rawValue: "TOKEN_MISSING")
        /// A file could not be read, or the app's storage failed: the token store, the queue's storage, or the app's own store of results.
        public static let storageFailed = Code(rawValue: "STORAGE_FAILED")
        /// The job failed as a whole, and the reason is not known because the job was polled.
        public static let jobFailed = Code(rawValue: "JOB_FAILED")
        /// The call was cancelled.
        public static let cancelled = Code(rawValue: "CANCELLED")
        /// The ISBN is missing or not valid, or a book has neither an ISBN nor a title or work.
        public static let invalidISBN = Code(.invalidISBN)
        /// The job's token is wrong or was revoked, or the server does not have the job.
        public static let unauthorized = Code(.unauthorized)
        /// The job's token has expired.
        public static let tokenExpired = Code(.tokenExpired)
        /// The server does not have what was requested, for example the results of a job.
        public static let notFound = Code(.notFound)
        /// The `jobId` is already in use.
        public static let jobExists = Code(.jobExists)
        /// Too many requests; see ``BookstrackError/retryAfter``.
        public static let rateLimitExceeded = Code(.rateLimitExceeded)
        /// The server is temporarily unavailable; see ``BookstrackError/retryAfter``.
        public static let serviceUnavailable = Code(.serviceUnavailable)
    }

    /// How an app recovers from an error.
    public enum Recovery: Sendable, Equatable {
        /// Do nothing if ``ConnectionStatus`` or ``EnrichmentQueue/lastError`` reported the error, because another attempt follows. Otherwise, repeat
        /// the call later.
        case automatic
        /// Offer a button that repeats the call.
        case retryButton
        /// Skip the book and continue with the others.
        case skipBook
        /// Start the job again: its token is missing or no longer usable.
        case startAgain
        /// None: repeating the same call would usually not help.
        case none
    }

    /// The stable code.
    public let code: Code
    /// A technical message, for logs.
    public let message: String
    /// The status of the HTTP response that reported the error; nil if there was none, for example because a frame reported the error.
    public let status: Int?
    /// Details of the error response; empty if there are none.
    public let details: [String: DetailValue]
    /// How long the server asks the client to wait; nil if it does not say.
    public let retryAfter: Duration?
    /// Whether the same call should be repeated later.
    public let isRetryable: Bool
    /// How the transport failed; nil if a response reported the error or the error has another origin.
    public let cause: TransportFailure?
    /// Whether the code was derived from the status: the response contained no code, so it probably comes from a proxy.
    package let isCodeOfStatus: Bool

    /// Creates an error.
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

    /// A short text for users, as shown in a toast. If there is no way to recover, it is ``message``, except for an untrusted server.
    public var userMessage: String {
        switch recovery {
        case .automatic: code == .connectionFailed ? "Connection lost, reconnecting" : "Enrichment failed, will retry"
        case .retryButton: "Server error, try again later"
        case .skipBook: "This book has no valid ISBN and was skipped"
        case .startAgain: "This job can no longer be followed. Please start it again."
        case .none where code == .serverUntrusted: "The server's identity cannot be verified"
        case .none: message
        }
    }

    /// How an app recovers from this error.
    public var recovery: Recovery {
        switch code {
        case .connectionFailed, .timedOut: return .automatic
        case .invalidISBN: return .skipBook
        case .unauthorized, .tokenExpired, .tokenMissing: return .startAgain
        default: return isRetryable ? .retryButton : .none
        }
    }

    /// The maximum number of books per job, if a server that refuses a larger job reports it.
    package var maxBatchBooks: Int? {
        guard code == Code(.batchTooLarge), case .integer(let limit)? = details["limit"], limit > 0 else { return nil }
        return limit
    }

    /// The technical message with the code, or with the status if the response has no code.
    public var description: String {
        guard isCodeOfStatus, let status else { return "\(message) (\(code.rawValue))" }
        return "\(message) (status \(status))"
    }

    /// Creates the error for a failed response. Without the contract's envelope, the code is derived from the status.
    package init(_ answer: ClientAnswer) {
        let failure = answer.failure
        code = failure.map { Code(rawValue: $0.code) } ?? Code(status: answer.status)
        message = failure?.message ?? "the server refused the request"
        status = answer.status
        details = failure?.details ?? [:]
        retryAfter = answer.retryAfter
        isRetryable = failure?.retryable ?? (answer.status >= 500 || answer.status == 429)
        cause = nil
        isCodeOfStatus = failure == nil
    }
}

extension BookstrackError: LocalizedError {
    /// The text for users, so that alerts and `localizedDescription` show it.
    public var errorDescription: String? { userMessage }
}

extension BookstrackError {
    /// Creates the error for a failure of the transport.
    package init(_ failure: TransportFailure) {
        switch failure {
        case .unreachable(let reason), .lost(let reason):
            self.init(.connectionFailed, reason, isRetryable: true, cause: failure)
        case .untrusted(let reason): self.init(.serverUntrusted, reason, cause: failure)
        case .malformed(let reason): self.init(.unexpectedAnswer, reason, cause: failure)
        case .timedOut: self.init(.timedOut, "the request timed out", isRetryable: true, cause: failure)
        case .refused(let answer): self.init(answer)
        case .unsupported(let reason): self.init(.connectionFailed, reason, cause: failure)
        case .cancelled: self.init(.cancelled, "the task was cancelled", cause: failure)
        }
    }
}

extension BookstrackError.Code {
    /// The code for a response without an envelope, which an intermediate proxy may send.
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
