import BookstrackContract
import Foundation
import NIOCore
import SuiteMethods
import TestSupport
import Testing

@testable import ProgressHost

/// `enrichedBooks[]` in the completions for shipped apps (websocket.md "Payloads").
@Suite("Books in a completion")
struct CompletionBooksTests {
    private static let app = JobOrigin(client: "c", completionBooks: .enriched)

    /// A completed job of a shipped app, and the frames of a socket that watched it.
    private func completed(
        books count: Int, limit: Int = HostPolicy().completionBooksLimit, origin: JobOrigin = app
    ) throws -> (host: TestHost, job: CreatedJob, received: [Received]) {
        var policy = HostPolicy()
        policy.completionBooksLimit = limit
        let host = try TestHost(policy)
        let job = try host.create(books: count, origin: origin)
        let worker = try TestWorker(host)
        let socket = try host.watch(token: job.token)
        let items = try worker.claim()
        try worker.record(Array(items.dropLast()))
        try worker.record([items[count - 1]], error: .notFound)
        host.advance(by: .zero)
        return (host, job, host.proxy.take(socket))
    }

    private func books(_ received: [Received]) throws -> [JSON]? {
        try #require(received.frames.last { $0.type == "job_complete" }).payload?["enrichedBooks"]?.list
    }

    @Test(
        "a completion for shipped apps contains all result rows, and the second generation of the apps can decode them")
    func carries() async throws {
        let (host, _, received) = try completed(books: 60)
        let frame = try #require(received.frames.last)
        let rows = try await host.resultRows()
        let complete = try JSONDecoder().decode(ServerFrame<JobCompletePayload>.self, from: Data(frame.bytes))
        #expect(complete.payload.enrichedBooks == rows)
        guard
            case .enrichment(let books) = try JSONDecoder().decode(
                ContractFrame<ShippedApps.Second>.self, from: Data(frame.bytes)
            ).payload
        else {
            Issue.record("the completion was mistaken for another pipeline's")
            return
        }
        #expect(books.count == 60)
        #expect(books.filter { $0.enriched != nil }.count == 59)
        #expect(frame.kind == .terminal)
        #expect(received.close == .normal)
    }

    @Test("in a completion, a book requested without a title has its ISBN as the title and keeps its metadata")
    func titles() async throws {
        let host = try TestHost()
        let job = try host.create(
            TestHost.jobID, [BookQuery(isbn: "9780441172719"), BookQuery(isbn: "12")], origin: Self.app)
        let worker = try TestWorker(host)
        let socket = try host.watch(token: job.token)
        let items = try worker.claim()
        try worker.record([items[0]])
        try worker.record([items[1]], error: .notFound)
        host.advance(by: .zero)
        let rows = try #require(try books(host.proxy.take(socket)))
        #expect(rows.map { $0["title"] } == [.text("9780441172719"), .text("12")])
        #expect(rows[0]["enriched"] != nil)
        #expect(try await host.resultRows().map(\.title) == [nil, nil])
    }

    @Test("for clients other than shipped apps, a completion is a summary below 1 KiB")
    func summaryOnly() throws {
        let (_, _, received) = try completed(books: 60, origin: JobOrigin(client: "c"))
        #expect(try books(received) == nil)
        #expect(try #require(received.frames.last).bytes.count < FrameEncoding.softLimit)
    }

    @Test("books that together do not fit are all reduced to title, author, isbn and success, or else all left out")
    func shortened() throws {
        let whole = try #require(try books(completed(books: 40).received))
        #expect(whole.first?["enriched"] != nil)
        let short = try #require(try books(completed(books: 40, limit: 4_096).received))
        #expect(short.count == 40)
        #expect(
            short.first
                == .object(["title": .text("Book 0"), "author": .text("Author 0"), "success": .flag(true)]))
        #expect(short.last?["success"]?.flag == false)
        #expect(try books(completed(books: 40, limit: 1_024).received) == [])
    }

    @Test("every replay of a completion has the same bytes, even after a restart and a retry")
    func replays() throws {
        let (host, job, received) = try completed(books: 10)
        let first = try #require(received.frames.last)
        let last = first.seq
        _ = try host.retry(token: job.token)
        func replay(_ socket: SocketID) throws -> [UInt8]? {
            host.advance(by: .seconds(5))
            let again = host.proxy.take(socket)
            #expect(again.close == .normal)
            return again.frames.last?.bytes
        }
        for _ in 0..<2 {
            #expect(try replay(host.open(token: job.token)) == first.bytes)
            #expect(try replay(host.open(token: job.token, reconnect: true)) == first.bytes)
            #expect(try replay(host.open(token: job.token, since: last - 1)) == first.bytes)
            try host.restart()
        }
    }

    @Test("a long completion waits for an api-proxy that does not read, and then reaches every watcher once")
    func waitsForTheLink() throws {
        let host = try TestHost()
        let job = try host.create(books: 60, origin: Self.app)
        let worker = try TestWorker(host)
        let sockets = try (0..<3).map { _ in try host.watch(token: job.token) }
        let items = try worker.claim()
        host.proxy.skipAll()
        host.proxy.stall(at: 8 << 20)
        try worker.record(items)
        for socket in sockets { #expect(!host.proxy.take(socket).types.contains("job_complete")) }
        try host.say(#"{"type":"ready"}"#, on: sockets[0])
        #expect(host.proxy.take(sockets[0]).types == ["ready_ack"])
        host.proxy.stall(at: 0)
        host.advance(by: .milliseconds(10))
        for socket in sockets { #expect(host.proxy.take(socket).story == ["job_complete", "close 1000"]) }
    }

    @Test("even for the largest job, no more rows are read than fit into one message")
    func largest() throws {
        let host = try TestHost()
        let padding = String(repeating: "x", count: 60)
        try host.create(
            TestHost.jobID, (0..<10_000).map { BookQuery(title: "Book \($0) \(padding)") }, origin: Self.app)
        let worker = try TestWorker(host)
        for _ in 0..<20 { try worker.record(try worker.claim()) }
        let id = TestHost.jobID
        let limit = HostPolicy().completionBooksLimit
        let read: (Int) throws -> (rows: ByteBuffer, instructions: Int) = { limit in
            var rows = ByteBuffer()
            let instructions = try host.instructions {
                rows = try host.perform(writes: false) { _, turn in
                    let number = try #require(try turn.jobs.job(id, at: turn.now.wall)).number
                    return try turn.items.completionRows(job: number, atMost: limit)
                }
            }
            return (rows, instructions)
        }
        let (whole, part) = (try read(limit), try read(limit / 10))
        #expect(whole.rows.readableBytes == 0)
        #expect(part.instructions * 5 < whole.instructions)
    }
}
