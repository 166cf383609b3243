import BookstrackContract
import JSONRPC
import NIOConcurrencyHelpers
import NIOCore
import SuiteMethods
import Testing
@testable import ProgressHost

@Suite("Claims and leases")
struct ClaimingTests {
    @Test("a claim waits for work and is answered when a job arrives")
    func waits() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        let answer = worker.ask()
        #expect(answer.count == 0)
        try host.create(books: 2)
        #expect(try answer.value().items.map(\.key.index) == [0, 1])
        #expect(answer.count == 1)
    }

    @Test("a claim that finds no work receives an empty response after its wait, and a newer claim ends the older one")
    func timesOut() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        let first = worker.ask(wait: .seconds(30))
        let second = worker.ask(wait: .seconds(10))
        #expect(try first.value().items.isEmpty)
        host.advance(by: .milliseconds(9_999))
        #expect(second.count == 0)
        host.advance(by: .milliseconds(1))
        #expect(try second.value().items.isEmpty)
        host.advance(by: .seconds(60))
        #expect(first.count == 1)
        #expect(second.count == 1)
    }

    @Test(
        "a claim for interactive items only waits alongside one for all first lookups, and receives no other items")
    func interactiveOnly() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        try host.create(JobID("early-small-job")!, books: 1)
        try worker.record(try worker.claim(), followUp: .soon)
        let reserve = worker.ask(limit: 20, scope: .interactive)
        try host.create(JobID("large-job-1")!, books: 30)
        #expect(reserve.count == 0)
        #expect(Set(try worker.claim().map(\.workClass)) == [.bulk, .followUp])
        let everything = worker.ask(wait: .seconds(10))
        #expect(reserve.count == 0)
        #expect(everything.count == 0)
        host.advance(by: .seconds(10))
        #expect(try everything.value().items.isEmpty)
        try host.create(JobID("small-job-1")!, books: 3)
        #expect(try reserve.value().items.map(\.workClass) == [.interactive, .interactive, .interactive])
        #expect(reserve.count == 1)
        #expect(everything.count == 1)
    }

    @Test("nothing is leased to a worker that has given up its claim")
    func givenUp() throws {
        let host = try TestHost()
        let left = NIOLockedValueBox(false)
        let gone = try TestWorker(host), present = try TestWorker(host)
        let claim = gone.ask(isAwaited: { !left.withLockedValue { $0 } })
        left.withLockedValue { $0 = true }
        try host.create(books: 2)
        #expect(claim.count == 1)
        #expect(host.leasedItems == 0)
        #expect(try present.claim().count == 2)
    }

    @Test(
        "a claim receives no items if its wait ends, a newer one of its scope arrives, or its worker attaches again")
    func twoClaims() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        let everything = worker.ask(wait: .seconds(20))
        let reserve = worker.ask(wait: .seconds(10), scope: .interactive)
        host.advance(by: .seconds(10))
        #expect(reserve.count == 1)
        #expect(everything.count == 0)
        let again = worker.ask(wait: .seconds(30), scope: .interactive)
        let newest = worker.ask(wait: .seconds(30), scope: .interactive)
        #expect(try again.value().items.isEmpty)
        host.advance(by: .seconds(10))
        #expect(try everything.value().items.isEmpty)
        try worker.attach()
        #expect(try newest.value().items.isEmpty)
    }

    @Test("a claim by a worker that is not attached is refused")
    func attachFirst() throws {
        let host = try TestHost()
        try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.disconnect()
        #expect(throws: HostFailure.notAttached) { try worker.claim() }
    }

    @Test("the number of a job's items leased to one worker is limited")
    func perJob() throws {
        let host = try TestHost()
        try host.create(JobID("job-number-1")!, books: 100)
        try host.create(JobID("job-number-2")!, books: 100)
        let worker = try TestWorker(host)
        let items = try worker.claim(limit: 100, perJob: 10)
        #expect(items.count == 20)
        #expect(try worker.claim(limit: 100, perJob: 10).isEmpty)
        try worker.record([items[0], items[1], items[2]])
        #expect(
            try worker.claim(limit: 100, perJob: 10).map(\.key.jobId) == Array(repeating: items[0].key.jobId, count: 3))
    }

    @Test("a small job that arrives later goes first, and large jobs take turns")
    func fairness() throws {
        let host = try TestHost()
        try host.create(JobID("large-job-1")!, books: 1_000)
        try host.create(JobID("large-job-2")!, books: 1_000)
        try host.create(JobID("small-job-1")!, books: 5)
        let items = try TestWorker(host).claim(limit: 105)
        #expect(items.prefix(5).allSatisfy { $0.key.jobId.text == "small-job-1" && $0.workClass == .interactive })
        let rest = items.dropFirst(5).map(\.key.jobId.text)
        #expect(rest.filter { $0 == "large-job-1" }.count == 50)
        #expect(rest.prefix(50).filter { $0 == "large-job-1" }.count == 25)
    }

    @Test("turns are shared between clients, however many jobs each has")
    func clients() throws {
        let host = try TestHost()
        for number in 1...10 {
            try host.create(JobID("busy-job-\(number)")!, books: 100, origin: JobOrigin(client: "busy"))
        }
        try host.create(JobID("modest-job")!, books: 100, origin: JobOrigin(client: "modest"))
        let items = try TestWorker(host).claim(limit: 200)
        #expect(items.filter { $0.client == "modest" }.count == 100)
        #expect(items.filter { $0.client == "busy" }.count == 100)
    }

    @Test("follow-ups of a client with ten jobs leave half of a claim to another client")
    func laterClients() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        for number in 1...10 {
            try host.create(JobID("busy-job-\(number)")!, books: 20, origin: JobOrigin(client: "busy"))
        }
        try host.create(JobID("modest-job")!, books: 20, origin: JobOrigin(client: "modest"))
        try worker.record(try worker.claim(), followUp: .soon)
        let items = try worker.claim(limit: 20)
        #expect(Set(items.map(\.workClass)) == [.followUp])
        #expect(items.filter { $0.client == "modest" }.count == 10)
    }

    @Test("items of high-priority jobs are handed out first, and items of low-priority jobs last")
    func priorities() throws {
        let host = try TestHost()
        for priority in [JobOrigin.Priority.low, .normal, .high] {
            let origin = JobOrigin(client: "c", priority: priority)
            try host.create(JobID("\(priority)-priority")!, books: 10, origin: origin)
        }
        let order = try TestWorker(host).claim(limit: 30).map { String($0.key.jobId.text.prefix(3)) }
        #expect(order.first == "hig")
        #expect(order.last == "low")
        #expect(order.firstIndex(of: "nor")! < order.firstIndex(of: "low")!)
    }

    @Test("when a lease expires, another worker receives the item, and the first outcome counts")
    func expiry() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let slow = try TestWorker(host), quick = try TestWorker(host)
        let late = try slow.claim()
        host.advance(by: .milliseconds(119_999))
        #expect(try quick.claim().isEmpty)
        host.advance(by: .milliseconds(1))
        let taken = try quick.claim()
        #expect(taken.map(\.key) == late.map(\.key))
        try quick.record(taken)
        try slow.record(late, error: .notFound)
        let state = try host.state(token: job.token)
        #expect((state.successCount, state.failureCount) == (1, 0))
    }

    @Test("all leases expire, although they share one timer")
    func manyLeases() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        for round in 0..<30 {
            try host.create(JobID("job-number-\(round)")!, books: 1)
            let items = try worker.claim()
            if round % 2 == 0 { try worker.record(items) }
            host.advance(by: .seconds(7))
        }
        host.advance(by: .seconds(130))
        #expect(try worker.claim().count == 15)
        #expect(host.timerCount <= 30)
    }

    @Test("a worker that disconnects loses its leases immediately, and released items are also handed out again")
    func disconnect() throws {
        let host = try TestHost()
        try host.create(books: 4)
        let first = try TestWorker(host), second = try TestWorker(host)
        let items = try first.claim(limit: 3)
        try first.release([items[0].key])
        #expect(Set(try second.claim().map(\.key.index)) == [0, 3])
        try first.disconnect()
        #expect(Set(try second.claim().map(\.key.index)) == [1, 2])
    }

    @Test("released items with gaps between them are handed out again, each with its own book")
    func gaps() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        try host.create(books: 8)
        let items = try worker.claim(limit: 6)
        try worker.release([1, 2, 5].map { items[$0].key })
        let again = try worker.claim()
        #expect(again.map(\.key.index).sorted() == [1, 2, 5, 6, 7])
        #expect(again.allSatisfy { $0.query.title == "Book \($0.key.index)" })
    }

    @Test(
        "a release of an item that the worker does not hold, or of an invalid index, changes nothing",
        arguments: [0, 5, -1, Int.max, Int.min])
    func hostileRelease(index: Int) throws {
        let host = try TestHost()
        try host.create(books: 4)
        let first = try TestWorker(host), second = try TestWorker(host)
        _ = try first.claim()
        try second.release([ItemKey(jobId: TestHost.jobID, index: index)])
        #expect(try second.claim().isEmpty)
    }

    @Test("outcomes for indexes that do not exist are ignored", arguments: [4, -1, 1 << 20, Int.max, Int.min])
    func hostileRecord(index: Int) throws {
        let host = try TestHost()
        let job = try host.create(books: 4)
        try host.create(JobID("other-job")!, books: 4)
        let worker = try TestWorker(host)
        _ = try worker.claim()
        for workClass in WorkClass.allCases {
            try worker.record([
                ClaimedItem(
                    key: ItemKey(jobId: job.jobId, index: index), query: BookQuery(title: "x"), workClass: workClass,
                    attempts: 0)
            ])
        }
        #expect(try host.state(token: job.token).processedCount == 0)
        #expect(host.leasedItems(ofJob: 1) == 4)
        #expect(host.leasedItems(ofJob: 2) == 4)
    }

    @Test("a worker that reconnects keeps the items that it holds and that are still wanted")
    func reattach() throws {
        let host = try TestHost()
        let job = try host.create(books: 4)
        var worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.record([items[0]])
        try host.restart()
        worker = try TestWorker(host)
        let unwanted = try worker.attach(holding: items.map(\.key) + [ItemKey(jobId: JobID("no-such-job")!, index: 0)])
        #expect(unwanted.map(\.index) == [0, 0])
        #expect(try worker.claim().isEmpty)
        try worker.record(Array(items[1...]))
        #expect(try host.state(token: job.token).status == .completed)
    }
}

