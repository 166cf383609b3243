import BookstrackContract

/// The error body of Google's APIs.
struct GoogleErrorDocument {
    private static let quotaReasons: Set<String> = [
        "rateLimitExceeded", "userRateLimitExceeded", "dailyLimitExceeded", "dailyLimitExceededUnreg", "quotaExceeded",
        "limitExceeded", "concurrentLimitExceeded", "RATE_LIMIT_EXCEEDED", "QUOTA_EXCEEDED",
    ]

    let code: Int?
    /// For example `RESOURCE_EXHAUSTED`.
    let status: String?
    /// `reason` of each entry of `errors` and `details`.
    let reasons: [String]

    /// `nil` when the document is no error.
    init?(_ node: JSONNode) {
        guard let error = node["error"], error.isObject else { return nil }
        code = error["code"]?.int
        status = error["status"]?.string
        reasons = error.list("errors") { $0["reason"]?.string } + error.list("details") { $0["reason"]?.string }
    }

    /// Whether the calls of a day or minute are used up, whatever the status code says.
    var isQuota: Bool {
        status == "RESOURCE_EXHAUSTED" || reasons.contains { Self.quotaReasons.contains($0) }
    }

    /// The failure as an error of a body that arrived with status 200.
    var bodyError: ProviderBodyError {
        isQuota
            ? .quotaExhausted(.googleBooks)
            : .refused(.googleBooks, reason: reasons.first ?? status ?? "error \(code ?? 0)")
    }
}
