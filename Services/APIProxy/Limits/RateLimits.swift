/// The limits of one client: the hourly one for everything, and that of the request's class (http-api.md "Rate limits").
struct RateLimits: Sendable, Equatable {
    /// For all requests that count.
    var hourly = RateLimit(requests: 1_000, period: .hour)
    /// The burst limit, for what has no limit of its own.
    var ordinary = RateLimit(requests: 50, period: .minute)
    var searches = RateLimit(requests: 100, period: .minute)
    var starts = RateLimit(requests: 10, period: .minute)
    var jobReads = RateLimit(requests: 240, period: .minute)

    /// The limit of a class, besides the hourly one; nil when the class is not counted.
    subscript(requestClass: RequestClass) -> RateLimit? {
        switch requestClass {
        case .exempt: nil
        case .ordinary: ordinary
        case .search: searches
        case .start: starts
        case .jobReading: jobReads
        }
    }
}

/// So many requests in any period of this length.
struct RateLimit: Sendable, Equatable {
    /// The lengths that limits have (http-api.md "Rate limits").
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

/// What kind of request a route takes, as far as limits tell them apart (http-api.md "Rate limits").
enum RequestClass: String, Sendable, CaseIterable {
    /// Not counted: health and the progress socket, which has limits of its own.
    case exempt
    /// Everything else, including unknown paths.
    case ordinary
    case search
    /// Starts of batch enrichments.
    case start
    /// A job's state and results.
    case jobReading = "job_reading"
}
