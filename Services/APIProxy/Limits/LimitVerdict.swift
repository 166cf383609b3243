import BookstrackContract
import HTTPTypes

/// What the limits say about one request; of those that applied, the tightest speaks (http-api.md "Rate limits").
struct LimitVerdict: Sendable, Equatable {
    var isAdmitted: Bool
    var limit: RateLimit
    /// Requests that are left now.
    var remaining: Int
    /// Milliseconds until `remaining` next grows by itself.
    var untilRoom: Int64

    /// Seconds until `remaining` next grows, at least one.
    var retryAfter: Int { max(1, Int((untilRoom + 999) / 1_000)) }
}

extension LimitVerdict: Comparable {
    /// How a window stands under its limit.
    init(_ limit: RateLimit, _ window: SlidingWindow, isAdmitted: Bool, at now: Int64) {
        self.init(
            isAdmitted: isAdmitted, limit: limit, remaining: max(0, limit.requests - window.total),
            untilRoom: max(0, (window.nextRoom(limit.period) ?? now) - now))
    }

    /// Orders by tightness: fewer left is tighter, then the longer wait.
    static func < (lhs: Self, rhs: Self) -> Bool {
        lhs.remaining == rhs.remaining ? lhs.untilRoom < rhs.untilRoom : lhs.remaining > rhs.remaining
    }
}

extension LimitVerdict {
    /// `X-RateLimit-*`; the reset is in Unix seconds (http-api.md "Rate limits").
    func fields(unixTime: Int64) -> HTTPFields {
        [
            Self.limitField: "\(limit.requests)", Self.remainingField: "\(remaining)",
            Self.resetField: "\(unixTime + Int64(retryAfter))",
        ]
    }

    private static let limitField = HTTPField.Name.known("X-RateLimit-Limit")
    private static let remainingField = HTTPField.Name.known("X-RateLimit-Remaining")
    private static let resetField = HTTPField.Name.known("X-RateLimit-Reset")

    /// The 429 of http-api.md "Rate limits".
    var refusal: APIFailure {
        let unit = retryAfter == 1 ? "second" : "seconds"
        return APIFailure(
            .rateLimitExceeded, "Rate limit exceeded. Try again in \(retryAfter) \(unit).",
            details: [
                "retryAfter": .integer(retryAfter), "limit": .integer(limit.requests), "window": .text(limit.window),
            ], retryAfter: retryAfter)
    }
}
