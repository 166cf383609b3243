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
    package var retry: RetryPolicy
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
        timeouts: TransferTimeouts = .init(), retry: RetryPolicy = .init(), breaker: BreakerPolicy = .init(),
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
