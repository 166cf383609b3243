import BookstrackContract
import Logging
import Observability
import SuiteMethods
import SuiteStorage

/// The state of every job, and the protocol of every socket that follows one (Services/README.md).
///
/// Coordinates its parts, each of which has its own state (engine-thread.md "The engine's parts"). Decisions that involve several parts are made
/// here; a call that concerns only one part goes to that part. One thread at a time uses the engine, inside one transaction per group of commands
/// (`EngineThread`). Side effects are added to `context` and run after the commit. After a failed transaction, `undoTurn` restores sockets and
/// leases, and `reload` reads jobs and scheduled work from the database again.
final class JobEngine {
    let context: EngineContext
    let jobs: OpenJobs
    var drafts: DraftTable
    let tokens: JobTokens
    let work: LeasedWork
    let webhooks: WebhookQueue
    let rollups = QualityRollups()
    /// Ended jobs whose results have improved and whose followers have not been notified yet, with the time of the first improvement or, if that is
    /// later, of the last `reload`. The jobs are a view of the database; the times are not stored.
    var pendingUpdates: [Int64: Duration] = [:]
    let readingSteps: ReadingSteps<OpenImport>
    let scans: ReadingSteps<OpenScan>
    let uploads: UploadFolder
    let streams: SocketStreams
    let connections: SocketConnections
    let metrics: HostMetrics
    /// Whether every open job was read when the stored state was last read.
    private var hasAllJobs = false
    /// Whether this process is about to close all connections.
    private var isStopping = false
    /// Returns a random number in 0..<1; replaced by tests.
    let jitter: () -> Double

    var policy: HostPolicy { context.policy }
    var logger: Logger { context.logger }

    init(
        policy: HostPolicy, logger: Logger, tail: TailHub = TailHub(), metrics: HostMetrics,
        uploads: UploadFolder, jitter: @escaping () -> Double = { Double.random(in: 0..<1) },
        makeCompletion: @escaping (V1Completions.Request) -> Void
    ) {
        self.metrics = metrics
        self.jitter = jitter
        context = EngineContext(policy: policy, logger: logger, tail: tail)
        jobs = OpenJobs(context)
        drafts = DraftTable(limit: policy.draftLimit, itemLimit: policy.draftItemLimit)
        tokens = JobTokens(policy)
        work = LeasedWork(context, jobs)
        webhooks = WebhookQueue(context)
        readingSteps = ReadingSteps(
            context, uploads, WaitingClaims(context, nothing: .init(step: nil), timer: EngineTimer.importClaim))
        scans = ReadingSteps(
            context, uploads, WaitingClaims(context, nothing: .init(step: nil), timer: EngineTimer.scanClaim))
        self.uploads = uploads
        streams = SocketStreams(context, jobs, makeCompletion: makeCompletion)
        connections = SocketConnections(context, jobs, tokens, streams)
    }

    /// Reads every open job again and drops the state derived from the previous reading. Sockets and connections are kept.
    func reload(_ turn: Turn) throws {
        hasAllJobs = false
        jobs.removeAll()
        work.removeAllJobs()
        readingSteps.removeAll()
        scans.removeAll()
        context.dropStepsOfState()
        for row in try turn.jobs.openJobs() { try activate(row, turn) }
        try reopenScans(turn)
        try work.reload(turn)
        try reloadUpdates(turn)
        try rollups.reload(turn)
        readingSteps.reload()
        scans.reload()
        hasAllJobs = true
    }

    /// Loads an open job into memory.
    func activate(_ row: JobRow, _ turn: Turn) throws {
        // If a job was accepted while the clock was ahead, its stored deadline is too late by the same amount.
        let deadline = min(turn.now.uptime(atSettled: row.deadlineAt), turn.now.uptime + policy.jobDeadline)
        context.timers.setAtLatest(.deadlines, at: deadline)
        if row.pipeline == .csvImport, let open = try turn.imports.import(row) {
            readingSteps.open(open, turn)
            let reading = FileReading(file: open.file, bytesRead: open.bytesRead)
            let job = jobs.open(row, deadline: deadline, reading: reading)
            return readingSteps.hasFailed(open) ? scheduleEnd(job) : ()
        }
        if row.status == .cancelling {
            let job = try jobs.open(row, deadline: deadline, turn)
            jobs.itemsEnded(row.total - job.counts.processed)
            job.endOpenItems(as: .skipped, .cancelled)
            job.isEnding = true
            job.failsWithImport = try turn.imports.hasFailed(enrichment: row.number)
            return context.schedule(.endRemainingItems(job: row.number))
        }
        if row.pipeline == .aiScan, let scan = try turn.scans.scan(row) {
            return try activate(scan, row, deadline: deadline, turn)
        }
        if let open = holder(of: row) { return jobs.open(row, deadline: deadline, heldFor: open.file) }
        proceed(with: try jobs.open(row, deadline: deadline, turn), turn)
    }

