/// One GET to one URL, or a POST where there is a body. Redirects are not followed; ``RedirectChain`` judges them.
package struct TransferRequest: Hashable, Sendable {
    /// The absolute URL.
    package var url: String
    /// Headers beside `User-Agent`, `Accept-Encoding` and `Host`, which the engine sets.
    package var headers: [HeaderField]
    /// What is posted, as JSON; nil for a GET.
    package var body: String?
    /// The rule for the URL's scheme and address.
    package var trust: HopTrust
    /// The spans of this transfer.
    package var timeouts: TransferTimeouts
    /// When the answer is of no use any more, time in the queue included; nil leaves ``TransferTimeouts/total`` for the
    /// queue and as much again for the transfer.
    package var deadline: ContinuousClock.Instant?

    package init(
        url: String, headers: [HeaderField] = [], body: String? = nil, trust: HopTrust = .configured,
        timeouts: TransferTimeouts = .init(), deadline: ContinuousClock.Instant? = nil
    ) {
        self.url = url
        self.headers = headers
        self.body = body
        self.trust = trust
        self.timeouts = timeouts
        self.deadline = deadline
    }
}
