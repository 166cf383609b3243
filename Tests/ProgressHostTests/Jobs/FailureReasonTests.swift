import BookstrackContract
import JSONRPC
import NIOCore
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Failures and waiting in a job's state")
struct FailureReasonTests {
    @Test("a job's state and its stored counts list failures by reason, even after a restart")
    func byReason() throws {
        let host = try TestHost()
        let job = try host.create(books: 4)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.record([items[0]], error: .notFound)
        try worker.record([items[1]], error: .invalidISBN)
        try worker.record([items[2]])
        var expected = FailureCounts()
        expected[.notFound] = 1
        expected[.invalidISBN] = 1
        #expect(try host.state(token: job.token).failureCounts == expected)
        try host.restart()
        #expect(try host.state(token: job.token).failureCounts == expected)
        _ = try host.perform(durable: true) { engine, turn in
            try engine.cancel(JobAccess(jobId: TestHost.jobID, token: job.token), turn)
        }
        expected[.cancelled] = 1
        #expect(try host.state(token: job.token).failureCounts == expected)
    }

    @Test("the state of a job with no failures has no failure counts")
    func nothing() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        let state = try host.state(token: job.token)
        #expect(state.failureCounts == nil)
        #expect(state.laterRetries == nil)
    }

    @Test("an ended job's state announces how many books will be retried and when")
    func laterRetries() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        let worker = try TestWorker(host)
        var items = try worker.claim()
        try worker.record([items.removeFirst()])
        for _ in 0..<4 {
            try worker.record(items, error: .quotaExhausted)
            host.advance(by: .seconds(2))
            items = try worker.claim()
        }
        let state = try host.state(token: job.token)
        let later = try #require(state.laterRetries)
        #expect(state.status == .completed)
        #expect(later.count == 2)
        #expect(state.failureCounts?[.quotaExhausted] == 2)
        #expect(later.nextAt > (state.endedAt ?? ""))
    }

    @Test("an open job reports that it is waiting while no worker is attached")
    func waiting() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        #expect(try host.state(token: job.token).waitingFor == "enrichment-worker")
        let worker = try TestWorker(host)
        #expect(try host.state(token: job.token).waitingFor == nil)
        try worker.record(try worker.claim())
        let peer = worker.link.id
        try host.perform { engine, _ in engine.disconnected(peer) }
        #expect(try host.state(token: job.token).waitingFor == nil)
    }
}
