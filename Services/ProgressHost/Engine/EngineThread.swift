import Foundation
import GRDB
import Logging
import NIOConcurrencyHelpers
import Observability
import SuiteMethods

/// Runs the engine on a thread of its own and groups what is queued into one transaction (engine-thread.md).
///
/// A group: every due timer, every command that is queued, one commit, then the effects that others see. A command marked durable
/// makes its whole group synced; `synchronous` is switched between groups only (jobs.md "Durability").
final class EngineThread: Sendable {
    /// Commands of one group.
    private static let groupLimit = 1_024
    /// Longest sleep, so that a stepped wall clock is noticed.
    private static let longestWait = Duration.seconds(5)

    private let mailbox = Mailbox()
    private let storageState = NIOLockedValueBox<StorageState>(.working)

    /// Whether storage is writable.
    enum StorageState: Sendable, Equatable {
        case working
        case refusing(reason: String)
    }

    /// How much waits for the engine.
    var mailboxFigure: QueueFigure { mailbox.figure }

    /// For the readiness answer.
    var storage: StorageState { storageState.withLockedValue { $0 } }

    /// What waits for the thread now.
    var waiting: (commands: Int, bytes: Int) { mailbox.load }

    /// Starts the thread. Throws nothing: a database that cannot be read shows in `storage`.
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
                        self.tell { engine, turn in try engine.completionMade(request.key, frame, turn) }
                    }
                })
            var loop = EngineLoop(
                engine: engine, pool: database.pool, clock: clock, logger: logger,
                report: { state in
                    self.storageState.withLockedValue { $0 = state }
                    metrics.engine.storage(isRefusing: state != .working)
                })
            loop.startUp { db in
                if try database.noteOpening(db, jump: policy.uncleanStopJump) {
                    logger.warning("the machine stopped without a clean shutdown; seq of open jobs jumps")
                }
            }
            run(&loop)
        }
        thread.name = "job-engine"
        thread.start()
    }

    /// Runs `body` in the next group and answers with its result after the commit. `body` does not run if the caller has given up by then
    /// (`isAwaited`): a caller without an answer may ask again.
    func submit<Value>(
        durable: Bool = false, writes: Bool = true, bytes: Int = 0,
        isAwaited: @escaping @Sendable () -> Bool = { true }, reply: @escaping Reply<Value>,
        _ body: @escaping @Sendable (JobEngine, Turn) throws -> Value
    ) {
        var command = Self.command(durable: durable, writes: writes, isAwaited: isAwaited, reply: reply, body)
        command.bytes = bytes
        mailbox.put(command)
    }

    /// A command that answers once: with what `body` returns or refuses, after the commit, or with why nothing of it happened.
    static func command<Value>(
        durable: Bool, writes: Bool, isAwaited: @escaping @Sendable () -> Bool = { true },
        reply: @escaping Reply<Value>,
        _ body: @escaping @Sendable (JobEngine, Turn) throws -> Value
    ) -> EngineCommand {
        EngineCommand(
            durable: durable, writes: writes || durable,
            run: { engine, turn in
                guard isAwaited() else { return reply(.failure(.givenUp)) }
                let outcome: Result<Value, HostFailure>
                do {
                    outcome = .success(try body(engine, turn))
                } catch let failure as HostFailure {
                    outcome = .failure(failure)
                }
                engine.context.afterCommit(Effect(commit: { reply(outcome) }))
            },
            refuse: { reply(.failure($0)) })
    }

    /// Runs `body` in the next group. `body` answers callers itself; `refuse` does if `body` does not run.
    func post(
        writes: Bool = true, bytes: Int = 0, _ body: @escaping @Sendable (JobEngine, Turn) throws -> Void,
        refuse: @escaping @Sendable (HostFailure) -> Void = { _ in }
    ) {
        mailbox.put(EngineCommand(durable: false, writes: writes, bytes: bytes, run: body, refuse: refuse))
    }

    /// Runs `body` in the next group even if the mailbox is full: the engine must learn of the event. Writes nothing.
    func tell(_ body: @escaping @Sendable (JobEngine, Turn) throws -> Void) {
        mailbox.put(EngineCommand(durable: false, writes: false, isFact: true, run: body, refuse: { _ in }))
    }

    /// Returns when the thread has done a group after this call, or has been told to end.
    func turn() async {
        await withCheckedContinuation { continuation in
            mailbox.put(
                EngineCommand(
                    durable: false, writes: false, isFact: true,
                    run: { engine, _ in engine.context.afterCommit(Effect(commit: { continuation.resume() })) },
                    refuse: { _ in continuation.resume() }))
        }
    }

    /// Finishes what is queued and ends the thread.
    func stop() async {
        await withCheckedContinuation { continuation in
            mailbox.close { continuation.resume() }
        }
    }

    private func run(_ loop: inout EngineLoop) {
        while true {
            mailbox.wait(atMost: min(loop.nextWake ?? Self.longestWait, Self.longestWait))
            let delivery = mailbox.empty()
            var waiting = delivery.commands[...]
            repeat { runGroup(&waiting, &loop) } while !waiting.isEmpty || (delivery.stopped != nil && loop.hasSteps)
            if let stopped = delivery.stopped { return stopped() }
        }
    }

    private func runGroup(_ waiting: inout ArraySlice<EngineCommand>, _ loop: inout EngineLoop) {
        let group = waiting.prefix(Self.groupLimit)
        waiting = waiting.dropFirst(group.count)
        loop.runGroup(Array(group))
    }
}

/// Something the engine is asked to do.
struct EngineCommand: Sendable {
    /// Its group is synced.
    var durable: Bool
    /// It is refused while storage refuses.
    var writes: Bool
    /// Roughly what it holds in memory, in bytes.
    var bytes = 0
    /// It is taken even when the mailbox is full, because it could not be sent again.
    var isFact = false
    /// What it is part of: the call that asked for it.
    let activity = Activity.current
    /// Runs inside the group's transaction. May run again when the transaction failed, unless it writes.
    var run: @Sendable (JobEngine, Turn) throws -> Void
    /// Called instead when nothing of it happened.
    var refuse: @Sendable (HostFailure) -> Void
}
