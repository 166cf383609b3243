/// What a provider's error body means, as read by the caller who knows the provider.
package enum ProviderVerdict: Hashable, Sendable {
    /// The status says it: 404 is an answer, 429 a rate limit, the rest a failure.
    case ordinary
    /// An answer in spite of its status, for example a 503 that means "no such volume".
    case answer
    /// The quota is used up, whatever the status (400, 403 and 429 are seen).
    case quotaExhausted(QuotaScope)
    /// Every call is refused until a setting is corrected, whatever the status.
    case refused(LastingRefusal)
}
