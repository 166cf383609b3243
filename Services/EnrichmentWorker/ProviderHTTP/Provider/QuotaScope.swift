/// How long an exhausted quota stays exhausted.
package enum QuotaScope: Hashable, Sendable {
    /// Until the provider's day ends: the breaker stays open until the daily budget's reset. Without a daily budget the same as
    /// ``unknown``.
    case day
    /// Not said: the breaker probes after 60 s, doubling to 1 h.
    case unknown
}
