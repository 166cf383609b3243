package import JSONRPC

/// Asks every provider's base address once, past budget and breaker and without a key, whether it can be reached (`bookstrack doctor`).
/// Answered by enrichment-worker, which has the HTTP client; callers at the same time share one round.
package enum ProbeProviders: RPCMethod {
    package typealias Parameters = Nothing
    package static let name = "providers.probe"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(15)

    package struct Result: Codable, Sendable, Equatable {
        /// In the order in which the worker asks them.
        package var providers: [Probe]

        package init(providers: [Probe]) { self.providers = providers }
    }

    /// What one provider did.
    package struct Probe: Codable, Sendable, Equatable {
        /// Name of the provider, as in metrics.
        package var provider: String
        /// The address that was asked.
        package var address: String
        /// From the request to the answer, or to the failure.
        package var milliseconds: Int
        /// The HTTP status; any is an answer. Nil when there was none.
        package var status: Int?
        /// Why there was none, in words.
        package var failure: String?
        /// What was wrong with the connection: dns, unreachable, tls, proxy or connection; nil for other failures.
        package var cause: String?

        package init(provider: String, address: String, milliseconds: Int, status: Int?, failure: String?) {
            self.provider = provider
            self.address = address
            self.milliseconds = milliseconds
            self.status = status
            self.failure = failure
        }
    }
}
