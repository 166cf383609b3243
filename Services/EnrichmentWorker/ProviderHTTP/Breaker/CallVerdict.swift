/// What a finished call says about its provider's health.
package enum CallVerdict: Hashable, Sendable {
    /// The provider answered, be it with a refusal of this one request.
    case healthy
    /// The provider did not do its work: time-out, broken connection, 429, 5xx.
    case failed
    /// The quota is used up, until `reset` where that is known.
    case quotaExhausted(reset: MonotonicInstant?)
    /// Every call is refused until a setting is corrected.
    case refused(LastingRefusal)
    /// The call ended before anything could be learnt.
    case abandoned
}
