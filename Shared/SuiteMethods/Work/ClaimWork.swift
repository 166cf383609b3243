import JSONRPC

/// Asks for items; answered when there is at least one, or with none after `waitMilliseconds`.
///
/// One claim of each scope may wait on a connection. A second one of the same scope takes the place of the first, which is answered with
/// nothing.
///
/// Items come by priority, and within one round robin by client and then by job. A lease ends when the item is recorded or released, when the connection
/// closes, or after two minutes.
package enum ClaimWork: RPCMethod {
    package static let name = "work.claim"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(40)

    /// What a claim asks for. What is done later has claims of its own, so that it never takes the place of first look-ups.
    package enum Scope: String, Codable, Sendable, CaseIterable {
        case firstLookups
        /// First look-ups of interactive jobs only: what a worker asks for with the room that it keeps for them.
        case interactive
        /// Follow-ups and background retries.
        case later
    }

    package struct Parameters: Codable, Sendable {
        /// At most this many items, 1 to 500.
        package var limit: Int
        /// At most this many items of one job that are leased at once, first look-ups and what is done later each for itself.
        package var perJob: Int
        /// How long the answer may wait for work, up to 30 000.
        package var waitMilliseconds: Int
        package var scope: Scope

        package init(limit: Int, perJob: Int, waitMilliseconds: Int, scope: Scope) {
            self.limit = limit
            self.perJob = perJob
            self.waitMilliseconds = waitMilliseconds
            self.scope = scope
        }
    }

    package struct Result: Codable, Sendable {
        /// At most as many as asked for; each is leased.
        package var items: [ClaimedItem]

        package init(items: [ClaimedItem]) { self.items = items }
    }
}
