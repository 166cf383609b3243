import Foundation
import GRDB
import Logging
import NIOConcurrencyHelpers

/// Runs the engine on a thread of its own and groups what is queued into one transaction (engineering notes "SQLite").
///
/// A group: every due timer, every command that is queued, one commit, then what the outside is to see. A command marked durable
/// makes its whole group synced; `synchronous` is switched between groups only (spec/07 "Inside").
final class EngineThread: Sendable {
    /// Commands that may wait before `submit` refuses.
    private static let mailboxLimit = 65_536
    /// Commands of one group.
    private static let groupLimit = 1_024
    /// Longest sleep, so that a stepped wall clock is noticed.
    private static let longestWait = Duration.seconds(5)

    private struct Command: Sendable {
        var durable: Bool
        var writes: Bool
        var run: @Sendable (JobEngine, Turn) throws -> Void
        var refuse: @Sendable (HostFailure) -> Void
    }

    private enum Mail: Sendable {
        case command(Command)
        case stop(@Sendable () -> Void)
    }

    private let mailbox = ConditionLock(value: false)
    private let mail = NIOLockedValueBox<[Mail]>([])
    private let storageState = NIOLockedValueBox<StorageState>(.working)

    /// Whether storage takes writes.
    enum StorageState: Sendable, Equatable {
        case working
        case refusing(reason: String)
    }

    /// For the readiness answer.
    var storage: StorageState { storageState.withLockedValue { $0 } }

    /// Starts the thread. Throws nothing: a database that cannot be read shows in `storage`.
    init(database: JobDatabase, policy: HostPolicy, clock: any EngineClock, logger: Logger) {
        let thread = Thread { [self] in
            let engine = JobEngine(policy: policy, logger: logger)
            var loop = EngineLoop(
                engine: engine, pool: database.pool, clock: clock, logger: logger,
                report: { state in self.storageState.withLockedValue { $0 = state } })
            loop.startUp(jump: database.followsUncleanMachineStop ? policy.uncleanStopJump : nil)
            run(&loop)
        }
        thread.name = "job-engine"
        thread.start()
    }

    /// Runs `body` in the next group and answers with what it returns after the commit.
    func submit<Value>(
        durable: Bool = false, writes: Bool = true, reply: @escaping Reply<Value>,
        _ body: @escaping @Sendable (JobEngine, Turn) throws -> Value
    ) {
        enqueue(
            Command(
                durable: durable, writes: writes || durable,
                run: { engine, turn in
                    let value: Value
                    do {
                        value = try body(engine, turn)
                    } catch let failure as HostFailure {
                        engine.effects.append(
                            Effect(commit: { reply(.failure(failure)) }, abandon: { reply(.failure($0)) }))
                        return
                    }
                    engine.effects.append(Effect(commit: { reply(.success(value)) }, abandon: { reply(.failure($0)) }))
                },
                refuse: { reply(.failure($0)) }))
    }

    /// Runs `body` in the next group. Whoever waits for something is told by `body` itself, or by `refuse` when it is not run.
    func post(
        writes: Bool = true, _ body: @escaping @Sendable (JobEngine, Turn) throws -> Void,
        refuse: @escaping @Sendable (HostFailure) -> Void = { _ in }
    ) {
        enqueue(
            Command(
                durable: false, writes: writes,
                run: { engine, turn in
                    do {
                        try body(engine, turn)
                    } catch let failure as HostFailure {
                        refuse(failure)
                    }
                }, refuse: refuse))
    }

    /// `submit` for callers that wait.
    func perform<Value: Sendable>(
        durable: Bool = false, writes: Bool = true,
        _ body: @escaping @Sendable (JobEngine, Turn) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            submit(durable: durable, writes: writes, reply: { continuation.resume(with: $0.mapError { $0 }) }, body)
        }
    }

    /// Finishes what is queued and ends the thread.
    func stop() async {
        await withCheckedContinuation { continuation in
            put(.stop { continuation.resume() })
        }
    }

    private func enqueue(_ command: Command) {
        let isFull = mail.withLockedValue { $0.count >= Self.mailboxLimit }
        guard !isFull else { return command.refuse(.storage("too many requests wait for the database")) }
        put(.command(command))
    }

    private func put(_ item: Mail) {
        mail.withLockedValue { $0.append(item) }
        mailbox.lock()
        mailbox.unlock(withValue: true)
    }

    private func run(_ loop: inout EngineLoop) {
        var waiting: ArraySlice<Command> = []
        while true {
            if waiting.isEmpty {
                sleep(until: loop.nextWake)
                for item in takeMail() {
                    switch item {
                    case .command(let command): waiting.append(command)
                    case .stop(let stopped):
                        runGroups(&waiting, &loop)
                        return stopped()
                    }
                }
            }
            runGroup(&waiting, &loop)
        }
    }

    private func runGroups(_ waiting: inout ArraySlice<Command>, _ loop: inout EngineLoop) {
        repeat { runGroup(&waiting, &loop) } while !waiting.isEmpty || loop.hasSteps
    }

    private func runGroup(_ waiting: inout ArraySlice<Command>, _ loop: inout EngineLoop) {
        let group = waiting.prefix(Self.groupLimit)
        waiting = waiting.dropFirst(group.count)
        let (accepted, refused) = loop.partition(group, writes: \.writes)
        loop.runGroup(durable: accepted.contains(where: \.durable)) { engine, turn in
            for command in accepted { try command.run(engine, turn) }
        } onFailure: { failure in
            for command in accepted { command.refuse(failure) }
        }
        if case .refusing(let reason) = storage { for command in refused { command.refuse(.storage(reason)) } }
    }

    private func takeMail() -> [Mail] {
        mail.withLockedValue { mail in
            defer { mail = [] }
            return mail
        }
    }

    /// Waits for mail or the next timer.
    private func sleep(until wake: Duration?) {
        let limit = min(wake ?? Self.longestWait, Self.longestWait)
        guard limit > .zero else { return clearSignal() }
        if mailbox.lock(
            whenValue: true,
            timeoutSeconds: Double(limit.components.seconds) + Double(limit.components.attoseconds) * 1e-18)
        {
            mailbox.unlock(withValue: false)
        }
    }

    private func clearSignal() {
        mailbox.lock()
        mailbox.unlock(withValue: false)
    }
}