@Suite("Claims and the frame size")
struct ClaimSizeTests {
    /// A row whose title and author have the maximum lengths, in characters of three bytes.
    private static let longest = BookQuery(
        title: String(repeating: "書", count: 500), author: String(repeating: "者", count: 300))

    /// Claims until there are no more items, and checks that each response fits into a frame.
    private func claimAll(_ worker: TestWorker) throws -> [[ClaimedItem]] {
        var answers: [[ClaimedItem]] = []
        while true {
            let items = try worker.claim()
            if items.isEmpty { return answers }
            let answer = try BodyCoding.encode(ClaimWork.Result(items: items))
            #expect(answer.readableBytes < RPCLimits().maximumFrameBytes - 1_024)
            answers.append(items)
        }
    }

    @Test("items with long strings are spread over several responses, in order, each exactly once")
    func longTexts() throws {
        let host = try TestHost()
        try host.create(TestHost.jobID, Array(repeating: Self.longest, count: 500))
        let answers = try claimAll(try TestWorker(host))
        #expect(answers.count == 2)
        #expect(answers.flatMap(\.self).map(\.key.index) == Array(0..<500))
        #expect(host.leasedItems(ofJob: 1) == 500)
    }

    @Test("a job with short strings is not delayed by another job's long ones")
    func fairness() throws {
        let host = try TestHost()
        try host.create(JobID("long-texts")!, Array(repeating: Self.longest, count: 1_000))
        try host.create(JobID("short-texts")!, books: 100)
        let first = try TestWorker(host).claim()
        #expect(first.filter { $0.key.jobId.text == "short-texts" }.count == 100)
    }

