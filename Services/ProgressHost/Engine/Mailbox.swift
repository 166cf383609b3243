import NIOConcurrencyHelpers
import SuiteMethods

/// The bounded queue of the engine's commands. It determines which thread runs them: the engine's thread, or that of the caller that put a small
/// group into the mailbox (``takeSmallGroup()``).
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
        /// Whether the engine's thread has been woken for the waiting commands.
        var isAnnounced = false
        /// Whether a waiting command must be synced.
        var isDurable = false
        /// Whether callers may run small groups themselves.
        var admitsCallers = false

        var hasWork: Bool { !delivery.commands.isEmpty || delivery.stopped != nil }

        var isSmallGroup: Bool {
            delivery.commands.count <= Mailbox.smallGroup.commands && bytes <= Mailbox.smallGroup.bytes && !isDurable
                && !isClosed && admitsCallers
        }

        mutating func empty() -> Delivery {
            defer {
                delivery = Delivery()
                bytes = 0
                isDurable = false
                isAnnounced = false
            }
            return delivery
        }

        /// Returns whether the thread still has to be woken, and marks it as woken.
        mutating func announce() -> Bool {
            defer { isAnnounced = true }
            return !isAnnounced
        }
    }

    /// Maximum number and total size of the commands that a caller runs itself. A larger group is worth waking a thread, because the caller can
    /// receive the next group in the meantime.
    private static let smallGroup = (commands: 4, bytes: 16_384)

    /// Maximum number of waiting commands; further commands are refused unless they are facts (``EngineCommand/isFact``).
    private let limit: Int
    /// Maximum size in bytes of the waiting commands; further commands are refused unless they are facts.
    private let byteLimit: Int
    private let content = NIOLockedValueBox(Content())
    private let signal = WakeSignal()

    init(limit: Int = 65_536, byteLimit: Int = 64 << 20) {
        self.limit = limit
        self.byteLimit = byteLimit
    }

    /// The number of waiting commands, and their size in bytes.
    var load: (commands: Int, bytes: Int) {
        content.withLockedValue { ($0.delivery.commands.count, $0.bytes) }
    }

    /// Number of waiting commands, and the maximum.
    var figure: QueueFigure { QueueFigure(length: load.commands, limit: limit) }

    /// Adds a command, or refuses it.
    ///
    /// - Parameter wakes: Whether the engine's thread is woken. Otherwise the caller must call ``takeSmallGroup()`` next, and the thread is woken
    ///   only if the waiting commands are not a small group.
    func put(_ command: EngineCommand, wakes: Bool = true) {
        let (refusal, rings): (HostFailure?, Bool) = content.withLockedValue { content in
            if content.isClosed { return (.storage("progress-host is stopping"), false) }
            let isFull = content.delivery.commands.count >= limit || content.bytes + command.bytes > byteLimit
            if isFull, !command.isFact { return (.storage("too many requests are waiting for the database"), false) }
            content.bytes += command.bytes
            content.isDurable = content.isDurable || command.durable
            content.delivery.commands.append(command)
            // Commands that are put during a run are announced at its end.
            return (nil, !content.isRunning && (wakes || !content.isSmallGroup) && content.announce())
        }
        if rings { signal.set() }
        if let refusal { command.refuse(refusal) }
    }

    /// Sets whether callers may run small groups themselves. They may not while commands are likely to be slow or to fail.
    func admitCallers(_ admits: Bool) { content.withLockedValue { $0.admitsCallers = admits } }

    /// Stops accepting commands; `stopped` is called when all earlier commands are done.
    func close(_ stopped: @escaping @Sendable () -> Void) {
        content.withLockedValue { content in
            content.isClosed = true
            content.delivery.stopped = stopped
            content.isAnnounced = true
        }
        signal.set()
    }

    /// Removes and returns everything that is waiting, for the engine's thread; nil while a caller runs a group, at the end of which ``done(wakes:)``
    /// wakes the thread.
    func takeAll() -> Delivery? {
        content.withLockedValue { content in
            guard !content.isRunning else {
                content.isAnnounced = true
                return nil
            }
            content.isRunning = true
            return content.empty()
        }
    }

    /// Removes and returns the waiting commands, for a caller that runs them itself. Nil if no commands are waiting or if they are left to the
    /// engine's thread, for example because it has been woken or because the commands are not a small group. A group that must be synced is never
    /// small, because syncing may take milliseconds.
    func takeSmallGroup() -> [EngineCommand]? {
        content.withLockedValue { content in
            guard content.hasWork, !content.isRunning, !content.isAnnounced, content.isSmallGroup else { return nil }
            content.isRunning = true
            return content.empty().commands
        }
    }

    /// Ends a run. Wakes the engine's thread if `wakes` is true, if anything is waiting, or if the thread tried to take commands.
    func done(wakes: Bool = false) {
        let rings = content.withLockedValue { content in
            content.isRunning = false
            guard wakes || content.hasWork || content.isAnnounced else { return false }
            content.isAnnounced = true
            return true
        }
        if rings { signal.set() }
    }

    /// Waits until the engine's thread is woken, for at most `limit`; returns whether it was woken since the last wait.
    @discardableResult
    func wait(atMost limit: Duration) -> Bool { signal.wait(atMost: limit) }
}
