import BookstrackContract
import GRDB
import JSONRPC
import NIOCore
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Restarts and synced groups")
struct RestartTests {
    @Test("a job continues after a restart at any point, repeats no sequence number, and ends once", arguments: 0...12)
    func anyPoint(step: Int) throws {
        let host = try TestHost(jitter: 0)
        let job = try host.create(books: 10)
        var seen: [Int: [UInt8]] = [:]
        var worker = try TestWorker(host)
        for round in 0...12 {
            if round == step {
                try host.restart()
                worker = try TestWorker(host)
            }
            if let item = try worker.claim(limit: 1).first { try worker.record([item]) }
            host.advance(by: .milliseconds(300))
            let watcher = try host.open(token: job.token, since: 0)
            for frame in host.proxy.take(watcher).frames.dropFirst() {
                #expect(seen[frame.seq, default: frame.bytes] == frame.bytes)
                seen[frame.seq] = frame.bytes
            }
        }
        #expect(seen.keys.sorted() == Array(1...seen.count))
        let terminal = try seen.values.map { try JSON($0) }.filter { $0["type"]?.text == "job_complete" }
        #expect(terminal.count == 1)
        #expect(try host.state(token: job.token).successCount == 10)
    }

    @Test("leased items are handed out again after a restart")
    func leases() throws {
        let host = try TestHost()
        try host.create(books: 10)
        #expect(try TestWorker(host).claim().count == 10)
        try host.restart()
        #expect(try TestWorker(host).claim().count == 10)
    }

    @Test(
        "the first progress frame after a restart shows the newest item",
        arguments: [nil, ItemErrorCode.notFound])
    func newestItem(error: ItemErrorCode?) throws {
        let host = try TestHost()
        let job = try host.create(books: 10)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.record([items[4]])
        try worker.record([items[2]], error: error)
        try host.restart()
        let socket = try host.watch(token: job.token)
        let old = try host.open(token: job.token, v1: true)
        host.proxy.skipAll()
        host.advance(by: .milliseconds(500))
        let payload = try #require(host.proxy.take(socket).frames.first?.payload)
        #expect(payload["processedCount"]?.integer == 2)
        #expect(payload["currentItem"]?.text == "Book 2")
        #expect(payload["currentItemDetails"]?["author"]?.text == "Author 2")
        #expect(payload["userMessage"]?.text?.contains("Couldn't find") == (error != nil))
        #expect(host.proxy.take(old).frames.first?.content?["processedItems"]?.integer == 2)
    }

    @Test("the watchers of a scan also receive an update that was held back before a restart, with the newest book")
    func newestSpine() throws {
        let host = try TestHost()
        let job = try host.startScan()
        let worker = try TestWorker(host)
        try worker.read((0..<40).map { "Book \($0)" }, of: #require(try worker.claimPhotos()))
        let items = try worker.claim()
        try worker.find([items[4]])
        try worker.find([items[2]])
        try host.restart()
        let socket = try host.watch(token: job.token)
        host.proxy.skipAll()
        host.advance(by: .milliseconds(500))
        let payload = try #require(host.proxy.take(socket).frames.first?.payload)
        #expect(payload["processedCount"]?.integer == 2)
        #expect(payload["currentItem"]?.text == "Book 2")
    }

    @Test("attempts survive a restart, so a failing item is not retried forever")
    func attempts() throws {
        let host = try TestHost(jitter: 0)
        let job = try host.create(books: 1)
        for _ in 0..<4 {
            let worker = try TestWorker(host)
            try worker.record(try worker.claim(), error: .providerError)
            try host.restart()
        }
        #expect(try host.state(token: job.token).status == .failed)
    }

    @Test("a job whose last item was recorded before a restart ends exactly once after the restart")
    func endIsOwed() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        // The last item is committed, and the process dies before the step that ends the job.
        try worker.recordWithoutSteps(items)
        #expect(host.hasSteps)
        try host.restart()
        #expect(try host.state(token: job.token).status == .completed)
        let lastSeq = try host.state(token: job.token).lastSeq
        try host.restart()
        #expect(try host.state(token: job.token).lastSeq == lastSeq)
    }

    @Test("an update held back when the process died is sent after the restart")
    func heldUpdate() throws {
        let host = try TestHost()
        let job = try host.create(books: 100)
        let worker = try TestWorker(host)
        try worker.recordOneByOne(Array(try worker.claim()[..<7]))
        try host.restart()
        let socket = try host.open(token: job.token, reconnect: true)
        host.proxy.skipAll()
        host.advance(by: .milliseconds(500))
        #expect(host.proxy.take(socket).frames.map { $0.payload?["processedCount"]?.integer } == [7])
    }

    @Test(
        "after an unclean shutdown, open jobs' sequence numbers jump by 1 000, and an older since causes no replay"
    )
    func uncleanStop() throws {
        let host = try TestHost()
        let open = try host.create(JobID("open-job-1")!, books: 3)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.record([items[0]])
        let ended = try host.create(JobID("ended-job")!, books: 1)
        try worker.record(try worker.claim())
        let before = try host.state(open.jobId, token: open.token).lastSeq
        let endedSeq = try host.state(ended.jobId, token: ended.token).lastSeq
        try host.restart(boot: "second boot")
        #expect(try host.state(open.jobId, token: open.token).lastSeq == before + 1_000)
        #expect(try host.state(ended.jobId, token: ended.token).lastSeq == endedSeq)
        let received = host.proxy.take(try host.open(open.jobId, token: open.token, since: before))
        #expect(received.types == ["reconnected"])
        #expect(received.frames[0].payload?["recovered"]?.flag == false)
        #expect(received.frames[0].json["seq"]?.integer == before + 1_000)
        try host.restart(boot: "second boot")
        #expect(try host.state(open.jobId, token: open.token).lastSeq == before + 1_000)
    }

    @Test("after a clean stop, sequence numbers do not jump, even if the machine was rebooted")
    func cleanStop() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        try host.restart(boot: "second boot", cleanly: true)
        #expect(try host.state(token: job.token).lastSeq == 0)
    }

    @Test(
        "durable groups are synced to disk, other groups are not, and a failed group does not change the mode of the next one"
    )
    func synced() throws {
        let host = try TestHost()
        func mode(durable: Bool) throws -> Int {
            try host.perform(durable: durable) { _, turn in try Int.fetchOne(turn.db, sql: "PRAGMA synchronous") ?? -1 }
        }
        #expect(try mode(durable: true) == 2)
        #expect(try mode(durable: false) == 1)
        // A group that fails after switching the mode must not leave the next one in the wrong mode.
        struct Fault: Error {}
        for durable in [true, false, true, true, false, false] {
            _ = try? host.perform(durable: !durable) { _, _ in throw Fault() }
            #expect(try mode(durable: durable) == (durable ? 2 : 1))
        }
    }

    @Test("a job's end and a cancellation from a socket are each committed in a synced group of their own")
    func steps() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        #expect(try host.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
        #expect(try host.state(token: job.token).status == .completed)
        let other = try host.create(JobID("other-job")!, books: 1)
        let socket = try host.watch(other.jobId, token: other.token)
        #expect(try host.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 1)
        try host.say(#"{"type":"cancel"}"#, on: socket)
        #expect(try host.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
    }
}
