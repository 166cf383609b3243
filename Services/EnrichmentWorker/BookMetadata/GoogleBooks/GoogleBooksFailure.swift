import JSON

/// The meaning of an error response from Google Books. The status for an exhausted quota may be 400, 403 or 429; a 429 may also mean a
/// short pause (metadata.md "Providers").
package enum GoogleBooksFailure: Hashable, Sendable {
    /// A quota is used up; the circuit breaker opens.
    case quotaExhausted
    /// The key is not accepted.
    case keyRefused
    /// The provider cannot determine the country from which the request comes.
    case locationUnknown
    /// The volume does not exist.
    case notFound
    /// The provider failed; a retry may succeed. An unknown volume may also result in a 503.
    case unavailable
    /// Any other refusal.
    case refused

    /// Reads the status and body of an error response. A known reason in the body takes precedence over the status.
    package init(status: Int, body: some Sequence<UInt8>) {
        let document = (try? JSONDocument(body)).flatMap { GoogleErrorDocument($0.root) }
        let reasons = document?.reasons ?? []
        switch status {
        case _ where document?.isQuota == true: self = .quotaExhausted
        case _ where reasons.contains { Self.keyReasons.contains($0) }: self = .keyRefused
        case _ where reasons.contains("unknownLocation"): self = .locationUnknown
        case 401: self = .keyRefused
        case 403 where document?.status == "PERMISSION_DENIED": self = .keyRefused
        case 404: self = .notFound
        case 500...: self = .unavailable
        default: self = .refused
        }
    }

    private static let keyReasons: Set<String> = [
        "keyInvalid", "keyExpired", "API_KEY_INVALID", "API_KEY_SERVICE_BLOCKED", "accessNotConfigured",
        "ipRefererBlocked", "SERVICE_DISABLED", "API_KEY_HTTP_REFERRER_BLOCKED", "API_KEY_IP_ADDRESS_BLOCKED",
        "CONSUMER_INVALID", "CONSUMER_SUSPENDED",
    ]
}

/// The error body used by Google's APIs.
struct GoogleErrorDocument {
    private static let quotaReasons: Set<String> = [
        "rateLimitExceeded", "userRateLimitExceeded", "dailyLimitExceeded", "dailyLimitExceededUnreg", "quotaExceeded",
        "limitExceeded", "concurrentLimitExceeded", "RATE_LIMIT_EXCEEDED", "QUOTA_EXCEEDED",
    ]

    let code: Int?
    /// The name of the status, for example `RESOURCE_EXHAUSTED`.
    let status: String?
    /// The `reason` of each entry in `errors` and `details`.
    let reasons: [String]

    /// Nil if the document is not an error.
    init?(_ node: JSONNode) {
        guard let error = node["error"], error.isObject else { return nil }
        code = error["code"]?.int
        status = error["status"]?.string
        reasons = error.list("errors") { $0["reason"]?.string } + error.list("details") { $0["reason"]?.string }
    }

    /// Whether a quota is used up, regardless of the status code.
    var isQuota: Bool {
        status == "RESOURCE_EXHAUSTED" || reasons.contains { Self.quotaReasons.contains($0) }
    }

    /// The failure as the error of a body that arrived with status 200.
    var bodyError: ProviderBodyError {
        isQuota ? .exhausted : .refused(reason: reasons.first ?? status ?? "error \(code ?? 0)")
    }
}
