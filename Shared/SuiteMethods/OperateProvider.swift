import JSONRPC

/// An operator's action on a provider of one worker. Answered by enrichment-worker. Only the effect of ``Action/allow`` outlives the process.
///
/// Application errors: `NOT_FOUND` for a provider that the worker does not query; `INVALID_REQUEST` for an action that the provider does not support
/// or for an invalid number or key; `SERVICE_UNAVAILABLE` if the budget cannot be stored.
package enum OperateProvider: RPCMethod {
    package static let name = "providers.operate"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(5)
    /// Maximum length of a key in characters.
    package static let maxKeyLength = 500
    /// Maximum number of requests that one ``Action/allow`` adds.
    package static let maxRequests = 1_000_000

    /// The actions, under their names in the audit log, where the number of requests follows `allow`.
    package enum Action: String, Codable, Sendable, CaseIterable {
        /// Resumes calls immediately instead of after the breaker's pause.
        case resume
        /// Makes more requests available today, up to the full daily budget. All workers with the same data directory share the budget.
        case allow
        /// Uses another key until the worker restarts, and resumes calls.
        case useKey
    }

    package struct Parameters: Codable, Sendable {
        /// Name of the provider, as in metrics.
        package var provider: String
        package var action: Action
        /// Number of requests to allow, from 1 to ``OperateProvider/maxRequests``; only for ``Action/allow``.
        package var requests: Int?
        /// The new key, only for ``Action/useKey``. It is secret: it is neither logged nor published to `bookstrack tail`.
        package var key: String?

        package init(provider: String, action: Action, requests: Int? = nil, key: String? = nil) {
            self.provider = provider
            self.action = action
            self.requests = requests
            self.key = key
        }
    }

    package struct Result: Codable, Sendable, Equatable {
        /// The outcome in a few words, without a period, for example "Calls have resumed".
        package var outcome: String

        package init(outcome: String) { self.outcome = outcome }
    }
}
