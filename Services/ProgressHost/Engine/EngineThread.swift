import Foundation
import GRDB
import Logging
import NIOConcurrencyHelpers
import Observability
import SuiteMethods

/// Runs the engine on its own thread: queued commands run in groups, each in one transaction (engine-thread.md).
///
/// A group consists of the waiting synced steps and a limited number of due timers and queued commands; one commit and then the effects follow. A
/// durable command causes its whole group to be synced; `synchronous` is switched only between groups (jobs.md "Durability"). While the thread is
/// asleep, an event loop that has read a few commands runs them itself (``gather(_:)``), because waking the thread takes longer.
final class EngineThread: Sendable {
    /// Maximum sleep, so a step of the wall clock is noticed.
    private static let maxWait = Duration.seconds(5)

    /// The thread that gathers commands. A task that a handler starts inherits the value, but runs on another thread.
    @TaskLocal private static var gatheringThread: pthread_t?

    private let mailbox = Mailbox()
    private let running = NIOLockedValueBox<Running?>(nil)
    private let storageState = NIOLockedValueBox<StorageState>(.working)

    /// Whether storage is writable.
    enum StorageState: Sendable, Equatable {
        case working
        case refusing(reason: String)
    }

    /// Number of commands waiting for the engine, and the maximum.
    var mailboxFigure: QueueFigure { mailbox.figure }

    /// Whether storage is writable, for the readiness response.
    var storage: StorageState { storageState.withLockedValue { $0 } }

    /// Number of commands waiting for the engine, and their size in bytes.
    var waiting: (commands: Int, bytes: Int) { mailbox.load }

    /// Starts the thread. If the database refuses the first reads or writes, `storage` reports this and nothing is thrown.
    init(
        database: JobDatabase, policy: HostPolicy, clock: EngineClock, tail: TailHub = TailHub(),
        metrics: HostMetrics, logger: Logger
    ) {
        let maker = V1CompletionMaker(pool: database.pool)
        let thread = Thread { [self] in
            let engine = JobEngine(
                policy: policy, logger: logger, tail: tail, metrics: metrics,
                uploads: database.uploads,
                makeCompletion: { request in
                    maker.make(request) { frame in
                        self.tell { engine, turn in try engine.streams.completionMade(request.key, frame, turn) }
                    }
                })
            var loop = EngineLoop(
                engine: engine, pool: database.pool, clock: clock, logger: logger,
                report: { state in
                    self.storageState.withLockedValue { $0 = state }
                    self.mailbox.admitCallers(state == .working)
                    metrics.engine.storage(isRefusing: state != .working)
                })
            loop.startUp { db in
                if try database.noteOpening(db, jump: policy.uncleanStopJump) {
                    logger.warning("unclean shutdown or restored database; raising the seq of open jobs")
                }
            }
            run(Running(loop))
        }
        thread.name = "job-engine"
        thread.start()
    }

    /// Runs `body` in one of the next groups, and replies with its result after the commit. If the caller gives up before the group runs
    /// (`isAwaited`), `body` does not run, because a caller that received no response may repeat its call.
    func submit<Value>(
        durable: Bool = false, writes: Bool = true, bytes: Int = 0,
        isAwaited: @escaping @Sendable () -> Bool = { true }, reply: @escaping Reply<Value>,
        _ body: @escaping @Sendable (JobEngine, Turn) throws -> Value
    ) {
        var command = Self.command(durable: durable, writes: writes, isAwaited: isAwaited, reply: reply, body)
        command.bytes = bytes
        put(command)
    }

    /// A command that replies with the result or refusal of `body` after the commit, or with the reason why `body` was rolled back or not run.
    static func command<Value>(
        durable: Bool, writes: Bool, isAwaited: @escaping @Sendable () -> Bool = { true },
        reply: @escaping Reply<Value>,
        _ body: @escaping @Sendable (JobEngine, Turn) throws -> Value
    ) -> EngineCommand {
        EngineCommand(
            durable: durable, writes: writes || durable,
            run: { engine, turn in
                let outcome: Result<Value, HostFailure>
                do {
                    guard isAwaited() else { throw HostFailure.givenUp }
                    outcome = .success(try body(engine, turn))
                } catch let failure as HostFailure {
                    outcome = .failure(failure)
                }
                engine.context.afterCommit(Effect(commit: { reply(outcome) }))
            },
            refuse: { reply(.failure($0)) })
    }

    /// Runs `body` in one of the next groups. If a caller waits for a reply, `body` sends it. `refuse` is called if `body` does not run or is rolled
    /// back. If `body` has added a claim, the rollback replies to its caller too; the second reply has no effect (``RPCReply``).
    func post(
        writes: Bool = true, bytes: Int = 0, _ body: @escaping @Sendable (JobEngine, Turn) throws -> Void,
        refuse: @escaping @Sendable (HostFailure) -> Void = { _ in }
    ) {
        put(EngineCommand(durable: false, writes: writes, bytes: bytes, run: body, refuse: refuse))
    }

