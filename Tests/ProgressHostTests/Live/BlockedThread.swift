import Dispatch

/// Holds whichever thread blocks on it until it is opened.
struct BlockedThread: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let blocked: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() { (blocked, signal) = AsyncStream<Void>.makeStream() }

    func block() {
        signal.finish()
        gate.wait()
    }

    /// Returns once a thread is held.
    func isBlocked() async {
        for await _ in blocked {}
    }

    func open() { gate.signal() }
}
