import BookstrackContract
import GRDB
import SuiteMethods
import Testing

@testable import ProgressHost

/// Watchers of an ended job cost little, however many items the job has, and its counts follow every retry.
@Suite("Watchers and counts of ended jobs")
struct EndedJobTests {
    private static let ping = #"{"type":"ping"}"#
    private static let sync = #"{"type":"sync_request"}"#

    /// A host that has just been restarted, with a socket that follows the results of an ended job.
    private func endedJob(books: Int) throws -> (host: TestHost, socket: SocketID) {
        let host = try TestHost()
        let job = try host.create(books: books)
        let worker = try TestWorker(host)
        try worker.finishItems(error: .invalidISBN)
        let request = SocketRequest(
            jobId: job.jobId, token: job.token, reconnect: true, since: nil, v1: false, isOneWay: false,
            followsResults: true)
        let socket = host.nextSocket()
        let opened = try host.perform(writes: false) { [proxy = host.proxy] engine, turn in
            try engine.connections.open(socket, request, from: proxy, turn)
        }
        let last = try host.state(token: job.token).lastSeq
        try host.restart()
        try host.resume(
            .init(
                socket: socket, jobId: job.jobId, tokenNumber: opened.tokenNumber, lastSeq: last, begun: true,
                v1: false, reconnect: true, since: nil, isOneWay: false, followsResults: true))
        return (host, socket)
    }

    @Test("a ping costs about the same for a job with many items as for one with few")
    func pings() throws {
        let cost: (Int) throws -> Int = { books in
            let (host, socket) = try endedJob(books: books)
            let cost = try host.instructions { try host.say(Self.ping, on: socket) }
            #expect(host.proxy.take(socket).types == ["pong"])
            return cost
        }
        let (few, many) = (try cost(2), try cost(2_000))
        #expect(many < few * 2)
    }

    @Test("the items of an ended job are counted for the first sync_request only")
    func states() throws {
        let (host, socket) = try endedJob(books: 2_000)
        #expect(try host.instructions { try host.say(Self.sync, on: socket) } > 2_000)
        #expect(try host.instructions { try host.say(Self.sync, on: socket) } < 2_000)
        let counts = host.proxy.take(socket).frames.map { $0.payload?["processedCount"]?.integer }
        #expect(counts == [2_000, 2_000])
    }

    @Test("after a retry, the counts are those of the stored items")
    func retry() throws {
        let (host, token, worker) = try retriedJob()
        let items = try worker.claim()
        try worker.record([items[0]])
        try worker.record([items[1]], error: .invalidISBN)
        let state = try host.state(token: token)
        #expect(state.successCount == 2)
        #expect(state.failureCount == 2)
        #expect(state.failureCounts?[.notFound] == 1)
        #expect(state.failureCounts?[.invalidISBN] == 1)
        try host.restart()
        let stored = try host.state(token: token)
        #expect(stored.successCount == state.successCount)
        #expect(stored.failureCounts == state.failureCounts)
    }

    @Test("an outcome whose transaction fails does not change the counts")
    func failedTransaction() throws {
        let (host, token, worker) = try retriedJob()
        let items = try worker.claim()
        try host.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = 1") }
        #expect(throws: HostFailure.self) { try worker.record(items) }
        let state = try host.state(token: token)
        #expect(state.successCount == 1)
        #expect(state.failureCounts?[.notFound] == 3)
    }

    /// An ended job whose counts are cached, and whose last three books of four failed and are being retried.
    private func retriedJob() throws -> (host: TestHost, token: String, worker: TestWorker) {
        let host = try TestHost()
        let job = try host.create(books: 4)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.record([items[0]])
        try worker.record(Array(items[1...]), error: .notFound)
        #expect(try host.state(token: job.token).successCount == 1)
        #expect(try host.retry(token: job.token).retrying == 3)
        return (host, job.token, worker)
    }
}

@Suite("The cache of ended jobs")
struct EndedJobCacheTests {
    private let events = OutcomeEvents([.init(seq: 1, index: 0), .init(seq: 2, index: 1)])

    @Test("the least recently used jobs are forgotten if there are too many jobs or too many events")
    func limits() {
        var cache = EndedJobCache(jobLimit: 3, eventLimit: 5)
        for job: Int64 in 1...3 { cache.keep(JobCounts(total: Int(job)), of: job) }
        #expect(cache.counts(of: 1)?.total == 1)
        cache.keep(JobCounts(total: 4), of: 4)
        #expect(cache.counts(of: 2) == nil)
        for job: Int64 in [3, 4, 1] { cache.keep(events, of: job) }
        #expect(cache.counts(of: 3) == nil)
        #expect(cache.events(of: 4)?.count == 2)
        #expect(cache.events(of: 1)?.count == 2)
        #expect(cache.counts(of: 1)?.total == 1)
    }

    @Test("the events of a job are kept when its counts are forgotten")
    func forgetting() {
        var cache = EndedJobCache()
        cache.keep(JobCounts(total: 1), of: 1)
        cache.keep(events, of: 1)
        cache.keep(nil, of: 1)
        #expect(cache.counts(of: 1) == nil)
        #expect(cache.events(of: 1)?.count == 2)
        cache.removeAll()
        #expect(cache.events(of: 1) == nil)
    }
}
