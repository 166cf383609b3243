import NIOConcurrencyHelpers

/// What happened, in order, for a test that waits for it.
struct Mailbox<Event: Sendable>: Sendable {
    private let stream: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func post(_ event: Event) {
        continuation.yield(event)
    }

    /// The next `count` events.
    func take(_ count: Int) async -> [Event] {
        var events: [Event] = []
        for await event in stream {
            events.append(event)
            if events.count == count { break }
        }
        return events
    }
}
