import BookstrackContract

/// How many calls may be in flight.
struct CallLimits: Sendable {
    /// Calls that a job takes part in (spec/05 "10 provider calls in flight by default").
    var perJob = 10
    /// Calls to Open Library. Few of them while its rate is limited, so that a request is composed when it can be sent: then
    /// it is full, and in the right order.
    var openLibrary = 32
    /// Calls to Google Books.
    var googleBooks = 32
    /// Calls on behalf of interactive jobs that go beyond a provider's limit.
    var interactiveExtra = 8

    /// The limits, for an Open Library whose rate is limited or not.
    static func polite(isLimited: Bool) -> CallLimits {
        var limits = CallLimits()
        if isLimited { limits.openLibrary = 8 }
        return limits
    }

    func limit(for provider: DataProvider, isInteractive: Bool) -> Int {
        (provider == .googleBooks ? googleBooks : openLibrary) + (isInteractive ? interactiveExtra : 0)
    }
}
