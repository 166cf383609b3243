import Dispatch
import NIOCore

/// Holds an event loop's thread until it is opened.
struct BlockedEventLoop: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let blocked: AsyncStream<Void>

    init(_ eventLoop: any EventLoop) {
        let (blocked, signal) = AsyncStream<Void>.makeStream()
        self.blocked = blocked
        eventLoop.execute { [gate] in
            signal.finish()
            gate.wait()
        }
    }

    /// Returns once the thread is held.
    func isBlocked() async {
        for await _ in blocked {}
    }

    func open() { gate.signal() }
}
