import BookstrackContract
import Logging
import SuiteMethods
import SuiteStorage

extension JobEngine {
    /// A worker introduces itself and names what it still holds; says which of it is no longer wanted.
    func attach(_ link: any PeerLink, held: [ItemKey], _ turn: Turn) throws -> AttachWorker.Result {
        for scope in ClaimWork.Scope.allCases { answerClaim(scope, of: link.id, with: []) }
        workers[link.id] = WorkerPeer(link: link)
        links[link.id] = link
        let unwanted = try held.filter { try !keep($0, for: link.id, turn) }
        logger.info("worker attached", metadata: ["worker": "\(link.id)", "held": "\(held.count - unwanted.count)"])
        return AttachWorker.Result(unwanted: unwanted)
    }

    /// Lets a worker keep an item that it still holds; false when its outcome is no longer wanted.
    private func keep(_ key: ItemKey, for peer: PeerID, _ turn: Turn) throws -> Bool {
        if let number = numbers[key.jobId], let job = jobs[number], job.take(key.index) {
            lease(ItemNumber(job: number, index: key.index), to: peer, isLater: false, turn)
            return true
        }
        guard let row = try jobRow(key.jobId, turn),
            let item = ItemNumber(job: row.number, index: key.index, total: row.total), leases[item] == nil,
            try turn.later.isPlanned(item)
        else { return false }
        lease(item, to: peer, isLater: true, turn)
        return true
    }

    func lease(_ item: ItemNumber, to peer: PeerID, isLater: Bool, asked: BookQuery? = nil, _ turn: Turn) {
        let until = turn.now.uptime + policy.leaseLimit
        timers.setAtLatest(.leases, at: until)
        leases.add(item, LeaseTable.Lease(holder: peer, until: until, isLater: isLater, asked: asked))
    }

    /// Items come back undone.
    func release(_ keys: [ItemKey], from peer: PeerID) {
        for key in keys {
            guard let number = numbers[key.jobId], let job = jobs[number],
                let item = ItemNumber(job: number, index: key.index, total: job.row.total),
                let lease = leases[item], lease.holder == peer
            else { continue }
            leases.remove(item)
            if !lease.isLater { requeue(item) }
        }
    }

    func expireLeases(_ turn: Turn) {
        for (item, lease) in leases.removeAll(where: { $1.until <= turn.now.uptime }) {
            logger.notice("lease ran out", metadata: ["item": "\(item.rawValue)", "worker": "\(lease.holder)"])
            if !lease.isLater { requeue(item) }
        }
        if !leases.isEmpty { timers.set(.leases, at: turn.now.uptime + .seconds(1)) }
    }

    /// Puts an item that was away back into its job's queue, unless a worker holds it. A follow-up or background retry comes back by
    /// its own due time instead.
    func requeue(_ item: ItemNumber) {
        guard leases[item] == nil, let job = jobs[item.job] else { return }
        job.putBack(item.index)
        queue.add(
            item.job, of: job.row.origin.client, to: job.lane(interactiveLimit: policy.interactiveLimit))
    }

    /// A connection is gone: its leases, sockets and drafts go with it.
    func disconnected(_ peer: PeerID) {
        for scope in ClaimWork.Scope.allCases { timers.cancel(.claim(peer, scope)) }
        workers[peer] = nil
        links[peer] = nil
        drafts.removeAll(owner: peer)
        for (item, lease) in leases.removeAll(where: { $1.holder == peer }) where !lease.isLater { requeue(item) }
        for key in sessions.keys(of: peer) { forget(key) }
    }
}
