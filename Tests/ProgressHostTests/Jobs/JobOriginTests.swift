import BookstrackContract
import GRDB
import JSONRPC
import NIOCore
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Origin and repetition of a job's start")
struct JobOriginTests {
    private static let owner = JobOrigin(client: "owner")
    private static let stranger = JobOrigin(client: "stranger")
    private static let keyed = JobOrigin(client: "owner", isKeyed: true)

    private func jobExists(_ status: JobStatus = .pending) -> HostFailure { .jobExists(TestHost.jobID, status) }

    /// Ends the open job with this outcome of its book.
    private func end(_ host: TestHost, _ worker: TestWorker, _ error: ItemErrorCode?) throws {
        while host.openJobs > 0 {
            try worker.record(try worker.claim(), error: error)
            host.advance(by: .seconds(3))
        }
    }

    @Test(
        "a job's client, priority and choice of completion books are stored, but not the token that its caller presented"
    )
    func stored() throws {
        let host = try TestHost()
        let origin = JobOrigin(client: "c0:0:2:1", shownToken: "secret", priority: .low, completionBooks: .enriched)
        try host.create(books: 1, origin: origin)
        try host.restart()
        #expect(try host.storedOrigin() == JobOrigin(client: "c0:0:2:1", priority: .low, completionBooks: .enriched))
    }

    @Test("a start's source is stored, and shown in the job's state and in lists", arguments: JobSource.allCases)
    func source(_ source: JobSource) async throws {
        let host = try TestHost()
        let job = try host.create(books: 1, origin: JobOrigin(client: "c", source: source))
        try host.restart()
        #expect(try host.state(token: job.token).source == source)
        let lister = JobLister(pool: host.pool, clock: host.clock.engine)
        #expect(try await lister.page(ListJobs.Parameters()).jobs.map(\.source) == [source])
    }

