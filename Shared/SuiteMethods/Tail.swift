import JSONRPC
package import NIOCore
package import Observability

/// Follows the events of a service: the response identifies the service, and `TailEvents` notifications deliver the events until the connection ends
/// (command-line.md "tail"). Answered by every service. A second subscription on the same connection replaces the first.
///
/// Application errors: `TOO_MANY_FOLLOWERS`.
package enum SubscribeToTail: RPCMethod {
    package static let name = "tail.subscribe"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)

    /// The follower's filter and starting point.
    package struct Parameters: Codable, Sendable {
        /// Which events are sent.
        package var filter: TailFilter
        /// Past events to begin with; nil for none.
        package var replay: Replay?

        package init(filter: TailFilter, replay: Replay?) {
            self.filter = filter
            self.replay = replay
        }
    }

    /// Which of the stored events are sent first; routine events are never among them. If both limits are specified, both apply.
    package struct Replay: Codable, Sendable {
        /// Only events that ended at or after this time, in milliseconds since 1970; nil for all.
        package var since: Int64?
        /// Only this many of the newest matching events; nil for all.
        package var last: Int?

        package init(since: Int64? = nil, last: Int? = nil) {
            self.since = since
            self.last = last
        }
    }

    /// The followed service.
    package struct Result: Codable, Sendable {
        /// The responding service.
        package var service: ServiceName
        /// Version of the program.
        package var version: String
        /// Process identifier, which changes when the service restarts.
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
        /// Number of omitted events: the follower was too slow to receive them, or they are too large.
        package var dropped: Int

        package init(events: [TailEvent], dropped: Int) {
            self.events = events
            self.dropped = dropped
        }
    }
}

/// The parameters of `TailEvents`, assembled from events that are already JSON, because many followers receive the same events.
package struct TailPage: Sendable {
    /// Number of event bytes at which a page counts as full.
    package static let bytes = 128 << 10

    private var events = ByteBuffer()
    /// Number of omitted events.
    package var dropped: Int

    /// Creates a page without events.
    package init(dropped: Int) { self.dropped = dropped }

    /// Whether there is nothing to report.
    package var isEmpty: Bool { events.readableBytes == 0 && dropped == 0 }
    /// Whether the page should be sent now.
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
