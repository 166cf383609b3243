/// The redirects of one call: says of each target whether it is followed, and with what (metadata.md "Providers").
///
/// Redirects are followed here and not by libcurl, so that every hop is checked by the same rule, one to the provider's own origin takes
/// its turn in the provider's budget, and credentials go nowhere else.
package struct RedirectChain: Hashable, Sendable {
    /// A request that may be made.
    package struct Hop: Hashable, Sendable {
        /// The absolute URL.
        package let url: String
        /// The rule for its scheme and address.
        package let trust: HopTrust

        /// Keys travel to the configured origin and nowhere else.
        package var carriesCredential: Bool { trust == .configured }
    }

    private let base: Origin
    private let limit: Int
    private let secret: String?
    private let hosts: RedirectHosts
    private var followed = 0

    /// - Parameters:
    ///   - base: the configured base URL's origin.
    ///   - secret: the call's key, plain or as it appears in URLs; a target elsewhere that repeats it in any encoding is refused.
    ///   - hosts: where else redirects may lead; default anywhere.
    ///   - limit: the most redirects of one call.
    package init(base: Origin, secret: String?, hosts: RedirectHosts = .any, limit: Int = 3) {
        self.base = base
        self.secret = secret
        self.hosts = hosts
        self.limit = limit
    }

    /// Judges the next target.
    /// - Parameter target: the absolute URL, resolved against the URL that answered.
    package mutating func follow(_ target: String) -> Result<Hop, RedirectRefusal> {
        guard followed < limit else { return .failure(.tooMany) }
        guard let origin = Origin(url: target) else { return .failure(.malformed) }
        followed += 1
        guard origin != base else { return .success(Hop(url: target, trust: .configured)) }
        guard origin.scheme == "https" else { return .failure(.insecure) }
        guard hosts.admits(origin.host) else { return .failure(.foreignHost) }
        if let secret, PercentEncoding.mayHide(secret, in: target) { return .failure(.leaksCredential) }
        return .success(Hop(url: target, trust: .foreign))
    }
}