    @Test(
        "a job started without a source has its pipeline's default source, and an import's enrichment has the import's")
    func usualSource() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        #expect(try host.state(token: job.token).source == .api)
        let id = try #require(JobID("an-import"))
        let begun = try host.beginImport(id, enrich: true)
        #expect(try host.state(id, token: begun.token).source == .import)
        let linked = try #require(begun.enrichment)
        #expect(try host.state(linked.jobId, token: linked.token).source == .import)
    }

    @Test("a job stored by an earlier version has no client and is ranked by its size")
    func olderJob() throws {
        let host = try TestHost()
        try host.create(books: 2)
        try host.pool.write {
            try $0.execute(sql: "UPDATE job SET client = NULL, priority = NULL, completion_books = NULL")
        }
        try host.restart()
        #expect(try host.storedOrigin() == JobOrigin())
        #expect(try TestWorker(host).claim().map(\.workClass) == [.interactive, .interactive])
    }

    @Test(
        "a start that requests high priority is queued with the small jobs, and one that requests normal priority with the large ones"
    )
    func askedPriority() throws {
        let host = try TestHost()
        try host.create(JobID("large-high")!, books: 20, origin: JobOrigin(client: "c", priority: .high))
        try host.create(JobID("small-normal")!, books: 2, origin: JobOrigin(client: "c", priority: .normal))
        let items = try TestWorker(host).claim()
        #expect(items.prefix(20).allSatisfy { $0.key.jobId.text == "large-high" && $0.workClass == .interactive })
        #expect(items.suffix(2).allSatisfy { $0.key.jobId.text == "small-normal" && $0.workClass == .bulk })
    }

    @Test("a start repeated from another address fails with an error that contains the job's status but no token")
    func stranger() throws {
        let host = try TestHost()
        try host.create(books: 1, origin: Self.owner)
        #expect(throws: jobExists()) { try host.create(books: 1, origin: Self.stranger) }
        let failure = jobExists().rpc.detail
        #expect(failure.code == "JOB_EXISTS")
        let details = try JSON(#require(failure.details).readableBytesView)
        #expect(details["jobId"]?.text == TestHost.jobID.text)
        #expect(details["status"]?.text == "pending")
    }

    @Test("for 10 minutes, a start repeated from the original address returns a new token")
    func sameAddress() throws {
        let host = try TestHost()
        try host.create(books: 1, origin: Self.owner)
        host.advance(by: .seconds(599))
        let second = try host.create(books: 1, origin: Self.owner)
        #expect(try host.state(token: second.token).status == .pending)
        host.advance(by: .seconds(1))
        #expect(throws: jobExists()) { try host.create(books: 1, origin: Self.owner) }
    }

    @Test("a clock that is set forward does not end the 10 minutes in which a start can be repeated")
    func sameAddressAfterStep() throws {
        let host = try TestHost()
        try host.create(books: 1, origin: Self.owner)
        host.clock.stepWall(by: .seconds(86_400))
        host.advance(by: .seconds(599))
        let second = try host.create(books: 1, origin: Self.owner)
        #expect(try host.state(token: second.token).status == .pending)
        host.advance(by: .seconds(1))
        #expect(throws: jobExists()) { try host.create(books: 1, origin: Self.owner) }
    }

    @Test("an unknown address does not equal any address, not even another unknown one")
    func unknownAddress() throws {
        let host = try TestHost()
        try host.create(books: 1, origin: JobOrigin())
        #expect(throws: jobExists()) { try host.create(books: 1, origin: JobOrigin()) }
    }

    @Test(
        "a caller that presents an earlier token receives a new one from any address, even if the earlier token has expired"
    )
    func shownToken() throws {
        let host = try TestHost()
        let first = try host.create(books: 1, origin: Self.owner)
        host.advance(by: .seconds(7_300))
        #expect(throws: HostFailure.tokenExpired) { try host.state(token: first.token) }
        let second = try host.create(books: 1, origin: JobOrigin(client: "elsewhere", shownToken: first.token))
        #expect(try host.state(token: second.token).status == .pending)
    }

    @Test("a caller that presents a wrong token, another job's token or a rotated token receives no new one")
    func worthlessTokens() throws {
        let host = try TestHost()
        let first = try host.create(books: 1, origin: Self.owner)
        let other = try host.create(JobID("another-job")!, books: 1, origin: Self.owner)
        host.advance(by: .seconds(5_400))
        _ = try host.refresh(token: first.token)
        host.advance(by: .seconds(301))
        for token in ["wrong", "", other.token, first.token] {
            #expect(throws: jobExists()) {
                try host.create(books: 1, origin: JobOrigin(client: "elsewhere", shownToken: token))
            }
        }
    }

    @Test(
        "a thousand repeated starts evict no token, and return the presented token once the job has the maximum number of tokens"
    )
    func nothingIsEvicted() throws {
        let host = try TestHost()
        let first = try host.create(books: 1, origin: Self.owner)
        let repeating = JobOrigin(client: "owner", shownToken: first.token)
        let given = try (0..<1_000).map { _ in try host.create(books: 1, origin: repeating).token }
        #expect(given.last == first.token)
        #expect(throws: jobExists()) { try host.create(books: 1, origin: Self.owner) }
        for token in [first.token] + given { #expect(try host.state(token: token).status == .pending) }
        #expect(try host.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM token") } == 32)
    }

    @Test("a start with an idempotency key can be repeated many times, and returns the same token for an hour")
    func keyed() throws {
        let host = try TestHost()
        let first = try host.create(books: 1, origin: Self.keyed)
        for _ in 0..<100 { #expect(try host.create(books: 1, origin: Self.keyed).token == first.token) }
        host.advance(by: .seconds(3_599))
        #expect(try host.create(books: 1, origin: Self.keyed).token == first.token)
        host.advance(by: .seconds(1))
        let second = try host.create(books: 1, origin: Self.keyed)
        #expect(second.token != first.token)
        for token in [first.token, second.token] { #expect(try host.state(token: token).status == .pending) }
        #expect(try host.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM token") } == 2)
    }

    @Test("an idempotency key works only for its own client and book")
    func keyedElsewhere() throws {
        let host = try TestHost()
        try host.create(books: 1, origin: Self.keyed)
        let foreign = HostFailure.jobExists(TestHost.jobID, .pending, .keyedBook)
        #expect(throws: foreign) {
            try host.create(books: 1, origin: JobOrigin(client: "stranger", isKeyed: true))
        }
        #expect(throws: foreign) { try host.create(books: 1, digest: "another book", origin: Self.keyed) }
        #expect(foreign.rpc.message.hasPrefix("The idempotencyKey was already used for a different book"))
    }

    @Test(
        "repeating a start with a key looks the book up again if the failure may have been temporary",
        arguments: [
            (.providerError, .pending), (.quotaExhausted, .pending), (.notFound, .completed), (nil, .completed),
        ] as [(ItemErrorCode?, JobStatus)])
    func lookedUpAgain(error: ItemErrorCode?, status: JobStatus) async throws {
        let host = try TestHost()
        let first = try host.create(books: 1, origin: Self.keyed)
        let worker = try TestWorker(host)
        try end(host, worker, error)
        #expect(try host.state(token: first.token).status.isTerminal)
        let again = try host.create(books: 1, origin: Self.keyed)
        #expect(again.status == status)
        #expect(try host.state(token: first.token).status == status)
        guard status == .pending else { return }
        #expect(try host.create(books: 1, origin: Self.keyed).status == .pending)
        try worker.record(try worker.claim())
        #expect(try await host.resultRows(again.jobId).map(\.success) == [true])
        #expect(try host.create(books: 1, origin: Self.keyed).status == .completed)
    }

    @Test("a job that looks its book up again continues its event numbers and its results revision")
    func numbersContinue() throws {
        let host = try TestHost()
        let first = try host.create(books: 1, origin: Self.keyed)
        let worker = try TestWorker(host)
        try end(host, worker, .providerError)
        let failed = try host.state(token: first.token)
        #expect(failed.resultsRevision == 1)
        let again = try host.create(books: 1, origin: Self.keyed)
        let pending = try host.state(token: again.token)
        #expect(pending.lastSeq > failed.lastSeq)
        let early = try host.open(token: again.token, since: failed.lastSeq)
        #expect(host.proxy.take(early).frames.first?.payload?["recovered"]?.flag == false)
        host.proxy.skipAll()
        try worker.record(try worker.claim())
        #expect(host.proxy.take(early).seqs.min() ?? 0 > pending.lastSeq)
        let completed = try host.state(token: again.token)
        #expect(completed.resultsRevision == 2)
        let late = try host.open(token: again.token, since: failed.lastSeq)
        #expect(host.proxy.take(late).types.last == "job_complete")
        #expect(try host.violations() == [])
    }

    @Test("while lookups fail, a start can be repeated with its key for many token lifetimes; its job has few tokens")
    func repeatedForDays() throws {
        var policy = HostPolicy()
        policy.tokens.ttl = .seconds(600)
        let host = try TestHost(policy)
        let worker = try TestWorker(host)
        var previous: String?
        for _ in 0..<70 {
            let job = try host.create(books: 1, origin: Self.keyed)
            #expect(try host.create(books: 1, origin: Self.keyed).token == job.token)
            if let previous { #expect(try host.state(token: previous).status == .pending) }
            previous = job.token
            try end(host, worker, .providerError)
            host.advance(by: policy.tokens.ttl / 2)
        }
        let count = try host.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM token") }
        #expect(count == JobTokens.byStarts)
    }

    @Test("repeating a start with its key while the job is being retried does not look the book up twice")
    func retried() throws {
        let host = try TestHost()
        let first = try host.create(books: 1, origin: Self.keyed)
        let worker = try TestWorker(host)
        try end(host, worker, .providerError)
        _ = try host.retry(token: first.token)
        #expect(try host.create(books: 1, origin: Self.keyed).status == .failed)
        try worker.record(try worker.claim())
        #expect(try host.create(books: 1, origin: Self.keyed).status == .failed)
        #expect(try host.state(token: first.token).successCount == 1)
    }

    @Test("repeating a start with its key after the job was cancelled starts the job again")
    func cancelled() throws {
        let host = try TestHost()
        let first = try host.create(books: 1, origin: Self.keyed)
        _ = try host.cancel(token: first.token)
        #expect(try host.create(books: 1, origin: Self.keyed).status == .pending)
    }

    @Test("if a job has the maximum number of tokens, they can still be rotated, each once per grace period")
    func rotationOfAFullJob() throws {
        let host = try TestHost()
        let first = try host.create(books: 1, origin: Self.owner).token
        let rest = try (1..<32).map { _ in try host.create(books: 1, origin: Self.owner).token }
        host.advance(by: .seconds(5_400))
        for token in [first] + rest { _ = try host.refresh(token: token) }
        #expect(throws: HostFailure.tokenRefreshTooEarly(seconds: 300)) { try host.refresh(token: first) }
    }
}
