import BookstrackContract
import Foundation
import GRDB
import NIOCore
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Job details and failure summaries for operators")
struct JobInspectorTests {
    private func inspector(_ host: TestHost) -> JobInspector {
        JobInspector(lister: JobLister(pool: host.pool, clock: host.clock.engine))
    }

    private func items(
        _ host: TestHost, _ state: ReadJobItems.State? = nil, from: Int = 0, limit: Int = 50
    ) async throws -> ReadJobItems.Result {
        try await inspector(host).items(.init(jobId: TestHost.jobID, state: state, from: from, limit: limit))
    }

    @Test("the timeline has every event in order, with its time and its frame")
    func timeline() async throws {
        let host = try TestHost()
        try host.create(books: 2)
        let worker = try TestWorker(host)
        let claimed = try worker.claim()
        host.advance(by: .seconds(1))
        try worker.record(claimed)
        let detail = try await inspector(host).detail(of: TestHost.jobID)
        #expect(detail.events.first?.kind == "started")
        #expect(detail.events.last?.kind == "completed")
        #expect(detail.events.map(\.seq) == Array(1...detail.lastSeq))
        #expect(detail.events.allSatisfy { $0.frame?.hasPrefix("{") == true })
        #expect(try #require(detail.events.last?.at) - (try #require(detail.events.first?.at)) >= 1_000)
        #expect(detail.job.counts.succeeded == 2)
        #expect(detail.resultsRevision == 1)
    }

    @Test("a long timeline shows the first event and the newest ones")
    func longTimeline() async throws {
        let host = try TestHost()
        try host.create(books: 1)
        let worker = try TestWorker(host)
        _ = try worker.claim()
        try await host.pool.write { db in
            for seq in 2...500 {
                try JobStore(db: db).appendEvent(
                    StoredEvent(seq: seq, at: 0, kind: .progress, frame: .init(string: "{}")), job: 1)
            }
        }
        let events = try await inspector(host).detail(of: TestHost.jobID).events
        #expect(events.count == ReadJobDetail.maxEvents)
        #expect(events.first?.seq == 1)
        #expect(events.last?.seq == 500)
    }

    @Test("a job's tokens are listed with their acknowledged event numbers, but the tokens themselves are never shown")
    func tokens() async throws {
        let host = try TestHost()
        let created = try host.create(books: 1)
        let detail = try await inspector(host).detail(of: TestHost.jobID)
        #expect(detail.tokens.count == 1)
        #expect(detail.tokens.first?.acknowledged == 0)
        #expect(!"\(detail)".contains(created.token))
    }

    @Test("a token that has expired is not shown as valid")
    func expiredToken() async throws {
        let host = try TestHost()
        try host.create(books: 1)
        #expect(try await inspector(host).detail(of: TestHost.jobID).tokens.map(\.isValid) == [true])
        host.advance(by: .seconds(3 * 3_600))
        #expect(try await inspector(host).detail(of: TestHost.jobID).tokens.map(\.isValid) == [false])
    }

    @Test("each item has its state, and the reason if it failed")
    func outcomes() async throws {
        let host = try TestHost()
        try host.create(books: 3)
        let worker = try TestWorker(host)
        let claimed = try worker.claim()
        try worker.record([claimed[0]])
        try worker.record([claimed[1]], error: .notFound)
        let items = try await items(host).items
        #expect(items.map(\.state) == [.succeeded, .failed, .queued])
        #expect(items[0].found == "Book 0")
        #expect(items[0].matchedBy == .title)
        #expect(items[1].errorCode == "NOT_FOUND")
        #expect(items[1].error == "It did not work")
        #expect(items[2].title == "Book 2")
        #expect(items[2].author == "Author 2")
    }

    @Test("while a clock set ahead is not trusted yet, the times of retries are those of the clock")
    func timesOfRetries() async throws {
        let host = try TestHost()
        host.clock.stepWall(by: .seconds(8 * 3_600))
        try host.create(books: 2)
        let worker = try TestWorker(host)
        let claimed = try worker.claim()
        try worker.record([claimed[0]])
        try worker.record([claimed[1]], error: .providerError)
        for _ in 0..<3 {
            host.advance(by: .seconds(2))
            try worker.record(try worker.claim(), error: .providerError)
        }
        let due = host.clock.now().wall + 3_600_000
        #expect(try await inspector(host).detail(of: TestHost.jobID).nextRetryAt == due)
        #expect(try await items(host, .failed).items.map(\.retryAt) == [due])
        #expect(host.figures.nextLaterAt == due)
    }

    @Test("pages of items contain each item once, and can be filtered by state")
    func pages() async throws {
        let host = try TestHost()
        try host.create(books: 5)
        let worker = try TestWorker(host)
        let claimed = try worker.claim()
        try worker.record([claimed[1], claimed[3]])
        var found: [Int] = []
        var from: Int? = 0
        while let start = from {
            let page = try await items(host, from: start, limit: 2)
            found += page.items.map(\.index)
            from = page.next
        }
        #expect(found == [0, 1, 2, 3, 4])
        #expect(try await items(host, .succeeded).items.map(\.index) == [1, 3])
        #expect(try await items(host, .queued, from: 1).items.map(\.index) == [2, 4])
    }

