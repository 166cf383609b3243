import BookstrackContract
import GRDB
import SuiteMethods
import SuiteStorage
import Testing

@testable import ProgressHost

@Suite("The linked enrichment of an import")
struct LinkedEnrichmentTests {
    private func queries(_ range: Range<Int>) -> [BookQuery] {
        range.map { BookQuery(title: "Book \($0)", author: "Author \($0)", row: $0 + 1) }
    }

    @Test(
        "the linked enrichment exists from the start, waits for the import to end, and its results contain the row numbers"
    )
    func life() async throws {
        let host = try TestHost()
        let begun = try host.startImport(enrich: true)
        let link = try #require(begun.enrichment)
        #expect(try host.state(link.jobId, token: link.token).status == .pending)
        #expect(try host.state(link.jobId, token: link.token).progress == 0)
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        #expect(step.enrich)
        _ = try worker.deliver(["a", "b"], page: 0, queries: queries(0..<2), of: step)
        _ = try worker.deliver(["c"], page: 1, queries: queries(2..<3), of: step)
        #expect(try worker.claim().isEmpty)
        #expect(try host.violations() == [])
        try worker.finish(step, pages: 2, books: 3)
        let items = try worker.claim()
        #expect(items.map(\.query) == queries(0..<3))
        #expect(items.allSatisfy { $0.key.jobId == link.jobId })
        #expect(items.allSatisfy { $0.workClass == .bulk })
        try worker.record(items)
        #expect(try host.state(link.jobId, token: link.token).status == .completed)
        #expect(try await host.resultRows(link.jobId).map(\.row) == [1, 2, 3])
        #expect(try await host.results.importOpening(of: TestHost.jobID).head.enrichment == link.jobId)
        #expect(try host.violations() == [])
    }

    @Test("reading a file again leaves neither repeated items nor items from the lost attempt")
    func secondAttempt() throws {
        let host = try TestHost()
        let link = try #require(try host.startImport(enrich: true).enrichment)
        let first = try TestWorker(host)
        let lost = try #require(try first.claimFile())
        _ = try first.deliver(["a"], page: 0, queries: queries(0..<50), of: lost)
        _ = try first.deliver(["a"], page: 1, queries: queries(50..<90), of: lost)
        try host.restart()
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        _ = try worker.deliver(["a"], page: 0, queries: queries(0..<60), of: step)
        #expect(try host.violations() == [])
        try worker.finish(step, pages: 1, books: 60)
        #expect(try host.violations() == [])
        #expect(try host.state(link.jobId, token: link.token).totalCount == 60)
        #expect(try worker.claim().map(\.query) == queries(0..<60))
    }

    @Test("the linked enrichment is cancelled with its import")
    func cancelled() throws {
        let host = try TestHost()
        let begun = try host.startImport(enrich: true)
        let link = try #require(begun.enrichment)
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        _ = try worker.deliver(["a"], page: 0, queries: queries(0..<10), of: step)
        let socket = try host.watch(link.jobId, token: link.token)
        _ = try host.cancel(token: begun.token)
        #expect(try host.state(link.jobId, token: link.token).status == .cancelled)
        #expect(host.proxy.take(socket).close == .goingAway)
        #expect(host.openJobs == 0)
        #expect(try host.violations() == [])
    }

    @Test("a large enrichment is cancelled in steps, which continue after a restart")
    func cancelledInSteps() async throws {
        var policy = HostPolicy()
        policy.itemsEndedPerStep = 10
        let host = try TestHost(policy)
        let begun = try host.startImport(enrich: true)
        let link = try #require(begun.enrichment)
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        _ = try worker.deliver(["a"], page: 0, queries: queries(0..<35), of: step)
        let access = JobAccess(jobId: link.jobId, token: link.token)
        let (cancel, answer) = host.command(durable: true) { engine, turn in try engine.cancel(access, turn) }
        host.group([cancel])
        #expect(try answer.value().status == .cancelling)
        #expect(try answer.value().cleanup.itemsDiscarded == 35)
        let stored = try await host.pool.read { db in
            try String.fetchAll(db, sql: "SELECT status FROM job WHERE ended_at IS NULL ORDER BY number")
                + String.fetchAll(db, sql: "SELECT count(*) FROM item WHERE state = 3")
        }
        #expect(stored == ["processing", "cancelling", "10"])
        try host.restart()
        #expect(host.number("bookstrack_items_open") == 0)
        let state = try host.state(link.jobId, token: link.token)
        #expect(state.status == .cancelled)
        #expect(state.failureCount == 35)
        #expect(try host.violations() == [])
        try TestWorker(host).readFile(["a"], queries: queries(0..<1))
        #expect(try await host.importedRows() == [.books: ["a"]])
        #expect(try host.state(link.jobId, token: link.token).status == .cancelled)
        #expect(try host.violations() == [])
    }

    @Test("a page with too many books for the linked job is refused, even if it is sent again, and not stored")
    func tooManyBooks() async throws {
        let host = try TestHost()
        try host.startImport(enrich: true)
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        try host.perform { engine, _ in
            var open = try #require(engine.readingSteps[TestHost.jobID])
            open.drafted = Int(ItemNumber.placesPerJob)
            engine.readingSteps[open.job] = open
        }
        let refusal = HostFailure.invalidRequest("a linked job may have at most 1048576 items")
        for _ in 1...2 {
            #expect(throws: refusal) { try worker.deliver(["a"], page: 0, queries: queries(0..<1), of: step) }
        }
        let pages = try await host.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM import_page") }
        #expect(pages == 0)
    }

