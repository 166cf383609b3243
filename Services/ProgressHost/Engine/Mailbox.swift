import NIOConcurrencyHelpers
import SuiteMethods

/// The bounded queue of commands for the engine's thread.
final class Mailbox: Sendable {
    /// The content of the mailbox.
    struct Delivery: Sendable {
        var commands: [EngineCommand] = []
        /// Set if these are the last commands; called when they are done.
        var stopped: (@Sendable () -> Void)?
    }

    private struct Content {
        var delivery = Delivery()
        /// Size of the waiting commands in bytes.
        var bytes = 0
        var isClosed = false
    }

    /// Maximum number of waiting commands; further commands are refused.
    private let limit: Int
    /// Maximum size in bytes of the waiting commands; further commands are refused.
    private let byteLimit: Int
    private let content = NIOLockedValueBox(Content())
    private let signal = ConditionLock(value: false)

    init(limit: Int = 65_536, byteLimit: Int = 64 << 20) {
        self.limit = limit
        self.byteLimit = byteLimit
    }

    /// The number of waiting commands, and their size in bytes.
    var load: (commands: Int, bytes: Int) {
        content.withLockedValue { ($0.delivery.commands.count, $0.bytes) }
    }

    /// Number of waiting commands, and its maximum.
    var figure: QueueFigure { QueueFigure(length: load.commands, limit: limit) }

    /// Adds a command, or refuses it.
    func put(_ command: EngineCommand) {
        let (refusal, isFirst): (HostFailure?, Bool) = content.withLockedValue { content in
            if content.isClosed { return (.storage("progress-host is stopping"), false) }
            let isFull = content.delivery.commands.count >= limit || content.bytes + command.bytes > byteLimit
            if isFull, !command.isFact { return (.storage("too many requests are waiting for the database"), false) }
            content.bytes += command.bytes
            content.delivery.commands.append(command)
            return (nil, content.delivery.commands.count == 1)
        }
        // The signal for the first command covers all commands after it.
        if isFirst { ring() }
        if let refusal { command.refuse(refusal) }
    }

    /// Stops accepting commands; `stopped` is called when all earlier commands are done.
    func close(_ stopped: @escaping @Sendable () -> Void) {
        content.withLockedValue { content in
            content.isClosed = true
            content.delivery.stopped = stopped
        }
        ring()
    }

    /// Removes and returns the content.
    func empty() -> Delivery {
        content.withLockedValue { content in
            defer {
                content.delivery = Delivery()
                content.bytes = 0
            }
            return content.delivery
        }
    }

    /// Waits for a command added since the last wait, at most for `limit`.
    func wait(atMost limit: Duration) {
        let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) * 1e-18
        if signal.lock(whenValue: true, timeoutSeconds: max(0, seconds)) { signal.unlock(withValue: false) }
    }

    private func ring() {
        signal.lock()
        signal.unlock(withValue: true)
    }
}
