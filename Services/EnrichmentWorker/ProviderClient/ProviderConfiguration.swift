package import Foundation
package import Transfer

/// How a provider is called.
package struct ProviderConfiguration: Sendable {
    /// The provider's name in logs, metrics and the budget store, for example `openlibrary`.
    package var name: String
    /// The URL to which a call's path is appended.
    package var baseURL: BaseURL
    /// The Unix socket to use instead of the base URL's host; default none.
    package var server: LocalServer?
    /// Whether ``server`` may be missing: as long as its socket file does not exist, the provider counts as not configured; default false.
    package var isOptional = false
    /// Path, below the base URL, that ``ProviderClient/probe()`` requests; default the base URL itself.
    package var healthPath: String?
    /// The provider's key, until ``ProviderClient/use(key:)`` replaces it; default none.
    package var credential: ProviderCredential
    /// Query parameters that are added to the path of every call, percent-encoded, for example `country=US`; default empty.
    package var commonQuery: String
    /// The timeouts of each request; `total` also limits all requests of an attempt, including redirects, together. By default 2 s to connect, 5 s
    /// until the first byte, and 10 s in total.
    package var timeouts: TransferTimeouts
    /// The retries of a call; default at most 2.
    package var retry: CallRetryPolicy
    /// When the circuit breaker opens, and for how long.
    package var breaker: BreakerPolicy
    /// Maximum number of redirects per attempt; default 3.
    package var redirectLimit: Int
    /// Where redirects may lead apart from the base URL's origin; default ``RedirectHosts/any``.
    package var redirectHosts: RedirectHosts
    /// Maximum size of a response in bytes; default ``TransferLimits/bodyBytes``.
    package var answerLimit: Int?
    /// Interprets a response with a status of 400 or above; default ``ProviderVerdict/ordinary``.
    package var judge: @Sendable (_ status: Int, _ body: Data) -> ProviderVerdict

    package init(
        name: String, baseURL: BaseURL, server: LocalServer? = nil, healthPath: String? = nil,
        credential: ProviderCredential = .none, commonQuery: String = "",
        timeouts: TransferTimeouts = .init(), retry: CallRetryPolicy = .init(), breaker: BreakerPolicy = .init(),
        redirectLimit: Int = 3,
        redirectHosts: RedirectHosts = .any, answerLimit: Int? = nil,
        judge: @escaping @Sendable (_ status: Int, _ body: Data) -> ProviderVerdict = { _, _ in .ordinary }
    ) {
        self.name = name
        self.baseURL = baseURL
        self.server = server
        self.healthPath = healthPath
        self.credential = credential
        self.commonQuery = commonQuery
        self.timeouts = timeouts
        self.retry = retry
        self.breaker = breaker
        self.redirectLimit = redirectLimit
        self.redirectHosts = redirectHosts
        self.answerLimit = answerLimit
        self.judge = judge
    }

    /// The URL of a request, including ``commonQuery`` and a key that is sent in the query.
    /// - Parameter credential: The current key, which an operator may have replaced.
    /// - Returns: nil if ``BaseURL/url(path:)`` does not accept the path.
    func url(path: String, credential: ProviderCredential) -> String? {
        let separator = path.contains("?") ? "&" : "?"
        return baseURL.url(path: credential.path(commonQuery.isEmpty ? path : path + separator + commonQuery))
    }
}

/// A provider's key, sent only to the configured origin.
package enum ProviderCredential: Hashable, Sendable {
    /// No key.
    case none
    /// A request header that contains the key.
    case header(HeaderField)
    /// A query parameter, with both parts already percent-encoded.
    case query(name: String, value: String)

    /// The key as it would appear in a URL or header; nil if there is none.
    var secret: String? {
        switch self {
        case .none: nil
        case .header(let field): field.value.isEmpty ? nil : field.value
        case .query(_, let value): value.isEmpty ? nil : value
        }
    }

    /// A query parameter with a key, which is percent-encoded here.
    package static func query(_ name: String, key: String) -> ProviderCredential {
        // RFC 3986 §2.3: only unreserved characters are treated in the same way by every encoder.
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        let unreserved = CharacterSet(charactersIn: letters + "0123456789-._~")
        return .query(name: name, value: key.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "")
    }

    /// The credential with a new key; nil if there was no key, or if the new key cannot be sent in this form.
    func replaced(by key: String) -> ProviderCredential? {
        switch self {
        case .none: nil
        case .query(let name, _): .query(name, key: key)
        case .header(let field):
            HeaderField(name: field.name, value: field.value.hasPrefix(Self.bearer) ? Self.bearer + key : key)
                .map(ProviderCredential.header)
        }
    }

    /// The prefix of a bearer token in the `Authorization` header (RFC 6750 §2.1).
    package static let bearer = "Bearer "

    /// The headers that contain the key.
    var headers: [HeaderField] {
        if case .header(let field) = self { [field] } else { [] }
    }

    /// The path and query, with the key if it is a query parameter.
    func path(_ path: String) -> String {
        guard case .query(let name, let value) = self else { return path }
        return "\(path)\(path.contains("?") ? "&" : "?")\(name)=\(value)"
    }
}

/// The meaning of a provider's error body, as interpreted by code specific to the provider.
package enum ProviderVerdict: Hashable, Sendable {
    /// The status determines the meaning: 404 is a usable response, 429 a rate limit, and anything else a failure.
    case ordinary
    /// A usable response despite its status, for example an engine's error that concerns only the photo.
    case answer
    /// The quota is used up, regardless of the status, for example 403 or 429.
    case quotaExhausted(QuotaScope)
    /// The rate is limited for this time, which is stated in the body instead of `Retry-After`.
    case rateLimited(retryAfter: Duration)
    /// Every call is refused until a setting is corrected, regardless of the status.
    case refused(LastingRefusal)
}

/// Time until an exhausted quota is available again.
package enum QuotaScope: Hashable, Sendable {
    /// Until the provider's day ends: the breaker stays open until the daily budget is reset. Without a daily budget, this is the same as
    /// ``unknown``.
    case day
    /// Unknown: the breaker probes after 60 s, doubling up to 1 h.
    case unknown
}
