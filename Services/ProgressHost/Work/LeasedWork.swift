import BookstrackContract
import Logging
import Observability
import SuiteMethods
import SuiteStorage

/// The work that is handed out to workers: the queue of jobs, the workers and their claims, the leases on items, and the schedule of follow-ups and
/// background retries (jobs.md "Work", "Retries").
///
/// Leases and claims are never stored: they end with the process. The schedule of later work is a view of the database.
final class LeasedWork {
    /// Maximum number of due jobs that are added to the queue at once; further jobs wait for a later turn.
    private static let dueJobsPerTurn = 1_000
    /// Minimum delay before a job that has no more due items to hand out is checked again.
    private static let crowdedPause = Duration.milliseconds(200)

    private let context: EngineContext
    private let jobs: OpenJobs
    private var policy: HostPolicy { context.policy }

    private var queue = WorkQueue()
    private var leases = LeaseTable()
    private var workers: [PeerID: WorkerPeer] = [:]
    /// Number of claims answered with work.
    private var servings: UInt64 = 0
    /// Until when the previous process's jobs are reserved for returning workers, and the number of the first newer job.
    private var kept: (until: Duration, firstNew: Int64)?
    /// When follow-ups and background retries are due.
    private var later = LaterSchedule()

    init(_ context: EngineContext, _ jobs: OpenJobs) {
        self.context = context
        self.jobs = jobs
    }

    var leaseCount: Int { leases.count }
    var workerCount: Int { workers.count }

    func isAttached(_ peer: PeerID) -> Bool { workers[peer] != nil }

    /// The lease of an item; nil if no worker holds it.
    subscript(item: ItemNumber) -> LeaseTable.Lease? { leases[item] }

    /// Number of leases for a job's first lookups.
    func leaseCount(ofJob job: Int64) -> Int { leases.count(job: job) }

    func count(in lane: WorkQueue.Lane) -> Int { queue.count(in: lane) }

    /// When the next follow-up or background retry is due, on the wall clock; the current time if a job with one is queued, nil if none is planned.
    func nextLater(_ now: Moment) -> Int64? {
        let isWaiting = queue.count(in: .followUp) + queue.count(in: .backgroundRetry) > 0
        return isWaiting ? now.wall : later.next.map(now.wall(atSettled:))
    }

    // MARK: Jobs

    /// Puts a job into its lane, unless it is already there.
    func queue(_ job: ActiveJob) {
        queue.add(
            job.row.number, of: job.row.origin.client, to: job.lane(interactiveLimit: policy.interactiveLimit))
    }

    /// Makes a change that may move a job to another lane, and then puts the job into its lane.
    func queue(_ job: ActiveJob, after change: () -> Void) {
        let before = job.lane(interactiveLimit: policy.interactiveLimit)
        change()
        if job.lane(interactiveLimit: policy.interactiveLimit) != before {
            queue.remove(job.row.number, of: job.row.origin.client, from: before)
        }
        queue(job)
    }

    /// Removes a job from its lane.
    func remove(_ job: ActiveJob) {
        queue.remove(
            job.row.number, of: job.row.origin.client, from: job.lane(interactiveLimit: policy.interactiveLimit))
    }

    /// Clears the queue before jobs are read again.
    func removeAllJobs() { queue = WorkQueue() }

    /// Called after the open jobs have been read again: marks the items leased for first lookups as taken, drops the leases of those that are no
    /// longer open, and reads the schedule of later work.
    func reload(_ turn: Turn) throws {
        let dropped = leases.removeAll { item, lease in
            !lease.isLater && jobs[item.job]?.take(item.index) != true
        }
        leases.keepChanges()
        context.logger.debug("jobs read", metadata: ["open": "\(jobs.count)", "leases dropped": "\(dropped.count)"])
        later = LaterSchedule()
        for (job, state, due) in try turn.later.earliest() {
            later.plan(job, state == .succeeded ? .followUp : .backgroundRetry, at: due)
        }
        armLater(turn)
    }

    /// Called after the process's first write: for ``HostPolicy/returnGrace``, no items of earlier jobs are handed out, so the workers that were
    /// processing them can attach first.
    func keepForReturning(_ turn: Turn) throws {
        guard policy.returnGrace > .zero, let last = try turn.jobs.lastNumber() else { return }
        kept = (turn.now.uptime + policy.returnGrace, last + 1)
        context.timers.set(.returnGrace, at: turn.now.uptime + policy.returnGrace)
    }

    /// Whether a job's items are not handed out yet because a worker that holds them may reconnect.
    private func isKeptForReturning(_ job: Int64, _ turn: Turn) -> Bool {
        kept.map { turn.now.uptime < $0.until && job < $0.firstNew } ?? false
    }

