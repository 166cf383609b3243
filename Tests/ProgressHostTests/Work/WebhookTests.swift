import BookstrackContract
import SuiteMethods
import Testing

@testable import ProgressHost

/// The planning of webhooks, which is progress-host's part of jobs.md "Webhooks".
@Suite("Planned webhooks")
struct WebhookTests {
    private static let url = "https://hooks.example.org/books"
    private let host: TestHost
    private let job: CreatedJob
    private let worker: TestWorker

    /// Starts and ends a job whose 40 books fail and can be retried.
    init() throws {
        host = try TestHost()
        worker = try TestWorker(host)
        job = try host.create(books: 40, origin: JobOrigin(client: "c", callbackURL: Self.url))
        try Self.end(host, worker)
    }

    private static func end(_ host: TestHost, _ worker: TestWorker) throws {
        for attempt in 0..<4 {
            if attempt > 0 { host.advance(by: .seconds(2)) }
            try worker.record(try worker.claim(), error: .providerError)
        }
    }

    /// Retries the failed books; `count` of them succeed.
    private func improve(_ count: Int, settle: Bool = true) throws {
        host.advance(by: .seconds(60))
        _ = try host.retry(token: job.token)
        let items = try worker.claim()
        try worker.record(Array(items.prefix(count)))
        try worker.record(Array(items.dropFirst(count)), error: .notFound)
        if settle { host.advance(by: .seconds(2)) }
    }

    /// The webhook that is due; nil if none is.
    private func claim() throws -> WebhookCall? {
        let answer = Answer<ClaimWebhook.Result>()
        host.group([
            EngineCommand(
                durable: false, writes: true,
                run: { [peer = worker.link.id] engine, turn in
                    engine.claim(
                        .init(waitMilliseconds: 0), in: engine.webhooks.claims, from: peer, turn,
                        reply: { answer.give($0) })
                }, refuse: { answer.give(.failure($0)) })
        ])
        host.settle()
        if answer.count == 0 { host.advance(by: .zero) }
        return try answer.value().webhook
    }

    private func record(_ call: WebhookCall, fault: String? = nil) throws {
        try host.perform { engine, turn in
            try engine.recordWebhook(.init(id: call.id, attempt: call.attempt, fault: fault), turn)
        }
    }

    @Test("a round of retries causes one webhook with its improvements")
    func planned() throws {
        try improve(3, settle: false)
        #expect(try claim() == nil)
        host.advance(by: .seconds(2))
        let call = try #require(try claim())
        #expect(call.url == Self.url)
        #expect(call.jobId == job.jobId)
        #expect(call.improved == 3)
        #expect(call.resultsRevision == host.revision(of: job))
        #expect(call.attempt == 0)
        try record(call)
        host.advance(by: .seconds(7_200))
        #expect(try claim() == nil)
        #expect(host.number("bookstrack_webhooks_total", "delivered") == 1)
        #expect(host.number("bookstrack_webhooks_waiting") == 0)
    }

