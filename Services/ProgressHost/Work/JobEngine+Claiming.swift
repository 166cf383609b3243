import BookstrackContract
import SuiteMethods
import SuiteStorage

extension JobEngine {
    /// Takes a claim; it is answered by `serveClaims` when there is work, or by its timer.
    func claim(
        _ parameters: ClaimWork.Parameters, from peer: PeerID, _ turn: Turn,
        isAwaited: @escaping @Sendable () -> Bool = { true }, reply: @escaping Reply<ClaimWork.Result>
    ) {
        guard workers[peer] != nil else {
            return reply(.failure(.invalidRequest("a worker attaches before it claims")))
        }
        let scope = parameters.scope
        answerClaim(scope, of: peer, with: [])
        workers[peer]?.claims[scope] = WorkerPeer.Claim(
            limit: min(max(parameters.limit, 1), 500), perJob: max(parameters.perJob, 1), isAwaited: isAwaited,
            reply: reply)
        timers.set(
            .claim(peer, scope),
            at: turn.now.uptime + .milliseconds(min(max(parameters.waitMilliseconds, 0), 30_000)))
    }

    /// Answers waiting claims as far as there is work, claims for any kind of work first: a worker's interactive capacity is used only once
    /// its general capacity is full. Called at the end of each turn.
    func serveClaims(_ turn: Turn) throws {
        for scope in ClaimWork.Scope.allCases {
            for (peer, worker) in workers where worker.claims[scope]?.isAwaited() == false {
                answerClaim(scope, of: peer, with: [])
            }
            try serveClaims(of: scope, turn)
        }
    }

    /// Workers take turns at full requests, so that a job's items do not all go to the first of them; who was served longest ago begins.
    private func serveClaims(of scope: ClaimWork.Scope, _ turn: Turn) throws {
        let inTurn = workers.sorted { $0.value.lastServed < $1.value.lastServed }
        var open = inTurn.compactMap { peer, worker in
            worker.claims[scope].map { OpenClaim(peer: peer, claim: $0) }
        }
        let isShared = open.count > 1
        while !open.isEmpty {
            var next: [OpenClaim] = []
            for var one in open {
                let left = one.claim.limit - one.items.count
                let atMost = isShared ? min(policy.claimChunk, left) : left
                let items = try handOut(atMost, one.claim, scope, to: one.peer, &one.room, turn)
                one.items += items
                if isShared, !items.isEmpty, items.count < left {
                    next.append(one)
                } else if !one.items.isEmpty {
                    servings += 1
                    workers[one.peer]?.lastServed = servings
                    answerClaim(scope, of: one.peer, with: one.items)
                }
            }
            open = next
        }
    }

    /// A claim that is being answered.
    private struct OpenClaim {
        let peer: PeerID
        let claim: WorkerPeer.Claim
        var items: [ClaimedItem] = []
        var room = ClaimRoom()
    }

    /// Answers a claim after the commit.
    func answerClaim(_ scope: ClaimWork.Scope, of peer: PeerID, with items: [ClaimedItem]) {
        guard let claim = workers[peer]?.claims.removeValue(forKey: scope) else { return }
        timers.cancel(.claim(peer, scope))
        effects.append(
            Effect(
                commit: { claim.reply(.success(ClaimWork.Result(items: items))) },
                abandon: { claim.reply(.failure($0)) }))
    }

    /// Tells a worker that its claims will not be answered.
    func failClaims(of peer: PeerID, _ failure: HostFailure) {
        guard let claims = workers[peer]?.claims else { return }
        workers[peer]?.claims = [:]
        for (scope, claim) in claims {
            timers.cancel(.claim(peer, scope))
            claim.reply(.failure(failure))
        }
    }

