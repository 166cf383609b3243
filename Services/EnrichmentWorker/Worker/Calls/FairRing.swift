import BookstrackContract

/// Questions of several jobs, taken in turns so that no job waits behind another's.
struct FairRing: Sendable {
    /// Jobs with questions; the first is next.
    private var turns: [JobID] = []
    private var queues: [JobID: [Question]] = [:]

    var isEmpty: Bool { turns.isEmpty }

    /// Number of questions, those that nobody waits for any more included.
    private(set) var count = 0

    mutating func append(_ question: Question, of job: JobID) {
        if queues[job] == nil { turns.append(job) }
        queues[job, default: []].append(question)
        count += 1
    }

    /// Takes up to `limit` questions, one per job and turn, in their order within a job. What is not wanted is dropped.
    ///
    /// - Parameter mayGo: Whether the job may be part of another call.
    mutating func take(
        _ limit: Int, mayGo: (JobID) -> Bool, isWanted: (Question) -> Bool
    ) -> [(question: Question, job: JobID)] {
        var taken: [(question: Question, job: JobID)] = []
        var kept: [JobID] = []
        while taken.count < limit, !turns.isEmpty {
            let job = turns.removeFirst()
            guard mayGo(job) else {
                kept.append(job)
                continue
            }
            if let question = nextWanted(of: job, isWanted) { taken.append((question, job)) }
            if queues[job] != nil { turns.append(job) }
        }
        turns = kept + turns
        return taken
    }

    private mutating func nextWanted(of job: JobID, _ isWanted: (Question) -> Bool) -> Question? {
        guard var queue = queues.removeValue(forKey: job) else { return nil }
        let index = queue.firstIndex(where: isWanted)
        let found = index.map { queue[$0] }
        let passed = index.map { $0 + 1 } ?? queue.count
        count -= passed
        queue.removeFirst(passed)
        if !queue.isEmpty { queues[job] = queue }
        return found
    }
}
