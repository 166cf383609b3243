import BookstrackContract
import Foundation
import GRDB
import GRDBSQLite
import Logging
import NIOConcurrencyHelpers
import NIOCore
import Observability
import SuiteMethods
import TestSupport
@testable import ProgressHost

/// The engine with its own database, driven group by group on the test's thread, with a clock that the test moves.
final class TestHost {
    /// The state that ends with the process.
    private struct Process {
        let database: JobDatabase
        let engine: JobEngine
        var loop: EngineLoop
        let completions: CompletionRequests
    }

    /// The storage states reported to readiness.
    final class Reports: Sendable {
        private let states = NIOLockedValueBox<[EngineThread.StorageState]>([])
        func add(_ state: EngineThread.StorageState) { states.withLockedValue { $0.append(state) } }
        var last: EngineThread.StorageState { states.withLockedValue { $0.last } ?? .working }
    }

    let directory: URL
    let clock = MovedEngineClock()
    let policy: HostPolicy
    let tail = TailHub()
    let reports = Reports()
    /// The api-proxy connected to the current process.
    private(set) var proxy = RecordingLink()
    private var process: Process?
    private let jitter: Double
    private let logger: Logger
    private var lastSocket: UInt64 = 0

    init(
        _ policy: HostPolicy = HostPolicy(), grace: Duration = .zero, jitter: Double = 0.5, in directory: URL? = nil,
        logger: Logger = LiveHost.silent
    ) throws {
        self.logger = logger
        var policy = policy
        policy.returnGrace = grace
        self.policy = policy
        self.jitter = jitter
        self.directory =
            directory ?? FileManager.default.temporaryDirectory.appending(path: "host-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: self.directory, withIntermediateDirectories: true)
        try start(boot: "first boot")
    }

    deinit {
        process = nil
        try? FileManager.default.removeItem(at: directory)
    }

    var engine: JobEngine { process!.engine }
    var pool: DatabasePool { process!.database.pool }
    /// The current process's metrics; the next process starts with new ones.
    private(set) var registry = MetricRegistry()
    var storage: EngineThread.StorageState { process!.loop.storage }
    var results: ResultsReader { ResultsReader(pool: pool, clock: clock.engine, ttl: policy.resultsTTL) }

    /// Kills the process, or stops it cleanly, and starts it again; a different `boot` means that the machine was also
    /// rebooted. `trouble` is SQL that is run first on the new process's writing connection.
    func restart(boot: String = "first boot", cleanly: Bool = false, refusing trouble: String? = nil) throws {
        if cleanly { try process?.database.close() }
        process = nil
        proxy = RecordingLink()
        try start(boot: boot, refusing: trouble)
    }

    private func start(boot: String, refusing trouble: String? = nil) throws {
        let database = try JobDatabase(directory: directory, boot: boot)
        if let trouble { try database.pool.writeWithoutTransaction { try $0.execute(sql: trouble) } }
        registry = MetricRegistry()
        let completions = CompletionRequests()
        let engine = JobEngine(
            policy: policy, logger: logger, tail: tail, metrics: HostMetrics(registry),
            uploads: database.uploads, jitter: { [jitter] in jitter },
            makeCompletion: { completions.waiting.append($0) })
        var loop = EngineLoop(
            engine: engine, pool: database.pool, clock: clock.engine, logger: logger,
            report: { [reports] in reports.add($0) })
        loop.startUp { [policy] in _ = try database.noteOpening($0, jump: policy.uncleanStopJump) }
        process = Process(database: database, engine: engine, loop: loop, completions: completions)
        settle()
    }

    /// Runs one group of commands.
    func group(_ commands: [EngineCommand]) { process!.loop.runGroup(commands) }

    /// Runs the steps that the engine has scheduled, and builds the v1 `complete` frames that it is waiting for.
    func settle() {
        repeat {
            while process!.loop.hasSteps { group([]) }
        } while !holdsCompletions && makeCompletion()
    }

    /// If true, only `makeCompletion` builds v1 `complete` frames.
    var holdsCompletions = false
    /// Number of v1 `complete` frames that the engine is waiting for.
    var awaitedCompletions: Int { process!.completions.waiting.count }

    /// Builds the v1 `complete` frame that the engine requested first, or reports `failure` instead; returns false if the engine is waiting for none.
    @discardableResult
    func makeCompletion(failing failure: (any Error)? = nil) -> Bool {
        guard !process!.completions.waiting.isEmpty else { return false }
        let request = process!.completions.waiting.removeFirst()
        let maker = V1CompletionMaker(pool: pool)
        let frame = Result { try failure.map { throw $0 } ?? maker.frame(request) }
        group([
            EngineCommand(
                durable: false, writes: false, isFact: true,
                run: { engine, turn in try engine.streams.completionMade(request.key, frame, turn) }, refuse: { _ in })
        ])
        return true
    }

    /// The v1 `complete` frames that the engine of one process has requested.
    private final class CompletionRequests {
        var waiting: [V1Completions.Request] = []
    }

    /// A command and its future response.
    func command<Value>(
        durable: Bool = false, writes: Bool = true, isAwaited: Bool = true,
        _ body: @escaping @Sendable (JobEngine, Turn) throws -> Value
    ) -> (command: EngineCommand, answer: Answer<Value>) {
        let answer = Answer<Value>()
        return (
            EngineThread.command(
                durable: durable, writes: writes, isAwaited: { isAwaited }, reply: { answer.give($0) }, body), answer
        )
    }

    /// Runs one command as its own group, then the steps that follow from it.
    @discardableResult
    func perform<Value>(
        durable: Bool = false, writes: Bool = true, _ body: @escaping @Sendable (JobEngine, Turn) throws -> Value
    ) throws -> Value {
        let (command, answer) = command(durable: durable, writes: writes, body)
        group([command])
        settle()
        return try answer.value()
    }

    /// Lets time pass: every timer fires at its time.
    func advance(by interval: Duration) {
        let end = clock.now().uptime + interval
        while let next = nextTimer, next <= end {
            clock.move(to: next)
            group([])
            settle()
        }
        clock.move(to: end)
        group([])
        settle()
    }

    /// The number for a new socket.
    func nextSocket() -> SocketID {
        lastSocket += 1
        return SocketID(lastSocket)
    }
}

// MARK: The engine's state in memory

extension TestHost {
    /// The job figures for operators.
    var figures: HostFigures.Jobs { engine.figures(at: clock.now()) }
    /// The recently ended jobs for operators.
    func recentlyEnded() throws -> [JobFigure] {
        try perform(writes: false) { engine, turn in try engine.jobs.recentlyEnded(turn) }
    }
    var openJobs: Int { figures.pending + figures.processing }
    var openSockets: Int { figures.sockets }
    var attachedWorkers: Int { figures.workers }
    var leasedItems: Int { figures.leased }

