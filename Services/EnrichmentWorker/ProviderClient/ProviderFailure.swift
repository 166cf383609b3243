import Observability
package import Transfer

/// Why a provider call has no usable response. The caller decides what this means for an item (for example `PROVIDER_TIMEOUT`, `PROVIDER_ERROR` or
/// `QUOTA_EXHAUSTED`).
package enum ProviderFailure: Error, Hashable, Sendable {
    /// No complete response within the timeouts or the call's deadline.
    case timeout
    /// There was no connection, or it broke.
    case connection(ConnectionFault)
    /// A status that is neither that of a usable response (``ProviderAnswer``) nor one of the cases below. During a pause that a 503 requested, calls
    /// that cannot wait fail with this 503 without being sent.
    case httpStatus(Int)
    /// 429, or a call that cannot wait for the end of a pause that a 429 requested. `retryAfter` is the pause, or what is left of it,
    /// if the provider requested one.
    case rateLimited(retryAfter: Duration?)
    /// The provider's quota, our daily budget for the provider, or a client's share of that budget is used up; `retryAfter` is nil if the time until
    /// the reset is unknown.
    case quotaExhausted(retryAfter: Duration?)
    /// The provider refuses every call until a setting is corrected.
    case refused(LastingRefusal)
    /// The circuit breaker refuses calls for `retryAfter`; the request was not sent.
    case breakerOpen(retryAfter: Duration, cause: BreakerCause)
    /// The request was not sent: the queue of the budget or of the transfer engine is full, or its turn would not have come before the deadline.
    case busy
    /// The response exceeds the maximum size or decompression ratio.
    case tooLarge
    /// The request or the response is malformed.
    case malformed
    /// A redirect led to a target that is not allowed, or there were too many redirects.
    case redirectRefused(RedirectRefusal)
    /// The calling task was cancelled, or the transfer engine has been shut down.
    case cancelled

    /// Whether a quota or rate limit is the reason, which is reported as `QUOTA_EXHAUSTED` (jobs.md "Work").
    package var isQuota: Bool {
        switch self {
        case .rateLimited, .quotaExhausted: true
        case .breakerOpen(_, let cause): cause == .quota
        default: false
        }
    }

    /// Whether the provider refuses every call until a setting is corrected.
    package var isLastingRefusal: Bool {
        switch self {
        case .refused, .breakerOpen(_, .refusal): true
        default: false
        }
    }

    /// How long to wait before trying again, if known.
    package var retryAfter: Duration? {
        switch self {
        case .rateLimited(let delay), .quotaExhausted(let delay): delay
        case .breakerOpen(let delay, _): delay
        default: nil
        }
    }

    /// The outcome under which the failure is counted and logged.
    package var outcome: ProviderOutcome {
        switch self {
        case .timeout: .timeout
        case .connection(let fault): ProviderOutcome(fault)
        case .httpStatus: .httpStatus
        case .rateLimited: .rateLimited
        case .quotaExhausted: .quotaExhausted
        case .refused: .refused
        case .breakerOpen: .breakerOpen
        case .busy: .busy
        case .tooLarge: .tooLarge
        case .malformed: .malformed
        case .redirectRefused: .redirectRefused
        case .cancelled: .cancelled
        }
    }
}

/// How a provider call ended, as counted in metrics and logged.
package enum ProviderOutcome: String, Hashable, Sendable, CaseIterable, MetricLabel {
    package static let labelName = "outcome"

    /// A response, including 404.
    case ok
    case timeout
    /// The name did not resolve.
    case dns
    /// No connection could be opened.
    case unreachable
    case tls
    case proxy
    /// The connection broke.
    case connection
    case httpStatus = "http_status"
    case rateLimited = "rate_limited"
    case quotaExhausted = "quota_exhausted"
    case refused
    case breakerOpen = "breaker_open"
    case busy
    case tooLarge = "too_large"
    case malformed
    case redirectRefused = "redirect_refused"
    case cancelled

    init(_ fault: ConnectionFault) {
        self =
            switch fault {
            case .name: .dns
            case .unreachable: .unreachable
            case .tls: .tls
            case .proxy: .proxy
            case .broken: .connection
            }
    }
}
