import BookstrackContract
import Logging
import Observability
import SuiteMethods
import SuiteStorage

/// The truth about every job, and the protocol of every socket that watches one (Services/README.md).
///
/// Confined to the engine's thread, which calls it inside one transaction per group of commands (`EngineThread`). Whatever the outside
/// is to see goes into `effects` and happens after the commit. State in memory is a view of the database: when a
/// transaction fails, `undoTurn` and `reload` build it again.
final class JobEngine {
    let policy: HostPolicy
    let metrics: HostMetrics
    let logger: Logger
    private let tail: TailHub
    /// Draws from 0 up to 1; injected for tests.
    let jitter: () -> Double

    /// Jobs that have not ended, by number.
    var jobs: [Int64: ActiveJob] = [:]
    /// Their numbers by identifier.
    var numbers: [JobID: Int64] = [:]
    var queue = WorkQueue()
    var leases = LeaseTable()
    var workers: [PeerID: WorkerPeer] = [:]
    /// Claims that were answered with work.
    var servings: UInt64 = 0
    /// Until when items of jobs that were there at the start are kept for the workers that come back, and the first job that was not.
    private var kept: (until: Duration, firstNew: Int64)?
    /// When follow-ups and background retries are due.
    var later = LaterSchedule()

    var sessions = SessionTable()
    /// Sockets to which something of their streams is to be sent (`serveStreams`).
    var streams = UniqueQueue<SocketKey>()
    /// Bytes of streams that this turn may still send.
    var streamBudget: Int
    var v1Completions = V1Completions()
    /// Begins to make a frame, which comes back through `completionMade`.
    private let makeCompletion: (V1Completions.Request) -> Void
    var endedJobs = EndedJobs()
    /// Client messages that were ignored because their type or action is unknown (websocket.md "Client messages").
    var unknownMessages = 0
    var links: [PeerID: any PeerLink] = [:]
    var drafts: DraftTable
    /// Tokens whose clients were ready, until that is stored.
    var readyTokens = ReadyTokens()

    var timers = TimerQueue<EngineTimer>()
    var effects: [Effect] = []
    /// What this turn has done so far.
    var tally = TurnTally()
    var openWork = OpenWork()
    /// What happened to jobs in this turn, for those who follow.
    private var jobSteps: [TailEntry] = []
    /// Steps that must be synced and therefore run in a group of their own mode (jobs.md "Durability").
    var durableSteps: [DurableStep] = []

    init(
        policy: HostPolicy, logger: Logger, tail: TailHub = TailHub(), metrics: HostMetrics,
        jitter: @escaping () -> Double = { Double.random(in: 0..<1) },
        makeCompletion: @escaping (V1Completions.Request) -> Void
    ) {
        self.policy = policy
        self.metrics = metrics
        self.logger = logger
        self.tail = tail
        self.jitter = jitter
        self.makeCompletion = makeCompletion
        streamBudget = policy.streamBytesPerTurn
        drafts = DraftTable(limit: policy.draftLimit, itemLimit: policy.draftItemLimit)
    }

    /// Reads every open job again and forgets what was derived from the old reading. Sockets and connections stay.
    func reload(_ turn: Turn) throws {
        jobs = [:]
        numbers = [:]
        queue = WorkQueue()
        openWork = OpenWork()
        durableSteps.removeAll(where: \.followsFromState)
        for row in try turn.jobs.openJobs() {
            try activate(row, turn)
        }
        let dropped = leases.removeAll { item, lease in
            !lease.isLater && jobs[item.job]?.take(item.index) != true
        }
        leases.keepChanges()
        logger.debug("jobs read", metadata: ["open": "\(jobs.count)", "leases dropped": "\(dropped.count)"])
        try reloadLater(turn)
    }

    /// The process has just started: workers that were on items of open jobs come back for them.
    func keepForReturning(_ turn: Turn) throws {
        guard policy.returnGrace > .zero, let last = try turn.jobs.lastNumber() else { return }
        kept = (turn.now.uptime + policy.returnGrace, last + 1)
        timers.set(.returnGrace, at: turn.now.uptime + policy.returnGrace)
    }

    /// Whether items of a job are not handed out yet because a worker may come back that holds them.
    func isKeptForReturning(_ job: Int64, _ turn: Turn) -> Bool {
        kept.map { turn.now.uptime < $0.until && job < $0.firstNew } ?? false
    }

    /// Takes an open job into memory.
    @discardableResult
    func activate(_ row: JobRow, _ turn: Turn) throws -> ActiveJob {
        let job = ActiveJob(row: row, items: try turn.items.states(job: row.number), policy: policy, now: turn.now)
        jobs[row.number] = job
        numbers[row.id] = row.number
        openWork.opened(row, items: row.total - job.counts.processed)
        queue.add(row.number, of: row.origin.client, to: job.lane(interactiveLimit: policy.interactiveLimit))
        timers.setAtLatest(.deadlines, at: turn.now.uptime(atWall: row.deadlineAt))
        if job.throttle.isHolding {
            timers.set(.flush(job: row.number), at: turn.now.uptime + policy.progressInterval)
        }
        if job.allItemsEnded { scheduleEnd(job) }
        return job
    }

