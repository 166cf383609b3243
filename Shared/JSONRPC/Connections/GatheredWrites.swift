import NIOConcurrencyHelpers

/// What a thread that is no event loop has to say to its peers, gathered and then written by that thread itself.
///
/// To wake an event loop costs more than to write a frame, and the frame waits meanwhile. A thread that says several things at once gathers
/// them, so that each peer still gets them in one write. What the kernel does not take at once is left to the event loop.
package final class GatheredWrites: Sendable {
    private struct State {
        var connections: [RPCConnection] = []
        var isOver = false
    }

    @TaskLocal static var current: GatheredWrites?

    private let state = NIOLockedValueBox(State())

    private init() {}

    /// Runs `body`, and then writes what it has sent on any connection.
    package static func write(after body: () -> Void) {
        let writes = GatheredWrites()
        $current.withValue(writes, operation: body)
        for connection in writes.end() { connection.writeDirectly() }
    }

    /// Takes a connection on which something waits; false when it is too late, as for a task that was started meanwhile and goes on.
    func add(_ connection: RPCConnection) -> Bool {
        state.withLockedValue { state in
            guard !state.isOver else { return false }
            state.connections.append(connection)
            return true
        }
    }

    private func end() -> [RPCConnection] {
        state.withLockedValue { state in
            state.isOver = true
            return state.connections
        }
    }
}
