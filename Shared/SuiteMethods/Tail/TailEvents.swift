import JSONRPC
package import Observability

/// Events for a follower, oldest first.
package enum TailEvents: RPCNotification {
    package static let name = "tail.events"

    /// A page of events.
    package struct Parameters: Codable, Sendable {
        /// Those that the follower's filter admits.
        package var events: [TailEvent]
        /// How many events before these were lost because the follower was too slow.
        package var dropped: Int

        package init(events: [TailEvent], dropped: Int) {
            self.events = events
            self.dropped = dropped
        }
    }
}