    @Test("the linked enrichment fails with its import, and its rows do not say that it was cancelled")
    func failed() async throws {
        let host = try TestHost()
        let link = try #require(try host.startImport(enrich: true).enrichment)
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        _ = try worker.deliver(["a"], page: 0, queries: queries(0..<10), of: step)
        let socket = try host.watch(link.jobId, token: link.token)
        try worker.fail(step, ImportFault(.csvParseError, "No column looks like a title."))
        #expect(try host.state(link.jobId, token: link.token).status == .failed)
        let story = host.proxy.take(socket)
        #expect(story.types.last == "error")
        #expect(story.close == .internalError)
        let reasons = try await host.resultRows(link.jobId).map(\.error)
        #expect(reasons == Array(repeating: "The job ended before this book was looked up", count: 10))
        #expect(try host.violations() == [])
    }

    @Test("if no worker reads a file before the deadline, the linked enrichment fails with its import")
    func deadline() throws {
        var policy = HostPolicy()
        policy.jobDeadline = .seconds(3_600)
        let host = try TestHost(policy)
        let begun = try host.startImport(enrich: true)
        let link = try #require(begun.enrichment)
        host.advance(by: policy.jobDeadline)
        #expect(try host.state(token: begun.token).status == .failed)
        #expect(try host.state(link.jobId, token: link.token).status == .failed)
        let late = try host.watch(link.jobId, token: link.token)
        #expect(host.proxy.take(late).story.suffix(2) == ["error", "close 1011"])
        #expect(host.openJobs == 0)
        #expect(try host.violations() == [])
    }

    @Test("a linked enrichment whose import has completed still ends at its own deadline")
    func deadlineOfItems() throws {
        var policy = HostPolicy()
        policy.jobDeadline = .seconds(3_600)
        let host = try TestHost(policy)
        let link = try #require(try host.startImport(enrich: true).enrichment)
        try TestWorker(host).readFile(["a"], queries: queries(0..<2))
        host.advance(by: policy.jobDeadline)
        let state = try host.state(link.jobId, token: link.token)
        #expect(state.status.isTerminal)
        #expect(state.failureCount == 2)
        #expect(host.openJobs == 0)
    }

    @Test("a large enrichment fails in steps, which continue after a restart")
    func failedInSteps() async throws {
        var policy = HostPolicy()
        policy.itemsEndedPerStep = 10
        let host = try TestHost(policy)
        let link = try #require(try host.startImport(enrich: true).enrichment)
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        _ = try worker.deliver(["a"], page: 0, queries: queries(0..<35), of: step)
        let failure = ImportFault(.csvParseError, "A cell is too long.")
        let (fail, answer) = host.command(durable: true) { [link = worker.link] engine, turn in
            try engine.failImport(.init(key: step.key, failure: failure), from: link.id, turn)
        }
        host.group([fail])
        #expect(try answer.value().isWanted)
        let stored = try await host.pool.read { db in
            try String.fetchAll(db, sql: "SELECT status FROM job ORDER BY number")
                + String.fetchAll(db, sql: "SELECT count(*) FROM item WHERE state = 3")
        }
        #expect(stored == ["failed", "cancelling", "10"])
        try host.restart()
        #expect(host.number("bookstrack_items_open") == 0)
        let state = try host.state(link.jobId, token: link.token)
        #expect(state.status == .failed)
        #expect(state.failureCount == 35)
        let late = try host.watch(link.jobId, token: link.token)
        #expect(host.proxy.take(late).types.last == "error")
        #expect(try TestWorker(host).claim().isEmpty)
        #expect(try host.violations() == [])
    }

    @Test("cancelling only the linked enrichment leaves the import unchanged")
    func cancelledAlone() async throws {
        let host = try TestHost()
        let begun = try host.startImport(enrich: true)
        let link = try #require(begun.enrichment)
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        _ = try worker.deliver(["a"], page: 0, queries: queries(0..<10), of: step)
        #expect(try host.cancel(link.jobId, token: link.token).cleanup.itemsDiscarded == 10)
        _ = try worker.deliver(["b"], page: 1, queries: queries(10..<20), of: step)
        try worker.finish(step, pages: 2, books: 2)
        #expect(try await host.importedRows() == [.books: ["a", "b"]])
        #expect(try worker.claim().isEmpty)
        #expect(try host.violations() == [])
    }

    @Test("if an import has no books, its enrichment completes with no items")
    func noBooks() throws {
        let host = try TestHost()
        let link = try #require(try host.startImport(enrich: true).enrichment)
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        try worker.finish(step, pages: 0, books: 0)
        let state = try host.state(link.jobId, token: link.token)
        #expect(state.status == .completed)
        #expect(state.totalCount == 0)
        #expect(try host.violations() == [])
    }

    @Test("finishing a large import costs less than recording one of its pages")
    func largeImport() throws {
        let host = try TestHost()
        let link = try #require(try host.startImport(bytes: 10_000_000, lines: 20_000, enrich: true).enrichment)
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimFile())
        var page = 0
        var pageCost = 0
        for first in stride(from: 0, to: 20_000, by: 200) {
            let cost = try host.instructions {
                _ = try worker.deliver(["a"], page: page, queries: queries(first..<first + 200), of: step)
            }
            pageCost = max(pageCost, cost)
            page += 1
        }
        let end = try host.instructions { try worker.finish(step, pages: page, books: 20_000) }
        #expect(end < pageCost)
        #expect(try host.state(link.jobId, token: link.token).totalCount == 20_000)
        #expect(host.figures.waitingBulk == 20_000)
    }
}
