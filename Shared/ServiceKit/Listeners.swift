package import Logging
import NIOConcurrencyHelpers

/// Tracks which of a process's own sockets are listening. Once all announced sockets are listening, the process is ready (systemd.md).
///
/// ```swift
/// let admin = context.listeners.announce("admin")   // while the services are built
/// admin.listens(at: "127.0.0.1:9787")               // when the socket listens
/// ```
package final class Listeners: Sendable {
    private struct State {
        var waiting: Set<String> = []
        var isComplete = false
        var isReady = false

        /// Returns true only once: when all announced sockets are listening and no more will be announced.
        mutating func becomesReady() -> Bool {
            guard isComplete, waiting.isEmpty, !isReady else { return false }
            isReady = true
            return true
        }
    }

    private let state = NIOLockedValueBox(State())
    private let logger: Logger
    private let onReady: @Sendable () -> Void

    /// Creates a tracker; `onReady` is called at most once, when the process is ready.
    package init(logger: Logger, onReady: @escaping @Sendable () -> Void) {
        self.logger = logger
        self.onReady = onReady
    }

    /// One of the sockets.
    package struct Listener: Sendable {
        let name: String
        let listeners: Listeners

        /// Reports that the socket accepts connections. If the socket is bound again later, another call only logs its address.
        package func listens(at address: String) {
            listeners.logger.notice("listening", metadata: ["listener": "\(name)", "address": "\(address)"])
            listeners.change { $0.waiting.remove(name) }
        }
    }

    /// Announces a socket that the process will listen on.
    package func announce(_ name: String) -> Listener {
        state.withLockedValue { _ = $0.waiting.insert(name) }
        return Listener(name: name, listeners: self)
    }

    /// States that no more sockets will be announced.
    func complete() {
        change { $0.isComplete = true }
    }

    private func change(_ body: (inout State) -> Void) {
        let isNews = state.withLockedValue { state in
            body(&state)
            return state.becomesReady()
        }
        if isNews { onReady() }
    }
}