    /// Number of items of a job's first lookups that workers hold.
    func leasedItems(ofJob number: Int64) -> Int { engine.work.leaseCount(ofJob: number) }

    /// Number of jobs waiting in a lane.
    func dueJobs(in lane: WorkQueue.Lane) -> Int { engine.work.count(in: lane) }

    /// Number of tokenless sockets that wait for a job that does not exist yet.
    func socketsWaiting(for id: JobID) -> Int { engine.streams.waiting(for: id).count }

    var timerCount: Int { engine.context.timers.count }

    func isSet(_ timer: EngineTimer) -> Bool { engine.context.timers.time(of: timer) != nil }

    private var nextTimer: Duration? { engine.context.timers.next }

    /// Whether the engine has scheduled steps that it has not run yet.
    var hasSteps: Bool { process!.loop.hasSteps }

    /// The stored origin of a job's start.
    func storedOrigin(of id: JobID = jobID) throws -> JobOrigin? {
        try perform(writes: false) { _, turn in try turn.jobs.job(id, at: turn.now.settled)?.origin }
    }
}

// MARK: The process's metrics

extension TestHost {
    /// The sum of a family's samples that have the label value `value`, or of all its samples if that is nil; nil if there are none.
    func number(_ name: String, _ value: String? = nil) -> Double? {
        let numbers = samples(name).filter { sample in
            value.map { value in sample.labels.contains { $0.value == value } } ?? true
        }.compactMap { sample -> Double? in if case .number(let number) = sample.reading { number } else { nil } }
        return numbers.isEmpty ? nil : numbers.reduce(0, +)
    }