    private func handOut(
        _ limit: Int, _ claim: WorkerPeer.Claim, _ scope: ClaimWork.Scope, to peer: PeerID, _ room: inout ClaimRoom,
        _ turn: Turn
    ) throws -> [ClaimedItem] {
        try queue.hand(out: limit, of: scope.lanes, chunk: chunk(of: claim, scope)) { number, lane, atMost in
            if isKeptForReturning(number, turn) { return ([], .items) }
            return scope == .later
                ? try takeLater(atMost, of: number, lane, claim, for: peer, &room, turn)
                : try take(atMost, of: number, lane, claim, for: peer, &room, turn)
        }
    }

    /// Items of a job's turn: what fits one request to a provider, but of what is done later no more than an even share.
    private func chunk(of claim: WorkerPeer.Claim, _ scope: ClaimWork.Scope) -> Int {
        guard scope == .later else { return policy.claimChunk }
        let jobs = scope.lanes.reduce(0) { $0 + queue.count(in: $1) }
        return max(1, min(policy.claimChunk, claim.limit / max(1, jobs)))
    }

    private func take(
        _ limit: Int, of number: Int64, _ lane: WorkQueue.Lane, _ claim: WorkerPeer.Claim, for peer: PeerID,
        _ room: inout ClaimRoom, _ turn: Turn
    ) throws -> (items: [ClaimedItem], rest: WorkQueue.Rest) {
        guard let job = jobs[number] else { return ([], .nothing) }
        let limit = min(limit, claim.perJob - leases.count(job: number, holder: peer))
        var items: [ClaimedItem] = []
        while items.count < limit, !room.isFull, let index = job.takeReady() {
            let item = ItemNumber(job: number, index: index)
            guard let query = try turn.items.query(item) else { continue }
            guard room.take(query) else {
                job.untake(index)
                break
            }
            lease(item, to: peer, isLater: false, asked: query, turn)
            items.append(
                ClaimedItem(
                    key: ItemKey(jobId: job.row.id, index: index), query: query, workClass: lane.workClass,
                    attempts: job.attempts(of: index), client: job.row.origin.client, trace: job.row.trace))
        }
        if !items.isEmpty, job.row.status == .pending { try start(job, turn) }
        return (items, room.isFull ? .claimIsFull : job.hasReadyItems ? .items : .nothing)
    }
}

/// Room for items in the answer to a claim, which has to fit one RPC frame of 1 MiB (Services/README.md "JSON-RPC").
struct ClaimRoom {
    /// Most bytes of an answer's items.
    static let bytes = 900 << 10
    /// What an item has around its query: names, job identifier, class, client and numbers.
    private static let bytesAroundQuery = 320

    private var left = bytes
    private var isUntouched = true
    /// Whether an item was refused; those behind it do not go before it.
    private(set) var isFull = false

    /// Takes an item's room; false when it has to wait for the next claim. The first one always goes, so that none waits for ever.
    mutating func take(_ query: BookQuery) -> Bool {
        let length = ItemPages.jsonLength(of: query) + Self.bytesAroundQuery
        guard isUntouched || length <= left, !isFull else {
            isFull = true
            return false
        }
        isUntouched = false
        left -= length
        return true
    }
}

/// A connected enrichment-worker.
struct WorkerPeer {
    /// A claim that waits for work.
    struct Claim {
        var limit: Int
        var perJob: Int
        /// Whether the worker still waits; what is leased to one that does not lies idle until the lease ends.
        var isAwaited: @Sendable () -> Bool
        var reply: Reply<ClaimWork.Result>
    }

    let link: any PeerLink
    /// One claim of each scope may wait.
    var claims: [ClaimWork.Scope: Claim] = [:]
    /// Its place among the servings of all workers; 0 before the first.
    var lastServed: UInt64 = 0
}

extension ClaimWork.Scope {
    /// Where items for it are taken from.
    var lanes: [WorkQueue.Lane] {
        switch self {
        case .firstLookups: [.high, .normal, .low]
        case .interactive: [.high]
        case .later: [.followUp, .backgroundRetry]
        }
    }
}
