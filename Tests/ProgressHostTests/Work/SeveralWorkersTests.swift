import BookstrackContract
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Several workers")
struct SeveralWorkersTests {
    private func indices(_ answer: Answer<ClaimWork.Result>) throws -> [Int] {
        try answer.value().items.map(\.key.index).sorted()
    }

    @Test("waiting workers share a new job's items")
    func sharesJob() throws {
        let host = try TestHost()
        let workers = [try TestWorker(host), try TestWorker(host)]
        let claims = workers.map { $0.ask() }
        try host.create(books: 60)
        let counts = try claims.map { try $0.value().items.count }
        #expect(counts.sorted() == [25, 35])
        #expect(try Set(claims.flatMap(indices)).count == 60)
    }

    @Test("the worker that was served longest ago is served first")
    func rotation() throws {
        let host = try TestHost()
        let workers = [try TestWorker(host), try TestWorker(host), try TestWorker(host)]
        var claims = workers.map { $0.ask() }
        var served: [Int] = []
        for number in 1...6 {
            try host.create(JobID("small-job-\(number)")!, books: 1)
            let winner = try #require(claims.firstIndex { $0.count == 1 })
            served.append(winner)
            claims[winner] = workers[winner].ask()
        }
        #expect(Set(served.prefix(3)) == [0, 1, 2])
        #expect(Array(served.prefix(3)) == Array(served.suffix(3)))
    }

    @Test("a job's items leased to one worker do not count toward another worker's limit")
    func perJob() throws {
        let host = try TestHost()
        try host.create(books: 100)
        let first = try TestWorker(host), second = try TestWorker(host)
        #expect(try first.claim(perJob: 40).count == 40)
        #expect(try second.claim(perJob: 40).count == 40)
        #expect(try first.claim(perJob: 40).isEmpty)
    }

    @Test("another worker takes over a lost worker's items immediately")
    func takesOver() throws {
        let host = try TestHost()
        try host.create(books: 30)
        let lost = try TestWorker(host), other = try TestWorker(host)
        #expect(try lost.claim().count == 30)
        let claim = other.ask()
        #expect(claim.count == 0)
        try lost.disconnect()
        #expect(try indices(claim) == Array(0..<30))
    }

    @Test("after a restart of progress-host, each worker keeps its items, whichever reconnects first")
    func keepsAfterRestart() throws {
        let host = try TestHost(grace: .seconds(1))
        try host.create(books: 60)
        let slow = try TestWorker(host)
        let held = try slow.claim(limit: 20).map(\.key)
        try host.restart()
        let quick = try TestWorker(host)
        let claim = quick.ask()
        #expect(claim.count == 0)
        #expect(try slow.attach(holding: held).isEmpty)
        host.advance(by: .seconds(1))
        #expect(try indices(claim) == Array(20..<60))
    }

    @Test("jobs that start after a restart do not wait for returning workers")
    func newJobsGoOn() throws {
        let host = try TestHost(grace: .seconds(1))
        try host.create(JobID("job-of-before")!, books: 2)
        try host.restart()
        try host.create(JobID("job-of-after")!, books: 2)
        #expect(try TestWorker(host).claim().map(\.key.jobId.text) == ["job-of-after", "job-of-after"])
    }

    @Test("an item that two workers looked up because a connection was lost is recorded once")
    func recordsOnce() throws {
        let host = try TestHost()
        let job = JobID("one-job-for-two")!
        try host.create(job, books: 1)
        let first = try TestWorker(host), second = try TestWorker(host)
        let items = try first.claim()
        try first.disconnect()
        let again = try second.claim()
        #expect(again.map(\.key) == items.map(\.key))
        #expect(try first.attach(holding: items.map(\.key)) == items.map(\.key))
        try first.record(items)
        try second.record(again)
        #expect(host.openJobs == 0)
        #expect(host.leasedItems == 0)
    }
}
