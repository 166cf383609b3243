import JSONRPC

/// What an operator does to a provider of one worker. Answered by enrichment-worker; nothing but the day's count outlives the process.
///
/// Application errors: `NOT_FOUND` for a provider that the worker does not ask, `INVALID_REQUEST` for an action that the provider does not
/// have, `SERVICE_UNAVAILABLE`.
package enum OperateProvider: RPCMethod {
    package static let name = "providers.operate"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(5)
    /// Maximum characters of a key.
    package static let maxKeyLength = 500
    /// Maximum requests of one ``Action/allow``.
    package static let maxRequests = 1_000_000

    /// The actions, as they are named in the audit log.
    package enum Action: String, Codable, Sendable, CaseIterable {
        /// Calls pass again at once, instead of after the breaker's pause.
        case resume
        /// The day's budget gets further requests, at most up to its limit. All workers on one data directory share the budget.
        case allow
        /// Another key is used until the worker's next start.
        case useKey
    }

    package struct Parameters: Codable, Sendable {
        /// Name of the provider, as in metrics.
        package var provider: String
        package var action: Action
        /// Of ``Action/allow`` only, from 1 to ``OperateProvider/maxRequests``.
        package var requests: Int?
        /// Of ``Action/useKey`` only. Secret: neither logged nor published to `bookstrack tail`.
        package var key: String?

        package init(provider: String, action: Action, requests: Int? = nil, key: String? = nil) {
            self.provider = provider
            self.action = action
            self.requests = requests
            self.key = key
        }
    }

    package struct Result: Codable, Sendable, Equatable {
        /// What was done, as a sentence without a full stop.
        package var outcome: String

        package init(outcome: String) { self.outcome = outcome }
    }
}
