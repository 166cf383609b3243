import BookstrackContract

/// The error body of Google's APIs.
struct GoogleErrorDocument: Decodable {
    let error: Failure

    struct Failure: Decodable {
        let code: Int?
        /// For example `RESOURCE_EXHAUSTED`.
        let status: String?
        /// `reason` of each entry of `errors` and `details`.
        let reasons: [String]

        private enum CodingKeys: CodingKey {
            case code, status, errors, details
        }

        private struct Entry: Decodable {
            let reason: String
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            code = fields.lenient(.code)
            status = fields.lenient(.status)
            reasons = (fields.list(.errors, of: Entry.self) + fields.list(.details, of: Entry.self)).map(\.reason)
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

        private static let quotaReasons: Set<String> = [
            "rateLimitExceeded", "userRateLimitExceeded", "dailyLimitExceeded", "dailyLimitExceededUnreg",
            "quotaExceeded", "limitExceeded", "concurrentLimitExceeded", "RATE_LIMIT_EXCEEDED", "QUOTA_EXCEEDED",
        ]
    }
}