    // MARK: Workers

    /// Attaches a worker and leases to it those of its `held` items that it is to finish; returns the others.
    func attach(_ link: any PeerLink, held: [ItemKey], _ turn: Turn) throws -> [ItemKey] {
        for scope in ClaimWork.Scope.allCases { endClaim(scope, of: link.id) }
        workers[link.id] = WorkerPeer()
        context.connect(link)
        let unwanted = try held.filter { try !keep($0, for: link.id, turn) }
        context.logger.info(
            "worker attached", metadata: ["worker": "\(link.id)", "held": "\(held.count - unwanted.count)"])
        return unwanted
    }

    /// Leases to a worker an item that it still holds. False if the item is no longer needed from this worker, for example because the job was
    /// cancelled or another worker holds the item.
    private func keep(_ key: ItemKey, for peer: PeerID, _ turn: Turn) throws -> Bool {
        if let job = jobs[key.jobId], job.take(key.index) {
            lease(ItemNumber(job: job.row.number, index: key.index), to: peer, isLater: false, turn)
            return true
        }
        guard let row = try jobs.row(key.jobId, turn),
            let item = ItemNumber(job: row.number, index: key.index, total: row.total), leases[item] == nil,
            try turn.later.isPlanned(item)
        else { return false }
        lease(item, to: peer, isLater: true, turn)
        return true
    }

    /// Handles a worker's disconnection: its leases end. Items leased for first lookups can be handed out again at once, the others when they are due
    /// again.
    func disconnected(_ peer: PeerID) {
        for scope in ClaimWork.Scope.allCases { context.timers.cancel(.claim(peer, scope)) }
        workers[peer] = nil
        for (item, lease) in leases.removeAll(where: { $1.holder == peer }) where !lease.isLater { requeue(item) }
    }

    // MARK: Leases

    private func lease(
        _ item: ItemNumber, to peer: PeerID, isLater: Bool, asked: BookQuery? = nil, _ turn: Turn
    ) {
        let until = turn.now.uptime + policy.leaseTimeout
        context.timers.setAtLatest(.leases, at: until)
        leases.add(item, LeaseTable.Lease(holder: peer, until: until, isLater: isLater, asked: asked))
    }

    /// Ends an item's lease and returns it; nil if there was none.
    @discardableResult
    func endLease(of item: ItemNumber) -> LeaseTable.Lease? { leases.remove(item) }

    /// Takes back items that a worker returns without an outcome.
    func release(_ keys: [ItemKey], from peer: PeerID, _ turn: Turn) throws {
        for key in keys {
            guard let row = try jobs.row(key.jobId, turn),
                let item = ItemNumber(job: row.number, index: key.index, total: row.total),
                let lease = leases[item], lease.holder == peer
            else { continue }
            leases.remove(item)
            if !lease.isLater { requeue(item) }
        }
    }

    func expireLeases(_ turn: Turn) {
        for (item, lease) in leases.removeAll(where: { $1.until <= turn.now.uptime }) {
            context.logger.notice(
                "lease expired", metadata: ["item": "\(item.rawValue)", "worker": "\(lease.holder)"])
            if !lease.isLater { requeue(item) }
        }
        if !leases.isEmpty { context.timers.set(.leases, at: turn.now.uptime + .seconds(1)) }
    }

    /// Puts an item of an open job back into the job's queue unless it is leased. Not used for later work, which returns when it is due again.
    func requeue(_ item: ItemNumber) {
        guard leases[item] == nil, let job = jobs[item.job] else { return }
        job.putBack(item.index)
        queue(job)
    }

    /// Withdraws a job's items from all workers, because even a worker whose lease has expired may still be processing them.
    func withdraw(_ job: JobRow) {
        _ = leases.removeAll { item, _ in item.job == job.number }
        guard job.startedAt != nil else { return }
        for peer in workers.keys {
            context.notify(WorkWithdrawn.self, WorkWithdrawn.Parameters(jobs: [job.id]), to: peer)
        }
    }

    // MARK: Claims

