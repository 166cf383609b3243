import BookstrackContract
import SuiteMethods
import SuiteStorage

// Items that are done after they have an outcome: follow-ups, background retries, retries on request (spec/07 "Jobs").
extension JobEngine {
    /// Due items that are looked through for a claim.
    private static let dueItemsRead = 1_000
    /// Pause after due items were found of which none could be handed out.
    private static let crowdedPause = Duration.milliseconds(200)

    /// Hands out due items, round robin by job, as many per job as a claim allows and as there is room for.
    func handOutLater(
        _ limit: Int, perJob: Int, to peer: PeerID, _ room: inout ClaimRoom, _ turn: Turn
    ) throws -> [ClaimedItem] {
        guard let nextLater, nextLater <= turn.now.wall else { return [] }
        let due = try dueItems(atMost: limit, perJob: perJob, turn)
        var items: [ClaimedItem] = []
        for next in roundRobin(due, perJob: perJob).prefix(limit) {
            let row = try row(next.item.job, turn)
            let query = try turn.items.query(next.item)
            if let query, !room.take(query) { break }
            // Out of sight while it is under lease; it comes back by itself if the lease is lost with this process.
            try turn.later.postpone(
                next.item, until: turn.now.wall + policy.leaseLimit.milliseconds, round: next.round)
            guard let row, let query else { continue }
            lease(next.item, to: peer, isLater: true, turn)
            items.append(
                ClaimedItem(
                    key: ItemKey(jobId: row.id, index: next.item.index), query: query,
                    workClass: next.state == .succeeded ? .followUp : .backgroundRetry, attempts: next.round,
                    trace: row.trace))
        }
        if items.isEmpty, !room.isFull {
            self.nextLater = turn.now.wall + Self.crowdedPause.milliseconds
            armLater(turn)
        } else {
            try lookForLater(turn)
        }
        return items
    }

    /// Due items of each job, as many as there is room for; looks at the jobs after those of the last claim first.
    private func dueItems(atMost limit: Int, perJob: Int, _ turn: Turn) throws -> [LaterStore.DueItem] {
        let jobs = try turn.later.dueJobs(at: turn.now.wall)
        let start = jobs.firstIndex { $0 > lastLaterJob } ?? 0
        var due: [LaterStore.DueItem] = []
        var looked = 0
        for job in jobs[start...] + jobs[..<start] where leases.count(job: job) < perJob {
            due += try turn.later.due(job: job, at: turn.now.wall, limit: perJob).filter { leases[$0.item] == nil }
            lastLaterJob = job
            looked += 1
            // Each job that was looked at has its turn in this claim.
            if looked == limit || due.count >= Self.dueItemsRead { break }
        }
        return due
    }

    /// Follow-ups before background retries; of each the first of each job, then the second of each, and so on, as far as there is room
    /// for a job's items.
    private func roundRobin(_ due: [LaterStore.DueItem], perJob: Int) -> [LaterStore.DueItem] {
        var places: [Int64: Int] = [:]
        return
            due.enumerated().compactMap {
                order, item -> (isRetry: Int, place: Int, order: Int, item: LaterStore.DueItem)? in
                let place = places[item.item.job, default: 0]
                guard place < perJob - leases.count(job: item.item.job) else { return nil }
                places[item.item.job] = place + 1
                return (item.state == .succeeded ? 0 : 1, place, order, item)
            }
            .sorted { ($0.isRetry, $0.place, $0.order) < ($1.isRetry, $1.place, $1.order) }.map(\.item)
    }

    /// Finds out when the next item is due, and wakes the engine then.
    func lookForLater(_ turn: Turn) throws {
        nextLater = try turn.later.nextDue()
        armLater(turn)
    }

    /// Wakes the engine when the next item is due.
    func armLater(_ turn: Turn) {
        if let nextLater, nextLater > turn.now.wall {
            timers.setAtLatest(.later, at: turn.now.uptime(atWall: nextLater))
        }
    }
}
