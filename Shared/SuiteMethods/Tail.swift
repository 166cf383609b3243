import JSONRPC
package import NIOCore
package import Observability

/// Follows the events of a service: the answer identifies the service, and `TailEvents` carry the events until the
/// connection ends (command-line.md "tail"). Answered by every service. Another subscription on the same connection
/// replaces the first.
package enum SubscribeToTail: RPCMethod {
    package static let name = "tail.subscribe"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)

    /// The filter of the follower's events.
    package struct Parameters: Codable, Sendable {
        /// Which events are sent.
        package var filter: TailFilter
        /// Events of the past to begin with; none when nil.
        package var replay: Replay?

        package init(filter: TailFilter, replay: Replay?) {
            self.filter = filter
            self.replay = replay
        }
    }

    /// Which of the kept events come first. If both limits are given, both apply.
    package struct Replay: Codable, Sendable {
        /// Those that ended at this time or later, in milliseconds since 1970.
        package var since: Int64?
        /// At most this many of those that match, the newest ones.
        package var last: Int?

        package init(since: Int64? = nil, last: Int? = nil) {
            self.since = since
            self.last = last
        }
    }

    /// The service that is followed from here on.
    package struct Result: Codable, Sendable {
        /// The service that answers.
        package var service: ServiceName
        /// Version of its program.
        package var version: String
        /// Its process identifier, which changes with a restart.
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

    /// A page of events.
    package struct Parameters: Codable, Sendable {
        /// The events that match the follower's filter.
        package var events: [TailEvent]
        /// How many events before these were lost because the follower was too slow.
        package var dropped: Int

        package init(events: [TailEvent], dropped: Int) {
            self.events = events
            self.dropped = dropped
        }
    }
}

/// The parameters of `TailEvents`, put together from events that are JSON already: many followers get the same ones.
package struct TailPage: Sendable {
    /// At least this many bytes of events go in one notification, if there are as many.
    package static let bytes = 128 << 10

    private var events = ByteBuffer()
    /// How many events before these were lost.
    package var dropped: Int

    /// An empty page.
    package init(dropped: Int) { self.dropped = dropped }

    /// Whether there is nothing to report.
    package var isEmpty: Bool { events.readableBytes == 0 && dropped == 0 }
    /// Whether it should be sent now.
    package var isFull: Bool { events.readableBytes >= Self.bytes }

    /// Adds an event's JSON.
    package mutating func append(_ event: ByteBuffer) {
        if events.readableBytes > 0 { events.writeStaticString(",") }
        events.writeImmutableBuffer(event)
    }

    /// The notification's parameters.
    package var raw: ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(events.readableBytes + 64)
        buffer.writeStaticString("{\"events\":[")
        buffer.writeImmutableBuffer(events)
        buffer.writeString("],\"dropped\":\(dropped)}")
        return buffer
    }
}