    /// Accepts an attached worker's claim, which replaces its previous one with the same scope. `serveClaims` answers it when there is work, and its
    /// timer answers it without items.
    func claim(
        _ parameters: ClaimWork.Parameters, from peer: PeerID, _ turn: Turn,
        isAwaited: @escaping @Sendable () -> Bool, reply: @escaping Reply<ClaimWork.Result>
    ) {
        guard workers[peer] != nil else {
            return context.afterCommit(Effect(commit: { reply(.failure(.notAttached)) }))
        }
        let scope = parameters.scope
        endClaim(scope, of: peer)
        workers[peer]?.claims[scope] = WorkerPeer.Claim(
            limit: min(max(parameters.limit, 1), 500), perJob: max(parameters.perJob, 1), isAwaited: isAwaited,
            reply: reply)
        context.timers.set(
            .claim(peer, scope),
            at: turn.now.uptime + .milliseconds(min(max(parameters.waitMilliseconds, 0), 30_000)))
    }

    /// Answers waiting claims while there is work. Claims with the scope `firstLookups` are answered first, so items of interactive jobs use a
    /// worker's general capacity before its interactive capacity. Called at the end of each turn while storage works.
    ///
    /// - Parameter start: Starts a pending job when its first item is handed out.
    func serveClaims(_ turn: Turn, starting start: (ActiveJob) throws -> Void) throws {
        for scope in ClaimWork.Scope.allCases {
            for (peer, worker) in workers where worker.claims[scope]?.isAwaited() == false {
                endClaim(scope, of: peer)
            }
            try serveClaims(of: scope, turn, start)
        }
    }

    /// Answers the waiting claims with one scope. Workers take turns, so a job's items do not all go to the first worker; the least recently served
    /// worker comes first.
    private func serveClaims(
        of scope: ClaimWork.Scope, _ turn: Turn, _ start: (ActiveJob) throws -> Void
    ) throws {
        let inTurn = workers.sorted { $0.value.lastServed < $1.value.lastServed }
        var open = inTurn.compactMap { peer, worker in
            worker.claims[scope].map { OpenClaim(peer: peer, claim: $0, scope: scope) }
        }
        let isShared = open.count > 1
        while !open.isEmpty {
            var next: [OpenClaim] = []
            for var one in open {
                let left = one.claim.limit - one.items.count
                let atMost = isShared ? min(policy.claimChunk, left) : left
                let items = try handOut(atMost, to: &one, turn, start)
                one.items += items
                if isShared, !items.isEmpty, items.count < left {
                    next.append(one)
                } else if !one.items.isEmpty {
                    servings += 1
                    workers[one.peer]?.lastServed = servings
                    endClaim(scope, of: one.peer, with: one.items)
                }
            }
            open = next
        }
    }

    /// Answers a claim after the commit.
    func endClaim(_ scope: ClaimWork.Scope, of peer: PeerID, with items: [ClaimedItem] = []) {
        guard let claim = workers[peer]?.claims.removeValue(forKey: scope) else { return }
        context.timers.cancel(.claim(peer, scope))
        context.afterCommit(
            Effect(
                commit: { claim.reply(.success(ClaimWork.Result(items: items))) },
                abandon: { claim.reply(.failure($0)) }))
    }

    /// Fails all waiting claims immediately. Called after a failed transaction.
    func failClaims(_ failure: HostFailure) {
        for (peer, worker) in workers {
            workers[peer]?.claims = [:]
            for (scope, claim) in worker.claims {
                context.timers.cancel(.claim(peer, scope))
                claim.reply(.failure(failure))
            }
        }
    }

    private func handOut(
        _ limit: Int, to claim: inout OpenClaim, _ turn: Turn, _ start: (ActiveJob) throws -> Void
    ) throws -> [ClaimedItem] {
        try queue.handOut(limit, of: claim.scope.lanes, chunk: chunk(of: claim)) { number, lane, atMost in
            if isKeptForReturning(number, turn) { return ([], .items) }
            return claim.scope == .later
                ? try takeLater(atMost, of: number, lane, for: &claim, turn)
                : try take(atMost, of: number, lane, for: &claim, turn, start)
        }
    }

    /// Maximum number of items handed out each time it is a job's turn: as many as fit into one request to Open Library, but for later work at most
    /// an equal share of the claim.
    private func chunk(of claim: OpenClaim) -> Int {
        guard claim.scope == .later else { return policy.claimChunk }
        let jobs = claim.scope.lanes.reduce(0) { $0 + queue.count(in: $1) }
        return max(1, min(policy.claimChunk, claim.claim.limit / max(1, jobs)))
    }