    @Test("a job with no callback has no webhooks")
    func withoutCallback() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        let job = try host.create(books: 1)
        try Self.end(host, worker)
        _ = try host.retry(token: job.token)
        try worker.record(try worker.claim())
        host.advance(by: .seconds(2))
        #expect(host.number("bookstrack_webhooks_waiting") == 0)
    }

    @Test("a failed webhook is retried 10 s and 1, 10 and 60 min after the first attempt, and then abandoned")
    func tries() throws {
        try improve(1)
        let first = try #require(try claim())
        try record(first, fault: "status_500")
        var now = Duration.zero
        for (number, wait) in [10, 60, 600, 3_600].enumerated() {
            host.advance(by: .seconds(wait) - now - .seconds(1))
            #expect(try claim() == nil)
            host.advance(by: .seconds(1))
            now = .seconds(wait)
            let call = try #require(try claim())
            #expect(call.id == first.id)
            #expect(call.attempt == number + 1)
            #expect(call.resultsRevision == first.resultsRevision)
            try record(call, fault: "status_500")
        }
        host.advance(by: .seconds(7_200))
        #expect(try claim() == nil)
        #expect(host.number("bookstrack_webhooks_total", "failed") == 5)
        #expect(host.number("bookstrack_webhooks_total", "abandoned") == 1)
    }

    @Test("improvements within an hour after a webhook are sent in the next one, at the end of that hour")
    func onceAnHour() throws {
        try improve(1)
        let first = try #require(try claim())
        try record(first)
        let job = job
        for _ in 0..<2 {
            host.advance(by: .seconds(60))
            // The others were not found; they are retried only on request.
            _ = try host.retry(token: job.token)
            let items = try worker.claim()
            try worker.record(Array(items.prefix(5)))
            try worker.record(Array(items.dropFirst(5)), error: .notFound)
            host.advance(by: .seconds(2))
        }
        #expect(host.number("bookstrack_webhooks_waiting") == 1)
        host.advance(by: .seconds(3_600 - 130))
        #expect(try claim() == nil)
        host.advance(by: .seconds(10))
        let second = try #require(try claim())
        #expect(second.id != first.id)
        #expect(second.improved == 10)
        #expect(second.resultsRevision == host.revision(of: job))
    }

    @Test("a webhook that was sent while the clock was ahead does not delay the job's next one")
    func clockSetBack() throws {
        try improve(1)
        try record(try #require(try claim()))
        host.clock.stepWall(by: .seconds(-36_000))
        try improve(1)
        #expect(try claim()?.improved == 1)
    }

    @Test("a webhook that was first attempted while the clock was ahead is retried on time")
    func retriedAfterClockSetBack() throws {
        try improve(1)
        let first = try #require(try claim())
        host.clock.stepWall(by: .seconds(-36_000))
        try record(first, fault: "status_500")
        host.advance(by: .seconds(10))
        #expect(try claim()?.attempt == 1)
    }

    @Test("a webhook that was handed out stays unchanged, and further improvements cause another one")
    func sealed() throws {
        try improve(1)
        let first = try #require(try claim())
        try improve(2)
        try record(first, fault: "status_500")
        host.advance(by: .seconds(10))
        #expect(try claim()?.improved == 1)
        host.advance(by: .seconds(3_600))
        let calls = [try claim(), try claim()].compactMap(\.self)
        #expect(Set(calls.map(\.improved)) == [1, 2])
    }

    @Test("a webhook whose worker is lost is handed out again under the same id, but not before its lease has ended")
    func lostWorker() throws {
        try improve(1)
        let first = try #require(try claim())
        try worker.disconnect()
        try worker.attach()
        host.advance(by: .seconds(29))
        #expect(try claim() == nil)
        host.advance(by: .seconds(1))
        #expect(try claim() == first)
    }

    @Test("a restart of the process loses no webhook, and a success that is reported after a restart ends the webhook")
    func restart() throws {
        try improve(4, settle: false)
        try host.restart()
        let worker = try TestWorker(host)
        host.advance(by: .seconds(2))
        let rest = WebhookTests(host, job, worker)
        let call = try #require(try rest.claim())
        #expect(call.improved == 4)
        try host.restart()
        try rest.record(call)
        host.advance(by: .seconds(60))
        #expect(host.number("bookstrack_webhooks_waiting") == 0)
    }

    @Test("a failure that is reported twice counts once")
    func repeatedReport() throws {
        try improve(1)
        let call = try #require(try claim())
        try record(call, fault: "status_500")
        try record(call, fault: "status_500")
        host.advance(by: .seconds(10))
        #expect(try claim()?.attempt == 1)
    }

    @Test("webhooks are deleted with their job")
    func expiry() throws {
        try improve(1)
        #expect(host.number("bookstrack_webhooks_waiting") == 1)
        host.advance(by: .seconds(4 * 86_400))
        #expect(host.number("bookstrack_webhooks_waiting") == 0)
        #expect(try claim() == nil)
    }

    private init(_ host: TestHost, _ job: CreatedJob, _ worker: TestWorker) {
        (self.host, self.job, self.worker) = (host, job, worker)
    }
}

extension TestHost {
    fileprivate func revision(of job: CreatedJob) -> Int? {
        try? state(job.jobId, token: job.token).resultsRevision
    }
}
