package import NIOCore

/// The parameters of `TailEvents`, put together from events that are JSON already: many followers get the same ones.
package struct TailPage: Sendable {
    /// At least so many bytes of events go in one notification, if there are as many.
    package static let bytes = 128 << 10

    private var events = ByteBuffer()
    /// How many events before these were lost.
    package var dropped: Int

    /// An empty page.
    package init(dropped: Int) { self.dropped = dropped }

    /// Whether there is nothing to tell.
    package var isEmpty: Bool { events.readableBytes == 0 && dropped == 0 }
    /// Whether it is time to send it.
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