    /// Leases items of an open job that are ready to be handed out, and starts the job if it is pending.
    private func take(
        _ limit: Int, of number: Int64, _ lane: WorkQueue.Lane, for claim: inout OpenClaim, _ turn: Turn,
        _ start: (ActiveJob) throws -> Void
    ) throws -> (items: [ClaimedItem], rest: WorkQueue.Rest) {
        guard let job = jobs[number] else { return ([], .nothing) }
        let limit = min(limit, claim.claim.perJob - leases.count(job: number, holder: claim.peer))
        var items: [ClaimedItem] = []
        while !claim.room.isFull, let taken = job.takeReady(atMost: limit - items.count) {
            for (item, query) in try turn.items.queries(job: number, taken) {
                let spine = try spine(item, of: job.row, turn)
                guard try claim.room.take(query, spine) else {
                    job.untake(item.index...taken.upperBound)
                    break
                }
                lease(item, to: claim.peer, isLater: false, asked: query, turn)
                items.append(
                    ClaimedItem(
                        key: ItemKey(jobId: job.row.id, index: item.index), query: query, workClass: lane.workClass,
                        attempts: job.attempts(of: item.index), client: job.row.origin.client,
                        spine: spine, trace: job.row.trace))
            }
        }
        if !items.isEmpty, job.row.status == .pending { try start(job) }
        return (items, claim.room.isFull ? .claimIsFull : job.hasReadyItems ? .items : .nothing)
    }

    private func spine(_ item: ItemNumber, of job: JobRow, _ turn: Turn) throws -> SpineItem? {
        job.pipeline == .aiScan ? try turn.scans.spine(item) : nil
    }

    // MARK: Follow-ups and background retries

    /// Plans later work on a job's items at `due`; if that time has come, queues the job immediately.
    func planLater(_ job: JobRow, _ lane: WorkQueue.Lane, at due: Int64, _ turn: Turn) {
        guard due > turn.now.settled else { return queue.add(job.number, of: job.origin.client, to: lane) }
        later.plan(job.number, lane, at: due)
        armLater(turn)
    }

    /// Whether follow-ups or background retries of a job are due or in progress.
    func hasLaterWork(_ job: Int64, _ turn: Turn) throws -> Bool {
        if leases.count(job: job, isLater: true) > 0 { return true }
        return try [ItemState.succeeded, .failed].contains { state in
            try turn.later.nextDue(job: job, state).map { $0 <= turn.now.settled } ?? false
        }
    }

    /// Queues jobs whose items have become due, and sets the timer for the next ones.
    func queueDueJobs(_ turn: Turn) throws {
        for _ in 0..<Self.dueJobsPerTurn {
            guard let (job, lane) = later.popDue(at: turn.now.settled) else { break }
            queue.add(job, of: try turn.later.client(ofJob: job), to: lane)
        }
        armLater(turn)
    }

    private func armLater(_ turn: Turn) {
        if let next = later.next { context.timers.setAtLatest(.later, at: turn.now.uptime(atSettled: next)) }
    }

    /// Leases due items of a job, longest waiting first.
    private func takeLater(
        _ limit: Int, of number: Int64, _ lane: WorkQueue.Lane, for claim: inout OpenClaim, _ turn: Turn
    ) throws -> (items: [ClaimedItem], rest: WorkQueue.Rest) {
        guard let row = try jobs.row(number, turn) else { return ([], .nothing) }
        let held = leases.count(job: number, isLater: true)
        let places = min(
            limit, claim.claim.perJob - leases.count(job: number, isLater: true, holder: claim.peer))
        guard places > 0 else { return ([], .items) }
        let state: ItemState = lane == .followUp ? .succeeded : .failed
        // Items that a worker kept across a restart are both leased and due. The limit allows for all leased items, and for one more item, which
        // shows whether others remain.
        let due = try turn.later.due(job: number, state, at: turn.now.settled, limit: places + held + 1)
        var items: [ClaimedItem] = []
        for (item, round) in due where leases[item] == nil {
            guard items.count < places else { return (items, .items) }
            guard let query = try turn.items.query(item) else { continue }
            let spine = try spine(item, of: row, turn)
            guard try claim.room.take(query, spine) else { return (items, .claimIsFull) }
            // The item is due again when its lease expires, even if this process has stopped by then and the lease is lost.
            try turn.later.postpone(item, until: turn.now.settled + policy.leaseTimeout.milliseconds, round: round)
            lease(item, to: claim.peer, isLater: true, turn)
            items.append(
                ClaimedItem(
                    key: ItemKey(jobId: row.id, index: item.index), query: query, workClass: lane.workClass,
                    attempts: round, client: row.origin.client, spine: spine, trace: row.trace))
        }
        if let next = try turn.later.nextDue(job: number, state) {
            later.plan(number, lane, at: max(next, turn.now.settled + Self.crowdedPause.milliseconds))
            armLater(turn)
        }
        return (items, .nothing)
    }

    // MARK: The end of a turn

    func keepTurn() { leases.keepChanges() }

    func undoTurn() { leases.undoChanges() }
}
