import JSONRPC
package import Observability

/// Follows what a service does: the answer says who it is, `TailEvents` bring the rest until the connection ends (spec/06 "Logs and tail").
/// Answered by every service. Another subscription on the same connection takes the place of the first.
package enum SubscribeToTail: RPCMethod {
    package static let name = "tail.subscribe"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)

    package struct Parameters: Codable, Sendable {
        package var filter: TailFilter
        /// Events of the past to begin with; none when nil.
        package var replay: Replay?

        package init(filter: TailFilter, replay: Replay?) {
            self.filter = filter
            self.replay = replay
        }
    }

    /// Which of the kept events come first. Of both bounds the tighter one holds.
    package struct Replay: Codable, Sendable {
        /// Those that ended at this time or later, in milliseconds since 1970.
        package var since: Int64?
        /// At most so many of those that match, the newest ones.
        package var last: Int?

        package init(since: Int64? = nil, last: Int? = nil) {
            self.since = since
            self.last = last
        }
    }

    package struct Result: Codable, Sendable {
        package var service: ServiceName
        package var version: String
        package var pid: Int32

        package init(service: ServiceName, version: String, pid: Int32) {
            self.service = service
            self.version = version
            self.pid = pid
        }
    }
}

/// Events for a follower, oldest first.
package enum TailEvents: RPCNotification {
    package static let name = "tail.events"

    package struct Parameters: Codable, Sendable {
        package var events: [TailEvent]
        /// How many events before these were lost because the follower was too slow.
        package var dropped: Int

        package init(events: [TailEvent], dropped: Int) {
            self.events = events
            self.dropped = dropped
        }
    }
}
