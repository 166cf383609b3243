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
        let scope: WorkerPeer.Scope = parameters.interactiveOnly ? .interactive : .everything
        answerClaim(scope, of: peer, with: [])
        workers[peer]?.claims[scope] = WorkerPeer.Claim(
            limit: min(max(parameters.limit, 1), 500), perJob: max(parameters.perJob, 1), isAwaited: isAwaited,
            reply: reply)
        timers.set(
            .claim(peer, scope),
            at: turn.now.uptime + .milliseconds(min(max(parameters.waitMilliseconds, 0), 30_000)))
    }

    /// Answers waiting claims as far as there is work, those for everything first: what a worker keeps for interactive items is for when its
    /// other room is full. Called at the end of each turn.
    func serveClaims(_ turn: Turn) throws {
        for scope in WorkerPeer.Scope.allCases {
            for (peer, worker) in workers {
                guard let claim = worker.claims[scope] else { continue }
                guard claim.isAwaited() else {
                    answerClaim(scope, of: peer, with: [])
                    continue
                }
                let items = try handOut(claim, scope, to: peer, turn)
                if !items.isEmpty { answerClaim(scope, of: peer, with: items) }
            }
        }
    }

    /// Answers a claim after the commit.
    func answerClaim(_ scope: WorkerPeer.Scope, of peer: PeerID, with items: [ClaimedItem]) {
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
        _ claim: WorkerPeer.Claim, _ scope: WorkerPeer.Scope, to peer: PeerID, _ turn: Turn
    ) throws -> [ClaimedItem] {
        var room = ClaimRoom()
        var items = try queue.hand(out: claim.limit, of: scope.classes, chunk: policy.claimChunk) { number, atMost in
            guard let job = jobs[number] else { return ([ClaimedItem](), false) }
            let limit = min(atMost, claim.perJob - leases.count(job: number))
            return (try take(limit, of: job, for: peer, &room, turn), job.hasReadyItems)
        }
        if items.count < claim.limit, scope == .everything, !room.isFull {
            items += try handOutLater(claim.limit - items.count, perJob: claim.perJob, to: peer, &room, turn)
        }
        return items
    }

    private func take(
        _ limit: Int, of job: ActiveJob, for peer: PeerID, _ room: inout ClaimRoom, _ turn: Turn
    ) throws -> [ClaimedItem] {
        var items: [ClaimedItem] = []
        let workClass = job.workClass(interactiveLimit: policy.interactiveLimit)
        while items.count < limit, !room.isFull, let index = job.takeReady() {
            let item = ItemNumber(job: job.row.number, index: index)
            guard let query = try turn.items.query(item) else { continue }
            guard room.take(query) else {
                job.untake(index)
                break
            }
            lease(item, to: peer, isLater: false, asked: query, turn)
            items.append(
                ClaimedItem(
                    key: ItemKey(jobId: job.row.id, index: index), query: query, workClass: workClass,
                    attempts: job.attempts(of: index), trace: job.row.trace))
        }
        if !items.isEmpty, job.row.status == .pending { try start(job, turn) }
        return items
    }
}