    /// The number of values in a histogram family, and their sum.
    func spread(_ name: String) -> (count: UInt64, sum: Double) {
        samples(name).reduce(into: (0, 0)) { total, sample in
            guard case .distribution(let spread) = sample.reading else { return }
            total = (total.0 + spread.counts.reduce(0, +), total.1 + spread.sum)
        }
    }

    private func samples(_ name: String) -> [Sample] {
        registry.families().filter { $0.name == name }.flatMap(\.samples)
    }
}

// MARK: SQLite's instructions

extension TestHost {
    private final class Counter { var count = 0 }

    /// Number of instructions that SQLite's virtual machine executes for the engine during `body`
    /// (sqlite.org/c3ref/progress_handler.html).
    func instructions(_ body: () throws -> Void) throws -> Int {
        let counter = Counter()
        pool.writeWithoutTransaction { db in
            sqlite3_progress_handler(
                db.sqliteConnection, 1,
                { counter in
                    Unmanaged<Counter>.fromOpaque(counter!).takeUnretainedValue().count += 1
                    return 0
                }, Unmanaged.passUnretained(counter).toOpaque())
        }
        defer { pool.writeWithoutTransaction { sqlite3_progress_handler($0.sqliteConnection, 0, nil, nil) } }
        try body()
        return counter.count
    }
}

/// Collects the responses to a command; a separate test checks that there is exactly one.
final class Answer<Value>: Sendable {
    private let given = NIOLockedValueBox<[Unchecked<Result<Value, HostFailure>>]>([])

    func give(_ result: Result<Value, HostFailure>) {
        let result = Unchecked(result)
        given.withLockedValue { $0.append(result) }
    }

    /// Number of responses.
    var count: Int { given.withLockedValue { $0.count } }

    func value() throws -> Value {
        guard let first = given.withLockedValue({ $0.first }) else { throw NoAnswer() }
        return try first.value.get()
    }

    struct NoAnswer: Error {}
}

/// Carries a value across a `Sendable` boundary that does not exist at run time: tests drive the engine on one thread.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

extension EngineThread {
    /// Like `submit`, but waits for the result.
    func perform<Value: Sendable>(
        durable: Bool = false, writes: Bool = true,
        _ body: @escaping @Sendable (JobEngine, Turn) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            submit(durable: durable, writes: writes, reply: { continuation.resume(with: $0.mapError { $0 }) }, body)
        }
    }
}

/// The engine's clock, which stands still until a test moves it. The engine reads it before each move, as a running
/// engine would in between.
struct MovedEngineClock: Sendable {
    static let start = Moment(uptime: .seconds(100), wall: 1_763_236_800_000)

    let engine: EngineClock
    private let time = ManualClock(uptime: start.uptime, date: Date(timeIntervalSince1970: 1_763_236_800))

    init() { engine = EngineClock(time) }

    func now() -> Moment { engine.now() }

    func move(by interval: Duration) {
        _ = now()
        time.move(by: interval)
    }

    func move(to uptime: Duration) { move(by: max(.zero, uptime - now().uptime)) }

    /// Sets the machine's clock forward or back, as an operator might.
    func stepWall(by interval: Duration) {
        _ = now()
        time.stepDate(by: interval)
    }
}
