import Observability

/// How a provider call ended, as counted in metrics and named in `metadata.providers[].outcome` (http-api.md "Searches").
package enum ProviderOutcome: String, Hashable, Sendable, CaseIterable, MetricLabel {
    package static let labelName = "outcome"

    /// An answer, 404 included.
    case ok
    case timeout
    /// The name did not resolve.
    case dns
    /// The connection was refused or timed out.
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
