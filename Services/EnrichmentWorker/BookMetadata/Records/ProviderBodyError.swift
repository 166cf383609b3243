package import BookstrackContract

/// Why the body of a provider's answer could not be used.
package enum ProviderBodyError: Error, Hashable, Sendable {
    /// Not the JSON document that this provider sends.
    case malformed(DataProvider)
    /// The provider's quota is used up; a later call may succeed.
    case quotaExhausted(DataProvider)
    /// The provider answered with an error document.
    case refused(DataProvider, reason: String)
}
