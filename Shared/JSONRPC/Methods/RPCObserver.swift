package import Observability

/// Sees every request that this process answered, whoever asked (spec/06 "Logs and tail", "Metrics"), also those that
/// no handler got, such as of an unknown method. Notifications and pings are left out.
package protocol RPCObserver: Sendable {
    /// Called once per request, on any thread, when its answer is written or its caller is gone; must not block.
    func answered(_ request: AnsweredRequest)
}

/// A request and what became of it.
package struct AnsweredRequest: Sendable {
    package enum Outcome: Sendable, Equatable {
        case succeeded
        /// An error that the caller was meant to see: its application code, or the number that JSON-RPC gives it.
        case refused(code: String)
        /// An error that is this program's own.
        case failed
        /// The caller cancelled, or its connection ended.
        case abandoned
    }

    /// As the peer named it, its first 128 characters.
    package var method: String
    package var peer: PeerCredentials
    package var outcome: Outcome
    /// What was noted meanwhile, and since when it runs.
    package var activity: Activity
}