    @Test("requests for an unknown job or for a page outside the limits are refused")
    func refusals() async throws {
        let host = try TestHost()
        await #expect(throws: HostFailure.noJob(TestHost.jobID)) {
            try await inspector(host).detail(of: TestHost.jobID)
        }
        await #expect(throws: HostFailure.noJob(TestHost.jobID)) { try await items(host) }
        await #expect(throws: HostFailure.self) { try await items(host, limit: ReadJobItems.maxPageSize + 1) }
        await #expect(throws: HostFailure.self) { try await items(host, from: -1) }
    }

    @Test("an import's details include its file and the job that looks up its books")
    func importedFile() async throws {
        let host = try TestHost()
        try host.beginImport(enrich: true)
        let detail = try await inspector(host).detail(of: TestHost.jobID)
        #expect(detail.file?.name == "library.csv")
        #expect(detail.file?.enrichment != nil)
        #expect(detail.photos == nil)
    }

    @Test("an imported file's details show how its columns were interpreted")
    func importedColumns() async throws {
        let host = try TestHost()
        try host.startImport()
        let worker = try TestWorker(host)
        try worker.readFile(["Dune", "Emma"])
        let detail = try await inspector(host).detail(of: TestHost.jobID)
        let text = try #require(detail.file?.summary)
        let summary = try JSONDecoder().decode(ImportSummary.self, from: Data(text.utf8))
        #expect(summary.totalRows == 2)
        #expect(summary.source.columns.map(\.role) == [.title])
        #expect(summary.source.columns.map(\.by) == [.header])
    }

    @Test(
        "every book of a scan has the position of its spine, even before it is looked up, and books of other jobs have none"
    )
    func spines() async throws {
        let host = try TestHost()
        try host.startScan(photos: 2, isBatch: true)
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimPhotos())
        #expect(try worker.read(["Dune"], photo: 0, of: step))
        #expect(try worker.read(["Emma"], photo: 1, of: step))
        try worker.find([try #require(try worker.claim().first)])
        let items = try await items(host).items
        #expect(items.map(\.spine) == [.init(photo: 0, box: .whole), .init(photo: 1, box: .whole)])
        #expect(items.map(\.state) == [.succeeded, .queued])
        let other = try TestHost()
        try other.create(books: 1)
        #expect(try await self.items(other).items.map(\.spine) == [nil])
    }

    @Test("failures are grouped by reason, the most frequent first, with their newest jobs")
    func failures() async throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        for number in 1...2 {
            try host.create(try #require(JobID("job-number-\(number)")), books: 3)
            let claimed = try worker.claim()
            try worker.record([claimed[0]])
            try worker.record([claimed[1]], error: .notFound)
            try worker.record([claimed[2]], error: number == 1 ? .notFound : .invalidISBN)
        }
        let found = try await FailureReader(pool: host.pool).groups(.init(createdFrom: 0))
        #expect(found.items == 6)
        #expect(!found.isPartial)
        #expect(found.groups.map(\.errorCode) == ["NOT_FOUND", "INVALID_ISBN"])
        #expect(found.groups.map(\.count) == [3, 1])
        #expect(found.groups[0].jobs.map(\.text) == ["job-number-2", "job-number-1"])
        #expect(found.groups[0].example == "It did not work")
        let later = host.clock.now().wall + 1
        #expect(try await FailureReader(pool: host.pool).groups(.init(createdFrom: later)).groups == [])
    }

    @Test("if there are more jobs than can be read in time, the summary of failures is marked as partial")
    func partialFailures() async throws {
        let host = try TestHost()
        for number in 1...(FailureReader.chunk + 1) {
            try host.create(try #require(JobID("job-number-\(number)")), books: 1)
        }
        let reader = FailureReader(pool: host.pool, isOver: { true })
        let found = try await reader.groups(.init(createdFrom: 0))
        #expect(found.isPartial)
        #expect(found.items == FailureReader.chunk)
    }

    @Test("a job whose pipeline this version does not know is skipped when failures are read")
    func unknownPipeline() async throws {
        let host = try TestHost()
        for number in 1...(FailureReader.chunk + 1) {
            try host.create(try #require(JobID("job-number-\(number)")), books: 1)
        }
        try await host.pool.write {
            try $0.execute(sql: "UPDATE job SET pipeline = 'of_a_later_version' WHERE job_id = 'job-number-50'")
        }
        let found = try await FailureReader(pool: host.pool, isOver: { false }).groups(.init(createdFrom: 0))
        #expect(found.items == FailureReader.chunk)
        #expect(!found.isPartial)
    }
}
