/// The stable codes of HTTP errors, upgrade refusals and RPC errors (http-api.md "Error codes", websocket.md "Upgrade").
public enum APIErrorCode: String, Codable, Sendable, CaseIterable {
    case invalidISBN = "INVALID_ISBN"
    case invalidQuery = "INVALID_QUERY"
    case invalidRequest = "INVALID_REQUEST"
    case batchTooLarge = "BATCH_TOO_LARGE"
    case csvParseError = "CSV_PARSE_ERROR"
    case unauthorized = "UNAUTHORIZED"
    case tokenExpired = "TOKEN_EXPIRED"
    /// The token is valid but cannot be refreshed yet: its remaining lifetime is longer than the refresh window, or the job already has too many
    /// tokens.
    case tokenRefreshTooEarly = "TOKEN_REFRESH_TOO_EARLY"
    case forbidden = "FORBIDDEN"
    case notFound = "NOT_FOUND"
    case methodNotAllowed = "METHOD_NOT_ALLOWED"
    case requestTimeout = "REQUEST_TIMEOUT"
    case jobExists = "JOB_EXISTS"
    case jobNotRetryable = "JOB_NOT_RETRYABLE"
    case fileTooLarge = "FILE_TOO_LARGE"
    case unsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE"
    case upgradeRequired = "UPGRADE_REQUIRED"
    case rateLimitExceeded = "RATE_LIMIT_EXCEEDED"
    case tooManyConnections = "TOO_MANY_CONNECTIONS"
    case internalError = "INTERNAL_ERROR"
    case providerError = "PROVIDER_ERROR"
    case quotaExhausted = "QUOTA_EXHAUSTED"
    /// A process or its storage is temporarily unavailable or overloaded; the response has `Retry-After`.
    case serviceUnavailable = "SERVICE_UNAVAILABLE"
    case providerTimeout = "PROVIDER_TIMEOUT"
    /// No photo-reading engine is currently available; the response has `Retry-After`.
    case scannerUnavailable = "SCANNER_UNAVAILABLE"

    /// The HTTP status for the code.
    public var status: Int {
        switch self {
        case .invalidISBN, .invalidQuery, .invalidRequest, .batchTooLarge, .csvParseError: 400
        case .unauthorized, .tokenExpired, .tokenRefreshTooEarly: 401
        case .forbidden: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .requestTimeout: 408
        case .jobExists, .jobNotRetryable: 409
        case .fileTooLarge: 413
        case .unsupportedMediaType: 415
        case .upgradeRequired: 426
        case .rateLimitExceeded, .tooManyConnections: 429
        case .internalError: 500
        case .providerError: 502
        case .quotaExhausted, .serviceUnavailable, .scannerUnavailable: 503
        case .providerTimeout: 504
        }
    }

    /// Whether a client should repeat the same request later (http-api.md "Error codes").
    public var isRetryable: Bool {
        switch self {
        case .requestTimeout, .rateLimitExceeded, .tooManyConnections, .internalError, .providerError,
            .quotaExhausted, .serviceUnavailable, .providerTimeout, .scannerUnavailable:
            true
        default: false
        }
    }
}
