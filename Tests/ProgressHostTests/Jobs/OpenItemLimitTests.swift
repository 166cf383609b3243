import BookstrackContract
import JSONRPC
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Limits on open items")
struct OpenItemLimitTests {
    private static let first = JobOrigin(client: "first")
    private static let second = JobOrigin(client: "second")

    /// A host on which one client may have 100 open items, and all clients together 150.
    private func host() throws -> TestHost {
        var policy = HostPolicy()
        policy.openItemsPerClient = 100
        policy.openItemLimit = 150
        return try TestHost(policy)
    }

    private func start(_ id: String, books: Int, _ origin: JobOrigin, _ host: TestHost) throws {
        try host.create(try #require(JobID(id)), books: books, origin: origin)
    }

    @Test("a client may start jobs up to its share of open items, and again after items have ended")
    func share() throws {
        let host = try host()
        try start("first-job-1", books: 60, Self.first, host)
        try start("first-job-2", books: 40, Self.first, host)
        #expect(throws: HostFailure.tooManyOpenItems) { try start("first-job-3", books: 1, Self.first, host) }
        try start("first-job-2", books: 40, Self.first, host)
        try start("second-job-1", books: 10, Self.second, host)
        let worker = try TestWorker(host)
        try worker.record(Array(try worker.claim().filter { $0.client == "first" }.prefix(30)))
        #expect(throws: HostFailure.tooManyOpenItems) { try start("first-job-3", books: 31, Self.first, host) }
        try start("first-job-3", books: 30, Self.first, host)
        #expect(HostFailure.tooManyOpenItems.rpc.detail.code == "SERVICE_UNAVAILABLE")
        #expect(HostFailure.tooManyOpenItems.rpc.detail.retryAfterSeconds == 60)
    }

    @Test("the open items of all clients together are limited, even after a restart, until a job is cancelled")
    func total() throws {
        let host = try host()
        let job = try host.create(books: 90, origin: Self.first)
        try start("second-job-1", books: 60, Self.second, host)
        try host.restart()
        #expect(throws: HostFailure.tooManyOpenItems) { try start("second-job-2", books: 1, Self.second, host) }
        _ = try host.cancel(token: job.token)
        try start("second-job-2", books: 40, Self.second, host)
        try start("first-job-1", books: 50, Self.first, host)
    }

    @Test("an import that exceeds what is left of its client's share is refused only if its books are to be looked up")
    func imports() throws {
        let host = try host()
        try start("first-job-1", books: 80, Self.first, host)
        #expect(throws: HostFailure.tooManyOpenItems) {
            try host.beginImport(lines: 21, enrich: true, origin: Self.first)
        }
        try host.beginImport(lines: 21, enrich: false, origin: Self.first)
    }

    @Test("until its file has been read, an import whose books are to be looked up counts as one book per line")
    func unreadImport() throws {
        let host = try host()
        try host.startImport(lines: 60, enrich: true, origin: Self.first)
        #expect(throws: HostFailure.tooManyOpenItems) { try start("first-job-1", books: 41, Self.first, host) }
        #expect(throws: HostFailure.tooManyOpenItems) { try start("second-job-1", books: 91, Self.second, host) }
        try start("first-job-1", books: 40, Self.first, host)
        try host.restart()
        #expect(throws: HostFailure.tooManyOpenItems) { try start("first-job-2", books: 1, Self.first, host) }
        let queries = (0..<10).map { BookQuery(title: "Book \($0)") }
        try TestWorker(host).readFile(queries.compactMap(\.title), queries: queries)
        try start("first-job-2", books: 50, Self.first, host)
    }

    @Test("an accepted import loses no book, even if its file has more of them than lines")
    func longImport() throws {
        let host = try host()
        let worker = try TestWorker(host)
        try host.startImport(lines: 1, enrich: true, origin: Self.first)
        let queries = (0..<120).map { BookQuery(title: "Book \($0)") }
        try worker.readFile(queries.compactMap(\.title), queries: queries)
        #expect(try worker.claim().count == 120)
        #expect(throws: HostFailure.tooManyOpenItems) { try start("first-job-1", books: 1, Self.first, host) }
    }

    @Test("an import with more lines than its client's share is accepted if the whole share is free")
    func manyLines() throws {
        let host = try host()
        try start("second-job-1", books: 40, Self.second, host)
        try host.beginImport(lines: 5_000, enrich: true, origin: Self.first)
    }
}
