import SuiteMethods

/// Which job's items are handed out next: class by class, round robin by job within a class (spec/05).
///
/// Holds jobs, not items: a job stays in the ring of its class as long as it says it has items.
struct WorkQueue: Sendable {
    private var rings: [WorkClass: TurnLine<Int64>] = [:]

    /// Puts a job at the end of the ring of `workClass`, unless it is there.
    mutating func add(_ job: Int64, to workClass: WorkClass) { rings[workClass, default: TurnLine<Int64>()].add(job) }

    /// Takes a job that is over out of every ring.
    mutating func remove(_ job: Int64) {
        for workClass in rings.keys { rings[workClass]?.remove(job) }
    }

    /// Hands out up to `limit` items of `classes`: asks job after job for a chunk and moves each that has more to the end of its ring.
    /// `take` returns what the job gives, at most the asked number, and whether it has more.
    mutating func hand<Item>(
        out limit: Int, of classes: [WorkClass] = WorkClass.allCases, chunk: Int,
        take: (_ job: Int64, _ atMost: Int) throws -> (items: [Item], hasMore: Bool)
    ) rethrows -> [Item] {
        var handed: [Item] = []
        for workClass in classes {
            guard var ring = rings[workClass] else { continue }
            var unproductive = 0
            while handed.count < limit, unproductive < ring.count, let job = ring.next() {
                let (items, hasMore) = try take(job, min(chunk, limit - handed.count))
                handed += items
                if hasMore { ring.add(job) }
                unproductive = items.isEmpty ? unproductive + (hasMore ? 1 : 0) : 0
            }
            rings[workClass] = ring
        }
        return handed
    }
}
