/// The limits of one client: the hourly one for everything, and that of the request's class (spec/02 "Rate limits").
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
