import BookstrackContract
import Logging
import SuiteMethods

extension JobEngine {
    /// A worker introduces itself and names what it still holds; says which of it is no longer wanted.
    func attach(_ link: any PeerLink, held: [ItemKey], _ turn: Turn) throws -> AttachWorker.Result {
        workers[link.id] = WorkerPeer(link: link)
        links[link.id] = link
        var unwanted: [ItemKey] = []
        for key in held {
            guard let number = numbers[key.jobId], let job = jobs[number], job.take(key.index) else {
                unwanted.append(key)
                continue
            }
            lease(ItemNumber(job: number, index: key.index), to: link.id, isLater: false, turn)
        }
        logger.info("worker attached", metadata: ["worker": "\(link.id)", "held": "\(held.count - unwanted.count)"])
        return AttachWorker.Result(unwanted: unwanted)
    }

    /// Takes a claim; it is answered by `serveClaims` when there is work, or by its timer.
    func claim(
        _ parameters: ClaimWork.Parameters, from peer: PeerID, _ turn: Turn, reply: @escaping Reply<ClaimWork.Result>
    ) {
        guard workers[peer] != nil else {
            return reply(.failure(.invalidRequest("a worker attaches before it claims")))
        }
        answerClaim(of: peer, with: [])
        nextClaimTicket += 1
        workers[peer]?.claim = WorkerPeer.Claim(
            limit: min(max(parameters.limit, 1), 500), perJob: max(parameters.perJob, 1), ticket: nextClaimTicket,
            reply: reply)
        timers.set(
            .claim(peer, ticket: nextClaimTicket),
            at: turn.now.uptime + .milliseconds(min(max(parameters.waitMilliseconds, 0), 30_000)))
    }

    /// Answers waiting claims as far as there is work. Called at the end of each turn.
    func serveClaims(_ turn: Turn) throws {
        for (peer, worker) in workers {
            guard let claim = worker.claim else { continue }
            let items = try handOut(claim, to: peer, turn)
            if !items.isEmpty { answerClaim(of: peer, with: items) }
        }
    }

    /// A claim has waited long enough.
    func endWait(of peer: PeerID, ticket: Int) {
        if workers[peer]?.claim?.ticket == ticket { answerClaim(of: peer, with: []) }
    }

    private func answerClaim(of peer: PeerID, with items: [ClaimedItem]) {
        guard let claim = workers[peer]?.claim else { return }
        workers[peer]?.claim = nil
        effects.append(
            Effect(
                commit: { claim.reply(.success(ClaimWork.Result(items: items))) },
                abandon: { claim.reply(.failure($0)) }))
    }

    private func handOut(_ claim: WorkerPeer.Claim, to peer: PeerID, _ turn: Turn) throws -> [ClaimedItem] {
        var items = try queue.hand(out: claim.limit, chunk: policy.claimChunk) { number, atMost in
            guard let job = jobs[number] else { return ([ClaimedItem](), false) }
            let room = min(atMost, claim.perJob - leases.count(job: number))
            return (try take(room, of: job, for: peer, turn), job.hasReadyItems)
        }
        if items.count < claim.limit { items += try handOutLater(claim.limit - items.count, to: peer, turn) }
        return items
    }

    private func take(_ limit: Int, of job: ActiveJob, for peer: PeerID, _ turn: Turn) throws -> [ClaimedItem] {
        var items: [ClaimedItem] = []
        let workClass = job.workClass(interactiveLimit: policy.interactiveLimit)
        while items.count < limit, let index = job.takeReady() {
            let item = ItemNumber(job: job.row.number, index: index)
            guard let query = try turn.items.query(item) else { continue }
            lease(item, to: peer, isLater: false, turn)
            items.append(
                ClaimedItem(
                    key: ItemKey(jobId: job.row.id, index: index), query: query, workClass: workClass,
                    attempts: job.attempts(of: index)))
        }
        if !items.isEmpty, job.row.status == .pending { try start(job, turn) }
        return items
    }

    /// Hands out items that already have an outcome: follow-ups and background retries that are due.
    private func handOutLater(_ limit: Int, to peer: PeerID, _ turn: Turn) throws -> [ClaimedItem] {
        guard let nextLater, nextLater <= turn.now.wall else { return [] }
        var items: [ClaimedItem] = []
        for due in try turn.later.due(at: turn.now.wall, limit: limit) {
            // Out of sight while it is under lease; it comes back by itself if the lease is lost with this process.
            try turn.later.postpone(
                due.item, until: turn.now.wall + policy.leaseLimit.milliseconds, round: due.round)
            guard let row = try row(due.item.job, turn), let query = try turn.items.query(due.item) else { continue }
            lease(due.item, to: peer, isLater: true, turn)
            items.append(
                ClaimedItem(
                    key: ItemKey(jobId: row.id, index: due.item.index), query: query,
                    workClass: due.state == .succeeded ? .followUp : .backgroundRetry, attempts: due.round))
        }
        self.nextLater = try turn.later.nextDue()
        armLater(turn)
        return items
    }

    /// Wakes the engine when the next follow-up or background retry is due.
    func armLater(_ turn: Turn) {
        if let nextLater { timers.set(.later, at: turn.now.uptime(atWall: nextLater)) }
    }

    private func lease(_ item: ItemNumber, to peer: PeerID, isLater: Bool, _ turn: Turn) {
        if leases.isEmpty { timers.set(.leases, at: turn.now.uptime + policy.leaseLimit) }
        leases.add(
            item, LeaseTable.Lease(holder: peer, until: turn.now.uptime + policy.leaseLimit, isLater: isLater))
    }

    /// Items come back undone.
    func release(_ keys: [ItemKey], from peer: PeerID) {
        for key in keys {
            guard let number = numbers[key.jobId] else { continue }
            let item = ItemNumber(job: number, index: key.index)
            if leases[item]?.holder == peer { giveBack(item) }
        }
    }

    /// Puts a leased item back into its job's queue. A follow-up or background retry comes back by its own due time.
    func giveBack(_ item: ItemNumber) {
        if let lease = leases.remove(item), !lease.isLater { requeue(item) }
    }

    func expireLeases(_ turn: Turn) {
        let expired = leases.removeAll { $1.until <= turn.now.uptime }
        for (item, lease) in expired {
            logger.notice("lease ran out", metadata: ["item": "\(item.rawValue)", "worker": "\(lease.holder)"])
            if !lease.isLater { requeue(item) }
        }
        if !leases.isEmpty { timers.set(.leases, at: turn.now.uptime + .seconds(1)) }
    }

    /// Puts an item that was away back into its job's queue.
    func requeue(_ item: ItemNumber) {
        guard let job = jobs[item.job] else { return }
        job.putBack(item.index)
        queue.add(item.job, to: job.workClass(interactiveLimit: policy.interactiveLimit))
    }

    /// A connection is gone: its leases, sockets and drafts go with it.
    func disconnected(_ peer: PeerID) {
        workers[peer] = nil
        links[peer] = nil
        drafts.removeAll(owner: peer)
        for (item, lease) in leases.removeAll(where: { $1.holder == peer }) where !lease.isLater { requeue(item) }
        for key in sessions.keys where key.peer == peer { forget(key) }
    }
}
