/// Every stable code an HTTP answer, an upgrade refusal or an RPC error may carry (http-api.md "Error codes", websocket.md "Upgrade").
public enum APIErrorCode: String, Codable, Sendable, CaseIterable {
    case invalidISBN = "INVALID_ISBN"
    case invalidQuery = "INVALID_QUERY"
    case invalidRequest = "INVALID_REQUEST"
    case batchTooLarge = "BATCH_TOO_LARGE"
    case unauthorized = "UNAUTHORIZED"
    case tokenExpired = "TOKEN_EXPIRED"
    /// The token is right but still has more than the refresh window to live.
    case tokenRefreshTooEarly = "TOKEN_REFRESH_TOO_EARLY"
    case forbidden = "FORBIDDEN"
    case notFound = "NOT_FOUND"
    case methodNotAllowed = "METHOD_NOT_ALLOWED"
    case requestTimeout = "REQUEST_TIMEOUT"
    case jobExists = "JOB_EXISTS"
    case fileTooLarge = "FILE_TOO_LARGE"
    case unsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE"
    case upgradeRequired = "UPGRADE_REQUIRED"
    case rateLimitExceeded = "RATE_LIMIT_EXCEEDED"
    case tooManyConnections = "TOO_MANY_CONNECTIONS"
    case internalError = "INTERNAL_ERROR"
    case providerError = "PROVIDER_ERROR"
    case quotaExhausted = "QUOTA_EXHAUSTED"
    /// A process or its storage cannot serve now; the answer carries `Retry-After`.
    case serviceUnavailable = "SERVICE_UNAVAILABLE"
    case providerTimeout = "PROVIDER_TIMEOUT"

    /// The HTTP status that goes with the code.
    public var status: Int {
        switch self {
        case .invalidISBN, .invalidQuery, .invalidRequest, .batchTooLarge: 400
        case .unauthorized, .tokenExpired, .tokenRefreshTooEarly: 401
        case .forbidden: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .requestTimeout: 408
        case .jobExists: 409
        case .fileTooLarge: 413
        case .unsupportedMediaType: 415
        case .upgradeRequired: 426
        case .rateLimitExceeded, .tooManyConnections: 429
        case .internalError: 500
        case .providerError: 502
        case .quotaExhausted, .serviceUnavailable: 503
        case .providerTimeout: 504
        }
    }

    /// Whether the same request may succeed later.
    public var isRetryable: Bool {
        switch self {
        case .requestTimeout, .rateLimitExceeded, .tooManyConnections, .internalError, .providerError,
            .quotaExhausted, .serviceUnavailable, .providerTimeout:
            true
        default: false
        }
    }
}