    /// Runs `body`, which informs the engine of a fact (``EngineCommand/isFact``), in one of the next groups, even if the mailbox is full. `body`
    /// must not write.
    func tell(_ body: @escaping @Sendable (JobEngine, Turn) throws -> Void) {
        put(EngineCommand(durable: false, writes: false, isFact: true, run: body, refuse: { _ in }))
    }

    /// Returns when the engine has processed this call as part of a group, or immediately if the thread has been asked to stop.
    func turn() async {
        await withCheckedContinuation { continuation in
            mailbox.put(
                EngineCommand(
                    durable: false, writes: false, isFact: true,
                    run: { engine, _ in engine.context.afterCommit(Effect(commit: { continuation.resume() })) },
                    refuse: { _ in continuation.resume() }))
        }
    }

    /// Finishes the queued work and ends the thread.
    func stop() async {
        await withCheckedContinuation { continuation in
            mailbox.close { continuation.resume() }
        }
    }

    private func put(_ command: EngineCommand) { mailbox.put(command, wakes: Self.gatheringThread != pthread_self()) }

    /// Runs `body`, and then the commands waiting in the mailbox, if they form a small group and the engine's thread is asleep.
    func gather(_ body: () -> Void) {
        Self.$gatheringThread.withValue(pthread_self(), operation: body)
        guard let running = running.withLockedValue(\.self), let commands = mailbox.takeSmallGroup() else { return }
        mailbox.done(wakes: running.runSmallGroup(commands))
    }

    private func run(_ running: Running) {
        var sleep = running.planSleep()
        self.running.withLockedValue { $0 = running }
        mailbox.admitCallers(storage == .working)
        while true {
            mailbox.wait(atMost: min(sleep ?? Self.maxWait, Self.maxWait))
            guard let delivery = mailbox.takeAll() else {
                sleep = nil
                continue
            }
            running.run(delivery)
            sleep = running.planSleep()
            mailbox.done()
            if let stopped = delivery.stopped {
                self.running.withLockedValue { $0 = nil }
                return stopped()
            }
        }
    }
}

/// The running engine, and when its thread plans to wake.
// @unchecked Sendable: used only between `Mailbox.takeAll` or `takeSmallGroup` and `done`, which admit one thread at a time and order their accesses.
private final class Running: @unchecked Sendable {
    /// Maximum number of commands in one group.
    private static let groupLimit = 1_024

    private var loop: EngineLoop
    private var plan = SleepPlan()

    init(_ loop: EngineLoop) { self.loop = loop }

    /// Runs commands on the engine's thread.
    func run(_ delivery: Mailbox.Delivery) {
        var waiting = delivery.commands[...]
        repeat {
            let group = waiting.prefix(Self.groupLimit)
            waiting = waiting.dropFirst(group.count)
            loop.runGroup(Array(group))
        } while !waiting.isEmpty || (delivery.stopped != nil && loop.hasSteps)
    }

    /// Plans the next sleep of the engine's thread and returns its length; nil if the thread waits for commands only.
    func planSleep() -> Duration? {
        plan.wakes(at: loop.nextTimer)
        return loop.nextWake
    }

    /// Runs commands on the thread that put them into the mailbox; returns whether the engine's thread must wake earlier than it planned. Timers and
    /// synced steps, which may take long, are left to the engine's thread.
    func runSmallGroup(_ commands: [EngineCommand]) -> Bool {
        loop.runGroup(commands, alone: true)
        let isOverdue = loop.nextWake.map { $0 <= .zero } ?? false
        return plan.mustWake(for: loop.nextTimer) || isOverdue
    }
}

/// When the engine's thread intends to wake.
struct SleepPlan {
    /// The planned time; nil if the thread waits for commands only.
    private var wake: Duration?

    mutating func wakes(at time: Duration?) { wake = time }

    /// Returns whether the thread must be woken because a timer is due before the planned time; if so, the time of that timer becomes the planned
    /// time.
    mutating func mustWake(for timer: Duration?) -> Bool {
        guard let timer, wake.map({ timer < $0 }) ?? true else { return false }
        wake = timer
        return true
    }
}

/// Work that the engine does inside a group's transaction.
struct EngineCommand: Sendable {
    /// Whether the command's group must be synced.
    var durable: Bool
    /// Whether the command is refused while storage refuses writes.
    var writes: Bool
    /// Approximate size of the command in memory, in bytes.
    var bytes = 0
    /// Whether the command is accepted even if the mailbox is full, and runs even if the rest of its group fails, because it will not be sent again.
    var isFact = false
    /// The activity of the call to which the command belongs.
    let activity = Activity.current
    /// Runs inside the group's transaction. If the command does not write, it may run again after the transaction has failed.
    var run: @Sendable (JobEngine, Turn) throws -> Void
    /// Called if the command was not run or was rolled back.
    var refuse: @Sendable (HostFailure) -> Void
}
