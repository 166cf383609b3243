package import Foundation

/// How one provider is called.
package struct ProviderConfiguration: Sendable {
    /// The provider's name in logs, metrics and the budget store, for example `openlibrary`.
    package var name: String
    /// Where its requests go.
    package var baseURL: BaseURL
    /// Its key; default none.
    package var credential: ProviderCredential
    /// What the query of every request ends with, encoded, for example `country=US`; default nothing.
    package var commonQuery: String
    /// The time-outs of each attempt, redirects included; default 2, 5 and 10 s.
    package var timeouts: TransferTimeouts
    /// Default: at most 2 retries.
    package var retry: CallRetryPolicy
    /// Default: 5 failures, 10 s, 60 s to 1 h.
    package var breaker: BreakerPolicy
    /// The most redirects of an attempt; default 3.
    package var redirectLimit: Int
    /// Where redirects may lead besides the base URL's origin; default ``RedirectHosts/any``.
    package var redirectHosts: RedirectHosts
    /// Reads the body of an answer with a status of 400 and above; default ``ProviderVerdict/ordinary``.
    package var judge: @Sendable (_ status: Int, _ body: Data) -> ProviderVerdict

    package init(
        name: String, baseURL: BaseURL, credential: ProviderCredential = .none, commonQuery: String = "",
        timeouts: TransferTimeouts = .init(), retry: CallRetryPolicy = .init(), breaker: BreakerPolicy = .init(),
        redirectLimit: Int = 3,
        redirectHosts: RedirectHosts = .any,
        judge: @escaping @Sendable (_ status: Int, _ body: Data) -> ProviderVerdict = { _, _ in .ordinary }
    ) {
        self.name = name
        self.baseURL = baseURL
        self.credential = credential
        self.commonQuery = commonQuery
        self.timeouts = timeouts
        self.retry = retry
        self.breaker = breaker
        self.redirectLimit = redirectLimit
        self.redirectHosts = redirectHosts
        self.judge = judge
    }

    /// The address of a request, with what every request carries and the key.
    /// - Returns: nil when `path` is not encoded or does not begin with `/`.
    func url(path: String) -> String? {
        let separator = path.contains("?") ? "&" : "?"
        return baseURL.url(path: credential.path(commonQuery.isEmpty ? path : path + separator + commonQuery))
    }
}

/// A provider's key, sent to the configured origin only.
package enum ProviderCredential: Hashable, Sendable {
    /// No key.
    case none
    /// A header of its own.
    case header(HeaderField)
    /// A query parameter, both parts already percent-encoded.
    case query(name: String, value: String)

    /// The key as it would appear in a URL or header.
    var secret: String? {
        switch self {
        case .none: nil
        case .header(let field): field.value.isEmpty ? nil : field.value
        case .query(_, let value): value.isEmpty ? nil : value
        }
    }

    /// The headers that carry it.
    var headers: [HeaderField] {
        if case .header(let field) = self { [field] } else { [] }
    }

    /// The path and query with it.
    func path(_ path: String) -> String {
        guard case .query(let name, let value) = self else { return path }
        return "\(path)\(path.contains("?") ? "&" : "?")\(name)=\(value)"
    }
}

/// What a provider's error body means, as read by the caller that knows the provider.
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

/// How long an exhausted quota stays exhausted.
package enum QuotaScope: Hashable, Sendable {
    /// Until the provider's day ends: the breaker stays open until the daily budget's reset. Without a daily budget the same as
    /// ``unknown``.
    case day
    /// Not said: the breaker probes after 60 s, doubling to 1 h.
    case unknown
}

/// A provider's configured base URL: an `http` or `https` origin and a path prefix, without query and fragment.
package struct BaseURL: Hashable, Sendable, CustomStringConvertible {
    /// Where the provider's own requests go.
    package let origin: Origin
    private let prefix: String

    package var description: String { prefix }

    /// - Returns: nil for any other text. A `/` at the end is dropped.
    package init?(_ text: String) {
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !"?#".utf8.contains($0) }),
            let origin = Origin(url: text)
        else { return nil }
        self.origin = origin
        prefix = String(text.reversed().drop { $0 == "/" }.reversed())
    }

    /// The URL of a path and query below this base.
    /// - Returns: nil when `path` does not begin with `/`, is not encoded (visible ASCII) or has a fragment.
    package func url(path: String) -> String? {
        guard path.utf8.first == UInt8(ascii: "/"),
            path.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "#") })
        else { return nil }
        return prefix + path
    }
}
