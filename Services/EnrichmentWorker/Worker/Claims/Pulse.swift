/// Wakes one loop; signals that come while it works are remembered as one.
struct Pulse: Sendable {
    private let continuation: AsyncStream<Void>.Continuation
    /// Has an element per wake; for one reader.
    let wakes: AsyncStream<Void>

    init() { (wakes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func signal() { continuation.yield() }

    /// Ends the loop.
    func finish() { continuation.finish() }
}
