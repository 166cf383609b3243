import NIOConcurrencyHelpers
import SuiteMethods

/// The bounded queue of the engine's commands, and who runs them: the engine's thread, or the caller that put a small group (``takeSmallGroup()``).
final class Mailbox: Sendable {
    /// The content of the mailbox, as it is handed to the engine's thread.
    struct Delivery: Sendable {
        var commands: [EngineCommand] = []
        /// Set if these are the last commands; called once they are done.
        var stopped: (@Sendable () -> Void)?
    }

    private struct Content {
        var delivery = Delivery()
        /// Size of the waiting commands in bytes.
        var bytes = 0
        var isClosed = false
        /// Whether commands are being run.
        var isRunning = false
        /// Whether the engine's thread is waiting for the end of a caller's run.
        var isThreadWaiting = false
        /// Whether a waiting command must be synced.
        var isDurable = false

        var hasWork: Bool { !delivery.commands.isEmpty || delivery.stopped != nil }

        mutating func empty() -> Delivery {
            defer {
                delivery = Delivery()
                bytes = 0
                isDurable = false
            }
            return delivery
        }
    }

    /// Maximum number and size of the commands that a caller runs itself. A larger group is worth waking a thread, because the caller can meanwhile
    /// receive the next one.
    private static let smallGroup = (commands: 4, bytes: 16_384)

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
    ///
    /// - Parameter wakes: Whether the engine's thread is woken; otherwise the caller takes the command, or calls ``ring()``.
    func put(_ command: EngineCommand, wakes: Bool = true) {
        let (refusal, isFirst): (HostFailure?, Bool) = content.withLockedValue { content in
            if content.isClosed { return (.storage("progress-host is stopping"), false) }
            let isFull = content.delivery.commands.count >= limit || content.bytes + command.bytes > byteLimit
            if isFull, !command.isFact { return (.storage("too many requests are waiting for the database"), false) }
            content.bytes += command.bytes
            content.isDurable = content.isDurable || command.durable
            content.delivery.commands.append(command)
            return (nil, content.delivery.commands.count == 1)
        }
        // The signal for the first command covers all commands after it.
        if isFirst, wakes { ring() }
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

    /// Removes and returns everything that waits, for the engine's thread; nil while a caller runs a group, whose ``done(wakes:)`` wakes the thread.
    func takeAll() -> Delivery? {
        content.withLockedValue { content in
            guard !content.isRunning else {
                content.isThreadWaiting = true
                return nil
            }
            content.isRunning = true
            return content.empty()
        }
    }

    /// Removes and returns the waiting commands, for a caller that runs them itself. Nil if nothing waits, or if the engine's thread runs or is woken for
    /// it because the commands are many, large, or to be synced, which may take milliseconds.
    func takeSmallGroup() -> [EngineCommand]? {
        let (commands, isForThread): ([EngineCommand]?, Bool) = content.withLockedValue { content in
            guard content.hasWork, !content.isRunning else { return (nil, false) }
            guard content.delivery.commands.count <= Self.smallGroup.commands, content.bytes <= Self.smallGroup.bytes,
                !content.isDurable, !content.isClosed
            else { return (nil, true) }
            content.isRunning = true
            return (content.empty().commands, false)
        }
        if isForThread { ring() }
        return commands
    }

    /// Ends a run. Wakes the engine's thread if `wakes`, or if something was put in the meantime.
    func done(wakes: Bool = false) {
        let isAwaited = content.withLockedValue { content in
            defer { content.isThreadWaiting = false }
            content.isRunning = false
            return content.hasWork || content.isThreadWaiting
        }
        if wakes || isAwaited { ring() }
    }

    /// Waits for a command added since the last wait, at most for `limit`.
    func wait(atMost limit: Duration) {
        let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) * 1e-18
        if signal.lock(whenValue: true, timeoutSeconds: max(0, seconds)) { signal.unlock(withValue: false) }
    }

    /// Wakes the engine's thread.
    func ring() {
        signal.lock()
        signal.unlock(withValue: true)
    }
}
