/// Why a redirect was not followed.
package enum RedirectRefusal: String, Error, Hashable, Sendable, CaseIterable {
    /// More redirects than allowed (3, metadata.md "Providers").
    case tooMany = "too_many"
    /// The target is not a plain `http` or `https` URL.
    case malformed
    /// The target is `http` and not the configured base URL's origin.
    case insecure
    /// The target is on none of the hosts that redirects may lead to.
    case foreignHost = "foreign_host"
    /// The target's name resolves to an address that is not public.
    case privateAddress = "private_address"
    /// The target on another host repeats the call's key.
    case leaksCredential = "leaks_credential"
}
