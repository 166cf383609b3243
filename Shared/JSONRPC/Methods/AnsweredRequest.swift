package import Observability

/// A request and what became of it.
package struct AnsweredRequest: Sendable {
    /// How a request ended, from its caller's view.
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
    /// Who asked.
    package var peer: PeerCredentials
    /// How it ended.
    package var outcome: Outcome
    /// What was noted meanwhile, and since when it runs.
    package var activity: Activity
}