    /// Queues a job that has been loaded into memory. Plans the update that its watchers may not have received, and the end of the job if all its
    /// items and photos have outcomes.
    func proceed(with job: ActiveJob, _ turn: Turn) {
        work.queue(job)
        if job.throttle.isHolding {
            context.timers.set(.flush(job: job.row.number), at: turn.now.uptime + policy.progressInterval)
        }
        if job.allItemsEnded { scheduleEnd(job) }
    }

    // MARK: Turns

    func fire(_ timer: EngineTimer, _ turn: Turn) throws {
        switch timer {
        case .flush(let job): try flush(job, turn)
        case .keepAlive(let job): try streams.keepAlive(job, turn)
        case .deadlines: try checkDeadlines(turn)
        case .retryItem(let item): work.requeue(item)
        case .leases: work.expireLeases(turn)
        case .socket(let key): try connections.poll(key, turn)
        case .streams: try streams.serve(turn)
        case .claim(let peer, let scope): work.endClaim(scope, of: peer)
        case .importClaim(let peer): readingSteps.claims.end(of: peer)
        case .scanClaim(let peer): scans.claims.end(of: peer)
        case .readingLeases:
            readingSteps.expireLeases(turn)
            scans.expireLeases(turn)
        case .lostSteps: try countLostSteps(turn)
        case .reservations: try checkReservations(turn)
        case .later: try work.queueDueJobs(turn)
        case .resultsUpdate(let job): try sendUpdate(of: job, turn)
        case .acknowledgments: try tokens.storeAcknowledgments(turn)
        case .webhookClaim(let peer): webhooks.claims.end(of: peer)
        case .housekeeping: try doHousekeeping(turn)
        // `webhooks` and `returnGrace` only cause a turn, at the end of which claims are answered. `EngineLoop` handles `storageProbe`.
        case .webhooks, .storageProbe, .returnGrace: break
        }
    }

    func perform(_ step: DurableStep, _ turn: Turn) throws {
        switch step {
        case .end(let number): try end(number, turn)
        case .cancel(let number): try cancelFromSocket(number, turn)
        case .endRemainingItems(let number): try endRemainingItems(number, turn)
        case .extendTokens(let numbers): streams.setExpiry(ofTokens: try tokens.extend(numbers, turn))
        }
    }

    /// Ends a turn while storage works: answers claims, stores the quality rollups, and records the tokens whose clients have sent `ready`.
    func finish(_ turn: Turn) throws {
        try work.serveClaims(turn) { try start($0, turn) }
        try serveImportClaims(turn)
        try serveScanClaims(turn)
        try webhooks.serveClaims(turn)
        try tokens.store(turn)
        try rollups.store(turn)
    }

    /// Keeps the changes of a committed turn, and returns the effects to run.
    func keepTurn() -> [Effect] {
        streams.keepTurn()
        work.keepTurn()
        readingSteps.keepTurn()
        scans.keepTurn()
        tokens.keepTurn()
        metrics.count(context.tally)
        metrics.quality.count(rollups)
        rollups.keepTurn()
        metrics.show(self)
        return context.keepTurn()
    }

    /// Reverts a turn whose transaction failed: sockets and leases are restored here, and jobs by the `reload` that follows. The turn's own timers
    /// fire again by `retryAt`, and its steps run once storage works again. Waiting claims receive the failure.
    func undoTurn(timers fired: [EngineTimer], steps: [DurableStep], retryAt: Duration, _ failure: HostFailure) {
        streams.undoTurn(retryAt: retryAt)
        work.undoTurn()
        readingSteps.undoTurn()
        scans.undoTurn()
        tokens.undoTurn()
        rollups.undoTurn()
        context.undoTurn(timers: fired, steps: steps, retryAt: retryAt, failure)
        work.failClaims(failure)
        readingSteps.claims.fail(failure)
        scans.claims.fail(failure)
        webhooks.claims.fail(failure)
    }

    // MARK: Connected processes

    /// Accepts an attached worker's claim for a file, for photos or for a webhook. The claim is answered when there is work for it, or when its timer
    /// expires.
    func claim<Outcome>(
        _ parameters: ClaimImport.Parameters, in claims: WaitingClaims<Outcome>, from peer: PeerID, _ turn: Turn,
        isAwaited: @escaping @Sendable () -> Bool = { true }, reply: @escaping Reply<Outcome>
    ) {
        guard work.isAttached(peer) else {
            return context.afterCommit(Effect(commit: { reply(.failure(.notAttached)) }))
        }
        claims.add(peer, waitMilliseconds: parameters.waitMilliseconds, turn, isAwaited: isAwaited, reply: reply)
    }

    /// Called before this process closes all connections and stops. From then on, the end of a connection does not mean that a worker has failed, so
    /// attempts to read files or photos that end with it are not counted (imports.md "Life").
    func prepareToStop() { isStopping = true }

    /// Drops a closed connection with its claims, leases, sockets and drafts.
    func disconnected(_ peer: PeerID) {
        guard !isStopping else { return }
        context.disconnect(peer)
        drafts.removeAll(owner: peer)
        work.disconnected(peer)
        readingSteps.disconnected(peer)
        scans.disconnected(peer)
        webhooks.claims.end(of: peer)
        streams.forgetAll(of: peer)
    }
}

