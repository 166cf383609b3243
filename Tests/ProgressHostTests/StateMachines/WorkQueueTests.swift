import SuiteMethods
import TestSupport
import Testing

@testable import ProgressHost

@Suite("Work queue")
struct WorkQueueTests {
    /// Jobs with a number of items, handed out through a queue.
    private struct Jobs {
        var queue = WorkQueue()
        var left: [Int64: Int] = [:]

        mutating func add(_ job: Int64, items: Int, _ workClass: WorkClass) {
            left[job] = items
            queue.add(job, to: workClass)
        }

        /// Hands out up to `limit` items; says whose.
        mutating func hand(_ limit: Int, chunk: Int = 25) -> [Int64] {
            queue.hand(out: limit, chunk: chunk) { job, atMost in
                let given = min(atMost, left[job] ?? 0)
                left[job, default: 0] -= given
                return (Array(repeating: job, count: given), left[job]! > 0)
            }
        }
    }

    @Test("no job waits behind another's 1 000 items", arguments: 0..<20)
    func fairness(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var jobs = Jobs()
        let sizes = (1...Int64(Int.random(in: 2...30, using: &random))).map {
            ($0, Int.random(in: 1...1_000, using: &random))
        }
        for (job, size) in sizes { jobs.add(job, items: size, .bulk) }
        let chunk = Int.random(in: 1...40, using: &random)
        var order: [Int64] = []
        while true {
            let handed = jobs.hand(Int.random(in: 1...200, using: &random), chunk: chunk)
            if handed.isEmpty { break }
            order += handed
        }
        // Between two turns of a job every other job with items has at most two.
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

    @Test("small jobs, somebody waiting for each, go before large ones")
    func interactiveFirst() {
        var jobs = Jobs()
        jobs.add(1, items: 1_000, .bulk)
        jobs.add(2, items: 3, .interactive)
        #expect(jobs.hand(5) == [2, 2, 2, 1, 1])
    }

    @Test("a job that has items and no room keeps its place and holds nobody up")
    func noRoom() {
        var queue = WorkQueue()
        queue.add(1, to: .bulk)
        queue.add(2, to: .bulk)
        let first = queue.hand(out: 10, chunk: 5) { job, atMost in job == 1 ? ([], true) : ([job], false) }
        #expect(first == [2])
        #expect(queue.hand(out: 10, chunk: 5) { job, _ in ([job], false) } == [1])
        #expect(queue.hand(out: 10, chunk: 5) { job, _ in ([job], false) } == [])
    }

    @Test("a job that is over is not asked any more")
    func removed() {
        var jobs = Jobs()
        jobs.add(1, items: 10, .bulk)
        jobs.add(2, items: 10, .bulk)
        jobs.queue.remove(1)
        #expect(Set(jobs.hand(100)) == [2])
    }

    @Test("a job is in its ring once, however often it is added, and the ring does not grow by use")
    func ring() {
        var ring = TurnLine<Int64>()
        for round in 0..<10_000 {
            ring.add(Int64(round % 7))
            ring.add(Int64(round % 7))
            if round >= 7 { #expect(ring.next() != nil) }
        }
        #expect(ring.count <= 7)
    }
}
