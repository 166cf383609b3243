import JSONRPC
import SuiteStorage
import Testing
import TestSupport
@testable import ProgressHost

@Suite("Work queue")
struct WorkQueueTests {
    /// Jobs with a number of items, handed out through a queue.
    private struct Jobs {
        var queue = WorkQueue()
        var left: [Int64: Int] = [:]

        mutating func add(_ job: Int64, items: Int, _ lane: WorkQueue.Lane = .normal, of client: String = "c") {
            left[job] = items
            queue.add(job, of: client, to: lane)
        }

        /// Hands out up to `limit` items; returns the job of each.
        mutating func handOut(_ limit: Int, chunk: Int = 25) -> [Int64] {
            queue.handOut(limit, chunk: chunk) { job, _, atMost in
                let given = min(atMost, left[job] ?? 0)
                left[job, default: 0] -= given
                return (Array(repeating: job, count: given), left[job]! > 0 ? .items : .nothing)
            }
        }
    }

    @Test("a job's next turn comes after at most two rounds of all jobs", arguments: 0..<20)
    func fairness(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var jobs = Jobs()
        let sizes = (1...Int64(Int.random(in: 2...30, using: &random))).map {
            ($0, Int.random(in: 1...1_000, using: &random))
        }
        for (job, size) in sizes { jobs.add(job, items: size) }
        let chunk = Int.random(in: 1...40, using: &random)
        var order: [Int64] = []
        while true {
            let handed = jobs.handOut(Int.random(in: 1...200, using: &random), chunk: chunk)
            if handed.isEmpty { break }
            order += handed
        }
        var served: [Int64: Int] = [:]
        var position: [Int64: Int] = [:]
        for (index, job) in order.enumerated() {
            if let last = position[job] {
                #expect(index - last <= 2 * chunk * sizes.count)
            } else {
                #expect(index <= 2 * chunk * sizes.count)
            }
            position[job] = index
            served[job, default: 0] += 1
        }
        #expect(served == Dictionary(uniqueKeysWithValues: sizes))
    }

    @Test("a small job of high priority goes before a large job of normal priority")
    func interactiveFirst() {
        var jobs = Jobs()
        jobs.add(1, items: 1_000)
        jobs.add(2, items: 3, .high)
        #expect(jobs.handOut(5) == [2, 2, 2, 1, 1])
    }