// MARK: Housekeeping

extension JobEngine {
    /// Maximum number of tokens extended in one step.
    private static let tokensPerStep = 500
    /// Maximum number of jobs removed in one turn.
    private static let jobsPerSweep = 20
    /// Maximum number of orphaned uploads removed after one turn, and of ended scans whose photos are removed to save space.
    private static let uploadsPerSweep = 20
    /// Maximum number of uploads checked in one turn. They are chosen at random; otherwise, the photos of scans, which are kept as long as the
    /// results, could be the only uploads ever checked.
    private static let uploadsPerLook = 200
    /// Maximum number of database pages freed in one turn: 4 MiB.
    private static let pagesPerSweep = 1_024
    private static let maxInterval = Duration.seconds(30)
    private static let shortestInterval = Duration.milliseconds(500)
    /// Interval between sweeps while a backlog remains; small steps allow commands to run in between.
    private static let backlogInterval = Duration.milliseconds(100)

    /// Schedules the extension of live sockets' tokens, and removes old analytics, expired jobs, and files that are no longer kept. Also queues later
    /// work that has become due because a jump of the wall clock was accepted (``SettledTime``).
    func doHousekeeping(_ turn: Turn) throws {
        lookForEndingTokens(turn.now)
        try work.queueDueJobs(turn)
        try turn.rollups.delete(before: RollupKey.day(turn.now.settled) - Int64(QueryAnalytics.daysKept) + 1)
        let isBacklog = try sweep(turn)
        context.timers.set(.housekeeping, at: turn.now.uptime + (isBacklog ? Self.backlogInterval : interval))
    }

    /// Schedules the extension of live sockets' tokens before they expire (websocket.md "Tokens").
    private func lookForEndingTokens(_ now: Moment) {
        let limit = now.wall + policy.tokens.refreshWindow.milliseconds
        let ending = streams.tokens(endingBefore: limit + 1, atMost: Self.tokensPerStep)
        if !ending.isEmpty { context.schedule(.extendTokens(Array(ending))) }
    }

    /// The interval between housekeeping turns. It is short enough for a live socket's token to be checked within its refresh window.
    private var interval: Duration {
        min(Self.maxInterval, max(Self.shortestInterval, policy.tokens.refreshWindow / 2))
    }

    /// Removes a limited number of expired jobs, uploads, rows and free pages; returns whether more may remain.
    private func sweep(_ turn: Turn) throws -> Bool {
        let expired = try turn.sweep.expiredJobs(at: turn.now.settled, limit: Self.jobsPerSweep)
        for number in expired { try remove(number, turn) }
        if !expired.isEmpty {
            try webhooks.reload(turn)
            logger.info("expired jobs removed", metadata: ["count": "\(expired.count)"])
        }
        // If some jobs could not be read, their uploads look as if no job needed them.
        let uploaded = hasAllJobs ? uploads.jobs() : []
        let beyond = try turn.scans.scansWithPhotos(beyond: policy.photoBytes)
        let evicted = uploaded.filter { beyond.contains($0) && scans[$0] == nil }.prefix(Self.uploadsPerSweep)
        if !evicted.isEmpty { logger.info("photos of ended scans removed", metadata: ["scans": "\(evicted.count)"]) }
        let orphaned = try uploaded.shuffled().prefix(Self.uploadsPerLook).filter { id in
            try readingSteps[id] == nil && scans[id] == nil && !turn.scans.keepsPhotos(id)
        }.prefix(Self.uploadsPerSweep)
        context.afterCommit(
            Effect(commit: { [uploads, scans, metrics] in
                // A command of this turn may have scheduled photos to be read again.
                for id in orphaned + evicted where scans[id] == nil { uploads.remove(id) }
                metrics.imports.swept(orphaned.count)
            }))
        let moreRows = try turn.sweep.deleteRows(limit: policy.rowsPerSweep)
        let morePages = try turn.sweep.vacuum(pages: Self.pagesPerSweep)
        return moreRows || morePages || expired.count == Self.jobsPerSweep
            || max(evicted.count, orphaned.count) == Self.uploadsPerSweep
    }
}

/// A step that the engine itself scheduled and that must be synced (jobs.md "Durability").
enum DurableStep: Equatable {
    /// Ends the job, for example because every item has an outcome.
    case end(job: Int64)
    /// A client cancelled the job over its socket.
    case cancel(job: Int64)
    /// Ends more items of a job that is being cancelled or that fails with its import.
    case endRemainingItems(job: Int64)
    /// Extends the tokens of live sockets.
    case extendTokens([Int64])

    /// Whether the step is scheduled again when the stored state is read or, for tokens, by the next housekeeping.
    var followsFromState: Bool {
        switch self {
        case .end, .endRemainingItems, .extendTokens: true
        case .cancel: false
        }
    }
}
