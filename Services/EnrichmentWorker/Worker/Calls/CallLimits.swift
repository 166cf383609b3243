/// How many calls may be in flight.
struct CallLimits: Sendable {
    /// Calls that a job or a search takes part in (spec/05 "10 provider calls in flight by default").
    var perParty = 10
    /// Calls to one provider.
    var perProvider = 32
    /// Calls on behalf of interactive jobs and searches that go beyond a provider's limit.
    var interactiveExtra = 8
}
