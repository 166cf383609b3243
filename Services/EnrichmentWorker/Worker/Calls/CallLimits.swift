import BookstrackContract

/// How many calls may be in flight.
struct CallLimits: Sendable {
    /// Calls that a job takes part in (spec/05 "10 provider calls in flight by default").
    var perJob = 10
    /// Calls to one provider.
    var perProvider = 32
    /// Calls on behalf of interactive jobs that go beyond a provider's limit.
    var interactiveExtra = 8
}
