import JSONRPC

/// Asks for items; answered when there is at least one, or with none after `waitMilliseconds`.
///
/// Two claims of one connection may wait at once: one for everything and one for interactive items only. A second one of the same
/// scope takes the place of the first, which is answered with nothing.
///
/// Items come round robin by job within a class. A lease ends when the item is recorded or released, when the connection
/// closes, or after two minutes.
package enum ClaimWork: RPCMethod {
    package static let name = "work.claim"
    package static let isIdempotent = false
    package static let deadline = Duration.seconds(40)

    package struct Parameters: Codable, Sendable {
        /// At most this many items, 1 to 500.
        package var limit: Int
        /// At most this many items of one job that are leased at once, over all claims of this connection.
        package var perJob: Int
        /// How long the answer may wait for work, up to 30 000.
        package var waitMilliseconds: Int
        /// First look-ups of interactive jobs only: what a worker asks for with the room that it keeps for them.
        package var interactiveOnly: Bool

        package init(limit: Int, perJob: Int, waitMilliseconds: Int, interactiveOnly: Bool) {
            self.limit = limit
            self.perJob = perJob
            self.waitMilliseconds = waitMilliseconds
            self.interactiveOnly = interactiveOnly
        }
    }

    package struct Result: Codable, Sendable {
        /// At most as many as asked for; each is leased.
        package var items: [ClaimedItem]

        package init(items: [ClaimedItem]) { self.items = items }
    }
}
