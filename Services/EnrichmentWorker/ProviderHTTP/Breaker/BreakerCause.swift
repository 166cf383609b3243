/// Why a circuit breaker opened.
package enum BreakerCause: String, Hashable, Sendable {
    /// Too many failed calls in a row.
    case failures
    /// The provider's quota is used up.
    case quota
}