    @Test("an item that is larger than the room for a claim's items is still handed out, alone")
    func oversized() throws {
        let host = try TestHost()
        let huge = BookQuery(title: String(repeating: "x", count: ClaimRoom.bytes + 1))
        try host.create(TestHost.jobID, [huge, BookQuery(title: "A"), huge])
        #expect(try claimAll(try TestWorker(host)).map { $0.map(\.key.index) } == [[0], [1], [2]])
    }

    @Test("a spine's text counts toward the size of the response")
    func spines() throws {
        let text = String(repeating: "x", count: ClaimRoom.bytes / 2)
        let box = BoundingBox(x1: 0, y1: 0, x2: 1, y2: 1)
        let spine = SpineItem(
            photo: 0, engine: "gemini",
            reading: DetectedSpine(text: text, title: nil, author: nil, isbn: nil, box: box, confidence: 1))
        var room = ClaimRoom()
        #expect(try room.take(BookQuery(title: "A"), spine))
        #expect(try !room.take(BookQuery(title: "B"), spine))
        #expect(room.isFull)
    }

    @Test("follow-ups with long strings are spread over several responses, each of which fits in a frame")
    func later() throws {
        let host = try TestHost()
        try host.create(TestHost.jobID, Array(repeating: Self.longest, count: 500))
        let worker = try TestWorker(host)
        for items in try claimAll(worker) { try worker.record(items, followUp: .soon) }
        let answers = try claimAll(worker)
        #expect(answers.count == 2)
        #expect(Set(answers.flatMap(\.self).map(\.key.index)).count == 500)
        #expect(answers.joined().allSatisfy { $0.workClass == .followUp })
    }
}