    /// Notes a step of a job; followers hear of it after the commit.
    func note(
        _ name: TailSubject.Step.Name, of job: JobRow, index: Int? = nil, result: String? = nil, code: String? = nil,
        _ turn: Turn
    ) {
        jobSteps.append(
            TailEntry(
                .init(name, index: index, result: result, code: code), job: job.id.text, job.trace, at: turn.now.wall))
    }

    /// Tells followers what happened to jobs.
    func publishSteps() {
        tail.publish(contentsOf: jobSteps)
        jobSteps.removeAll(keepingCapacity: true)
    }

    /// Begins to make the `complete` frames that sockets wait for, as far as few are made at once.
    func makeCompletions() {
        while let request = v1Completions.next() { makeCompletion(request) }
    }

    /// Nothing of it happened.
    func forgetSteps() { jobSteps.removeAll(keepingCapacity: true) }

    /// A job's row, from memory when it is open.
    func row(_ number: Int64, _ turn: Turn) throws -> JobRow? {
        try jobs[number]?.row ?? turn.jobs.job(number: number)
    }

    /// A job's counts, derived from its items.
    func counts(_ row: JobRow, _ turn: Turn) throws -> JobCounts {
        try jobs[row.number]?.counts ?? turn.items.counts(job: row.number, total: row.total)
    }

    /// Makes frames of a job as it is now.
    func composer(_ row: JobRow, _ turn: Turn) throws -> FrameComposer {
        let job = jobs[row.number]
        // After a restart the newest outcome is read again, else frames would name no item until the next one.
        if let job, job.latest == nil, job.counts.processed > 0 {
            job.latest = try turn.items.newestOutcome(job: row.number)
        }
        let latest = try job?.latest.map { outcome in
            LatestItem(
                title: outcome.title, found: outcome.found, asked: try outcome.asked ?? turn.items.query(outcome.item))
        }
        return FrameComposer(
            job: row, counts: try counts(row, turn), now: turn.now, latest: latest, pushedStatus: job?.pushedStatus)
    }

    func fire(_ timer: EngineTimer, _ turn: Turn) throws {
        switch timer {
        case .flush(let job): try flush(job, turn)
        case .keepAlive(let job): try keepAlive(job, turn)
        case .deadlines: try checkDeadlines(turn)
        case .retryItem(let item): requeue(item)
        case .leases: expireLeases(turn)
        case .socket(let key): try pollSocket(key, turn)
        case .streams: try serveStreams(turn)
        case .claim(let peer, let scope): answerClaim(scope, of: peer, with: [])
        case .later: try queueDueJobs(turn)
        case .housekeeping: try keepHouse(turn)
        case .storageProbe, .returnGrace: break
        }
    }
}

extension JobEngine {
    /// The turn is committed: what it changed stays. Hands out what the outside is to see.
    func keepTurn() -> [Effect] {
        sessions.keepChanges()
        leases.keepChanges()
        readyTokens.keepChanges()
        publishSteps()
        makeCompletions()
        streamBudget = policy.streamBytesPerTurn
        metrics.count(tally)
        metrics.show(self)
        tally.clear()
        return takeEffects()
    }

    /// The turn's transaction failed: sockets and leases are as they were before, jobs are read again by `reload`. What made the turn
    /// happen by itself, its timers and steps, comes again at `retryAt`.
    func undoTurn(timers fired: [EngineTimer], steps: [DurableStep], retryAt: Duration, _ failure: HostFailure) {
        sessions.undoChanges()
        leases.undoChanges()
        readyTokens.undoChanges()
        tally.clear()
        forgetSteps()
        v1Completions.undoTurn()
        streamBudget = policy.streamBytesPerTurn
        for key in sessions.inLine { streams.add(key) }
        if !streams.isEmpty { timers.setAtLatest(.streams, at: retryAt) }
        for timer in fired { timers.setAtLatest(timer, at: retryAt) }
        durableSteps = (steps + durableSteps).filter { !$0.followsFromState }
        for effect in takeEffects() { effect.abandon(failure) }
        for peer in workers.keys { failClaims(of: peer, failure) }
    }

    private func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }
}

/// A step that the engine itself decided on and that must be synced (jobs.md "Durability").
enum DurableStep: Equatable {
    /// Every item of the job has its outcome.
    case end(job: Int64)
    /// A client cancelled from its socket.
    case cancel(job: Int64)
    /// Tokens of live sockets move on.
    case extendTokens([Int64])

    /// Whether reading the stored state leads to the step again.
    var followsFromState: Bool {
        switch self {
        case .end, .extendTokens: true
        case .cancel: false
        }
    }
}

extension JobEngine {
    /// Runs the step that ends `job` in the next group, once.
    func scheduleEnd(_ job: ActiveJob) {
        guard !job.isEnding else { return }
        job.isEnding = true
        durableSteps.append(.end(job: job.row.number))
    }

    /// Takes the steps that wait.
    func takeSteps() -> [DurableStep] {
        defer { durableSteps = [] }
        return durableSteps
    }

    func perform(_ step: DurableStep, _ turn: Turn) throws {
        switch step {
        case .end(let number): try end(number, turn)
        case .cancel(let number): try cancelFromSocket(number, turn)
        case .extendTokens(let numbers): try extendTokens(numbers, turn)
        }
    }
}
