import NIOConcurrencyHelpers
import SuiteMethods

/// What waits for the engine's thread, bounded.
final class Mailbox: Sendable {
    /// What was in a mailbox.
    struct Delivery: Sendable {
        var commands: [EngineCommand] = []
        /// Set when these are the last ones: to be called when they are done.
        var stopped: (@Sendable () -> Void)?
    }

    private struct Content {
        var delivery = Delivery()
        /// Of the commands that wait.
        var bytes = 0
        var isClosed = false
    }

    /// Commands that may wait before others are refused.
    private let limit: Int
    /// Bytes of commands that may wait before others are refused.
    private let byteLimit: Int
    private let content = NIOLockedValueBox(Content())
    private let signal = ConditionLock(value: false)

    init(limit: Int = 65_536, byteLimit: Int = 64 << 20) {
        self.limit = limit
        self.byteLimit = byteLimit
    }

    /// What waits now.
    var load: (commands: Int, bytes: Int) {
        content.withLockedValue { ($0.delivery.commands.count, $0.bytes) }
    }

    /// Commands that wait, and how many may.
    var figure: QueueFigure { QueueFigure(length: load.commands, limit: limit) }

    /// Adds a command, or refuses it.
    func put(_ command: EngineCommand) {
        let (refusal, isFirst): (HostFailure?, Bool) = content.withLockedValue { content in
            if content.isClosed { return (.storage("progress-host is stopping"), false) }
            let isFull = content.delivery.commands.count >= limit || content.bytes + command.bytes > byteLimit
            if isFull, !command.isFact { return (.storage("too many requests wait for the database"), false) }
            content.bytes += command.bytes
            content.delivery.commands.append(command)
            return (nil, content.delivery.commands.count == 1)
        }
        // The signal for the first command covers those after it.
        if isFirst { ring() }
        if let refusal { command.refuse(refusal) }
    }

    /// Takes nothing more; `stopped` is called when everything before has been done.
    func close(_ stopped: @escaping @Sendable () -> Void) {
        content.withLockedValue { content in
            content.isClosed = true
            content.delivery.stopped = stopped
        }
        ring()
    }

    /// Takes everything out.
    func empty() -> Delivery {
        content.withLockedValue { content in
            defer {
                content.delivery = Delivery()
                content.bytes = 0
            }
            return content.delivery
        }
    }

    /// Waits until something was put in since the last wait, at most as long as `limit`.
    func wait(atMost limit: Duration) {
        let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) * 1e-18
        if signal.lock(whenValue: true, timeoutSeconds: max(0, seconds)) { signal.unlock(withValue: false) }
    }

    private func ring() {
        signal.lock()
        signal.unlock(withValue: true)
    }
}
