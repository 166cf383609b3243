import BookstrackContract
import SuiteMethods
import Testing

@testable import ProgressHost

/// Cancelling a job whose items are ended in several steps (jobs.md "Work").
@Suite("Stepwise cancellation")
struct StepwiseCancellationTests {
    private func host() throws -> TestHost {
        var policy = HostPolicy()
        policy.itemsEndedPerStep = 1
        return try TestHost(policy)
    }

    private func status(_ host: TestHost) throws -> JobStatus? {
        try host.perform(writes: false) { engine, turn in try engine.jobs.row(1, turn)?.status }
    }

    @Test("no follow-up of a job is handed out between the steps, and those in progress no longer change its results")
    func followUps() throws {
        let host = try host()
        let job = try host.create(books: 4)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim(limit: 2), followUp: .soon)
        let held = try worker.ask(perJob: 1, scope: .later).value().items
        #expect(held.map(\.workClass) == [.followUp])
        // The limit per job keeps the worker from claiming the other follow-up until the cancellation ends its leases.
        let waiting = worker.ask(perJob: 1, scope: .later)
        #expect(waiting.count == 0)
        _ = try host.cancel(token: job.token)
        #expect(waiting.count == 0)
        let revision = try host.state(token: job.token).resultsRevision
        try worker.record(held)
        let state = try host.state(token: job.token)
        #expect(state.status == .cancelled)
        #expect(state.resultsRevision == revision)
    }

    @Test("a worker that reconnects between the steps is told that the job's follow-ups are not wanted")
    func reattached() throws {
        let host = try host()
        let job = try host.create(books: 4)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim(limit: 2), followUp: .soon)
        let held = try worker.ask(scope: .later).value().items.map(\.key)
        #expect(held.count == 2)
        let access = JobAccess(jobId: job.jobId, token: job.token)
        let unwanted = try host.perform(durable: true) { [link = worker.link] engine, turn in
            _ = try engine.cancel(access, turn)
            return try engine.work.attach(link, held: held, turn)
        }
        #expect(unwanted == held)
        #expect(host.leasedItems == 0)
    }

    @Test("a restart between the steps leaves no trace in the gauges of open jobs", arguments: [0, 1])
    func restarted(claimed: Int) throws {
        let host = try host()
        try host.create(books: 3)
        if claimed > 0 { _ = try TestWorker(host).claim(limit: claimed) }
        let cancellation = host.command(durable: true) { engine, turn in try engine.cancel(job: 1, turn) }
        host.group([cancellation.command])
        #expect(try cancellation.answer.value().status == .cancelling)
        try host.restart()
        #expect(try status(host) == .cancelled)
        #expect(host.number("bookstrack_jobs_open", "pending") == 0)
        #expect(host.number("bookstrack_jobs_open", "processing") == 0)
        #expect(host.number("bookstrack_items_open") == 0)
    }

    @Test("a job that is cancelled in the turn in which its deadline passes ends as cancelled")
    func atTheDeadline() throws {
        let host = try host()
        try host.create(books: 3)
        host.clock.move(by: host.policy.jobDeadline)
        let outcome = try host.perform(durable: true) { engine, turn in try engine.cancel(job: 1, turn) }
        #expect(outcome.status == .cancelling)
        #expect(try status(host) == .cancelled)
    }
}