    @Test("large jobs of high priority leave a quarter of a claim to the others")
    func quarter() {
        var jobs = Jobs()
        jobs.add(1, items: 1_000, .high)
        jobs.add(2, items: 1_000, .normal)
        jobs.add(3, items: 1_000, .low)
        #expect(
            jobs.handOut(160) == Array(repeating: 1, count: 120) + Array(repeating: 2, count: 30)
                + Array(repeating: 3, count: 10))
        jobs.queue.remove(2, of: "c", from: .normal)
        jobs.queue.remove(3, of: "c", from: .low)
        #expect(jobs.handOut(160).count == 160)
    }

    @Test("a client with ten jobs receives as many turns as a client with one job, and its jobs share them evenly")
    func clients() {
        var jobs = Jobs()
        for job in 1...10 { jobs.add(Int64(job), items: 1_000, of: "busy") }
        jobs.add(11, items: 1_000, of: "modest")
        let handed = jobs.handOut(500)
        #expect(handed.filter { $0 == 11 }.count == 250)
        #expect(Set((1...10).map { job in handed.filter { $0 == Int64(job) }.count }) == [25])
        jobs.add(12, items: 1_000, of: "late")
        #expect(jobs.handOut(75).filter { $0 == 12 }.count == 25)
    }

    @Test("a client whose jobs are at their limit does not delay other clients")
    func crowdedClient() {
        var queue = WorkQueue()
        for job in 1...50 { queue.add(Int64(job), of: "crowded", to: .normal) }
        queue.add(51, of: "other", to: .normal)
        let handed = queue.handOut(10, chunk: 5) { job, _, _ in
            job == 50 || job == 51 ? ([job], .nothing) : ([], .items)
        }
        #expect(Set(handed) == [50, 51])
        #expect(queue.count(in: .normal) == 49)
    }

    @Test("a full claim ends the round, and the jobs stay in the queue")
    func fullClaim() {
        var queue = WorkQueue()
        for job in 1...3 { queue.add(Int64(job), of: "c", to: .normal) }
        var asked = 0
        let handed: [Int64] = queue.handOut(10, chunk: 5) { _, _, _ in
            asked += 1
            return ([], .claimIsFull)
        }
        #expect(handed.isEmpty)
        #expect(asked == 1)
        #expect(queue.count(in: .normal) == 3)
    }

    @Test("a job that has items but is at its limit stays in the queue and does not delay other jobs")
    func noRoom() {
        var queue = WorkQueue()
        queue.add(1, of: "c", to: .normal)
        queue.add(2, of: "c", to: .normal)
        let first = queue.handOut(10, chunk: 5) { job, _, _ in job == 1 ? ([], .items) : ([job], .nothing) }
        #expect(first == [2])
        #expect(queue.handOut(10, chunk: 5) { job, _, _ in ([job], .nothing) } == [1])
        #expect(queue.handOut(10, chunk: 5) { job, _, _ in ([job], .nothing) } == [])
    }

    @Test("a removed job hands out no items")
    func removed() {
        var jobs = Jobs()
        jobs.add(1, items: 10)
        jobs.add(2, items: 10)
        jobs.queue.remove(1, of: "c", from: .normal)
        #expect(Set(jobs.handOut(100)) == [2])
    }

    @Test("a job is in its queue once, however often it is added, and the queue does not grow with use")
    func ring() {
        var ring = UniqueQueue<Int64>()
        for round in 0..<10_000 {
            ring.add(Int64(round % 7))
            ring.add(Int64(round % 7))
            if round >= 7 { #expect(ring.next() != nil) }
        }
        #expect(ring.count <= 7)
    }

    @Test("a job that is removed and added again is handed out once, at its new position")
    func addedAgain() {
        var ring = UniqueQueue<Int64>()
        for job in 1...3 { ring.add(Int64(job)) }
        ring.remove(1)
        ring.add(1)
        #expect([ring.next(), ring.next(), ring.next(), ring.next()] == [2, 3, 1, nil])
    }
}

@Suite("Lease table")
struct LeaseTableTests {
    private let holder = PeerID()

    private func lease(until seconds: Int = 10) -> LeaseTable.Lease {
        LeaseTable.Lease(holder: holder, until: .seconds(seconds), isLater: false)
    }

    @Test("leases are counted per job, each item once")
    func counts() {
        var table = LeaseTable()
        table.add(ItemNumber(job: 1, index: 0), lease())
        table.add(ItemNumber(job: 1, index: 0), lease(until: 20))
        table.add(ItemNumber(job: 1, index: 1), lease())
        table.add(ItemNumber(job: 2, index: 0), lease())
        #expect(table.count(job: 1) == 2)
        #expect(table[ItemNumber(job: 1, index: 0)]?.until == .seconds(20))
        #expect(table.remove(ItemNumber(job: 1, index: 0)) != nil)
        #expect(table.remove(ItemNumber(job: 1, index: 0)) == nil)
        #expect(table.count(job: 1) == 1)
        #expect(table.removeAll { item, _ in item.job == 1 }.count == 1)
        #expect(table.count(job: 1) == 0)
        #expect(!table.isEmpty)
    }

    @Test("a turn that is undone leaves every lease as it was")
    func undo() {
        var table = LeaseTable()
        let kept = ItemNumber(job: 1, index: 0), added = ItemNumber(job: 1, index: 1)
        table.add(kept, lease())
        table.keepChanges()
        table.remove(kept)
        table.add(kept, lease(until: 99))
        table.add(added, lease())
        table.undoChanges()
        #expect(table[kept]?.until == .seconds(10))
        #expect(table[added] == nil)
        #expect(table.count(job: 1) == 1)
        table.undoChanges()
        #expect(table.count(job: 1) == 1)
    }
}
