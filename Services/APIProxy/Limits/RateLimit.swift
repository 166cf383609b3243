/// So many requests in any period of this length.
struct RateLimit: Sendable, Equatable {
    /// The lengths that limits have (contract §3.2).
    enum Period: String, Sendable {
        case minute
        case hour

        /// Milliseconds.
        var milliseconds: Int64 {
            switch self {
            case .minute: 60_000
            case .hour: 3_600_000
            }
        }
    }

    var requests: Int
    var period: Period

    /// The period in the words of `details.window`.
    var window: String { "1 \(period.rawValue)" }
}
