import BookstrackContract
import Foundation
import JSONRPC
import NIOConcurrencyHelpers
import NIOCore
import SuiteMethods
import TestSupport
import Testing

@testable import APIProxy

@Suite("Looking up a single book") struct BookRouteTests {
    private static let body = #"{"isbn":"9780441172719"}"#
    private static let end = #"{"type":"job_complete","seq":3}"#

    /// The row of a book that was found.
    private static func row(provider: DataProvider = .openLibrary) throws -> String {
        var work = WorkDTO(title: "Dune")
        work.description = "A desert planet."
        work.primaryProvider = provider
        var edition = EditionDTO(isbns: ["9780441172719", "0441172717"], format: .paperback)
        edition.title = "Dune (Ace)"
        edition.publisher = "Ace"
        edition.publicationDate = "1990-09-01"
        edition.pageCount = 535
        edition.coverImageURL = "https://covers.openlibrary.org/b/id/1-L.jpg"
        var row = EnrichedBook(asked: BookQuery(isbn: "0-441-17271-7"), success: true)
        row.enriched = EnrichedMetadata(work: work, edition: edition, authors: [AuthorDTO(name: "Frank Herbert")])
        return String(buffer: try BodyCoding.encode(row))
    }

    /// The state of a job that has ended.
    private static func ended(_ id: String = "job-12345") throws -> JobState {
        var state = JobState(
            jobId: try job(id), pipeline: .batchEnrichment, totalCount: 1, createdAt: "2025-11-15T20:00:00.000Z")
        state.status = .completed
        state.endedAt = "2025-11-15T20:00:01.000Z"
        return state
    }

    @Test("the response is sent when the job ends, not when it reports progress")
    func found() async throws {
        try await RunningProxy.run(script: .init(rows: [[try Self.row()]])) { proxy in
            async let answering = proxy.post(BookRoutes.path, Self.body)
            let (watcher, request) = try await proxy.host.nextOpened()
            let start = try await proxy.host.nextCreated()
            #expect(request.jobId == start.jobId)
            #expect(request.token == "tok-1")
            proxy.host.deliver(#"{"type":"job_progress","seq":2}"#, to: [watcher], .progress, seq: 2)
            proxy.host.script.withLockedValue { $0.state = try? Self.ended() }
            proxy.host.deliver(Self.end, to: [watcher], .terminal, seq: 3)
            let answer = try await answering
            #expect(answer.status == 200)
            var check = SchemaCheck()
            check.compare(try answer.object, .envelope(.bookEnrichment), at: "answer")
            #expect(check.faults == [])
            let envelope = try answer.decode(SuccessEnvelope<BookEnrichment>.self)
            #expect(envelope.metadata.provider == "openlibrary")
            let book = envelope.data
            #expect(book.isbn == "9780441172719")
            #expect(book.title == "Dune (Ace)")
            #expect(book.authors == ["Frank Herbert"])
            #expect(book.publisher == "Ace")
            #expect(book.publishedDate == "1990-09-01")
            #expect(book.pageCount == 535)
            #expect(book.coverUrl == "https://covers.openlibrary.org/b/id/1-L.jpg")
            #expect(book.description == "A desert planet.")
            #expect(book.provider == .openLibrary)
            #expect(book.enrichedAt == "2025-11-15T20:00:01.000Z")
            #expect(book.work.title == "Dune")
            #expect(book.edition?.isbns.count == 2)
        }
    }

    @Test(
        "each form of a request becomes a high-priority job with one book",
        arguments: [
            (#"{"isbn":"1"}"#, BookQuery(isbn: "1")),
            (#"{"barcode":"2","preferProvider":"isbndb"}"#, BookQuery(isbn: "2")),
            (#"{"title":"Dune","isbn":null}"#, BookQuery(title: "Dune")),
            (#"{"title":"Dune","author":"Herbert"}"#, BookQuery(title: "Dune", author: "Herbert")),
        ])
    func forms(body: String, book: BookQuery) async throws {
        try await RunningProxy.run {
            $0.bookLimit = .zero
        } _: { proxy in
            _ = try await proxy.post(BookRoutes.path, body, fields: ["Authorization: Bearer tok-9"])
            let start = try await proxy.host.nextCreated()
            #expect(start.items == [book])
            #expect(start.origin == JobOrigin(client: "7f:0:0:1", shownToken: "tok-9", priority: .high))
        }
    }

    @Test("when the time limit passes, the route returns the job, and its alias for shipped apps returns a 503")
    func unfinished() async throws {
        try await RunningProxy.run {
            $0.bookLimit = .milliseconds(20)
        } _: { proxy in
            let answer = try await proxy.post(BookRoutes.path, Self.body)
            #expect(answer.status == 202)
            let started = try answer.decode(SuccessEnvelope<StartedJob>.self).data
            #expect(started.token == "tok-1")
            #expect(started.totalCount == 1)
            #expect(try await proxy.host.nextCreated().jobId == started.jobId)
            let ofApps = try await proxy.post(BookRoutes.appPath, Self.body)
            #expect(ofApps.status == 503)
            #expect(ofApps["retry-after"] == "5")
        }
    }

    @Test("if there are too many watchers, the client receives the job immediately")
    func noPlace() async throws {
        try await RunningProxy.run {
            $0.socketLimits = SocketLimits(total: 0, perJob: 1, perAddress: 1)
        } _: { proxy in
            let answer = try await proxy.post(BookRoutes.path, Self.body)
            #expect(answer.status == 202)
        }
    }

    @Test("if progress-host goes down during the wait, the accepted job is not reported as a failure")
    func hostLost() async throws {
        try await RunningProxy.run {
            $0.bookLimit = .milliseconds(500)
        } _: { proxy in
            async let answering = proxy.post(BookRoutes.path, Self.body)
            _ = try await proxy.host.nextOpened()
            await proxy.host.stop()
            #expect(try await answering.status == 202)
        }
    }

    @Test("when the server stops, the job is returned immediately")
    func stops() async throws {
        try await RunningProxy.run { proxy in
            async let answering = proxy.post(BookRoutes.path, Self.body)
            _ = try await proxy.host.nextOpened()
            try await proxy.shutdown()
            #expect(try await answering.status == 202)
        }
    }

    @Test("when a client disconnects, its job is no longer watched")
    func leaves() async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(
                Array(
                    "POST \(BookRoutes.path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(Self.body.utf8.count)\r\n\r\n"
                        .utf8)
                    + Array(Self.body.utf8))
            let (watcher, _) = try await proxy.host.nextOpened()
            await connection.close()
            let event = try await proxy.host.events.take { if case .closed = $0 { true } else { false } }
            guard case .closed(watcher) = event else {
                Issue.record("\(event)")
                return
            }
        }
    }

    @Test("the alias for shipped apps repeats the members of data at the top level")
    func alias() async throws {
        let script = FakeHost.Script(rows: [[try Self.row(provider: .googleBooks)]], state: try Self.ended())
        try await RunningProxy.run(script: script) {
            $0.bookLimit = .zero
        } _: { proxy in
            let object = try await proxy.post(BookRoutes.appPath, Self.body).object
            var check = SchemaCheck()
            check.compare(object, .flatEnvelope(.bookEnrichment), at: "answer")
            #expect(check.faults == [])
            #expect(object["success"] as? Bool == true)
            #expect(object["provider"] as? String == "google-books")
            #expect(object["authors"] as? [String] == ["Frank Herbert"])
            #expect((object["work"] as? [String: Any])?["title"] as? String == "Dune")
            #expect((object["data"] as? [String: Any])?["isbn"] as? String == "9780441172719")
        }
    }

    @Test(
        "the failure for a book without a result has the code for the reason, and the worker's message",
        arguments: [
            (ItemErrorCode.notFound, APIErrorCode.notFound), (.invalidISBN, .invalidISBN),
            (.providerTimeout, .providerTimeout), (.providerError, .providerError), (.quotaExhausted, .quotaExhausted),
            (.cancelled, .serviceUnavailable), (.deadlineExceeded, .serviceUnavailable),
        ])
    func failures(item: ItemErrorCode, code: APIErrorCode) async throws {
        var row = EnrichedBook(asked: BookQuery(isbn: "9780000000002"), success: false)
        row.error = "as the worker says"
        row.errorCode = item
        let script = FakeHost.Script(
            rows: [[String(buffer: try BodyCoding.encode(row))]], state: try Self.ended())
        try await RunningProxy.run(script: script) {
            $0.bookLimit = .zero
        } _: { proxy in
            for path in [BookRoutes.path, BookRoutes.appPath] {
                let answer = try await proxy.post(path, Self.body)
                #expect(answer.status == code.status)
                let failure = try answer.failure
                #expect(failure.code == code)
                #expect(failure.message == "as the worker says")
                #expect((answer["retry-after"] != nil) == (code.status == 503))
            }
        }
    }

    @Test("requests from one client with the same key share a job, and a different key or client means a different job")
    func keys() async throws {
        let request = try BookRequest(body: Array(#"{"isbn":"1","idempotencyKey":"scan-0001"}"#.utf8))
        let id = request.jobId(of: "7f:0:0:1")
        #expect(request.jobId(of: "7f:0:0:1") == id)
        #expect(request.jobId(of: "7f:0:0:2") != id)
        let other = try BookRequest(body: Array(#"{"isbn":"1","idempotencyKey":"scan-0002"}"#.utf8))
        #expect(other.jobId(of: "7f:0:0:1") != id)
        let without = try BookRequest(body: Array(#"{"isbn":"1"}"#.utf8))
        #expect(without.jobId(of: "7f:0:0:1") != without.jobId(of: "7f:0:0:1"))
        try await RunningProxy.run {
            $0.bookLimit = .zero
        } _: { proxy in
            _ = try await proxy.post(BookRoutes.path, #"{"isbn":"1","idempotencyKey":"scan-0001"}"#)
            let start = try await proxy.host.nextCreated()
            #expect(start.jobId == id)
            #expect(start.origin.isKeyed == true)
        }
    }

    @Test(
        "a request that identifies no book or two books, or has unknown or invalid members, is refused with a 400",
        arguments: [
            "{}", #"{"isbn":"1","title":"Dune"}"#, #"{"isbn":"1","barcode":"1"}"#, #"{"author":"Herbert"}"#,
            #"{"isbn":"1","author":"Herbert"}"#, #"{"isbn":1}"#, #"{"titel":"Dune","isbn":"1"}"#,
            #"{"isbn":"1","preferProvider":"amazon"}"#, #"{"isbn":"1","idempotencyKey":"short"}"#,
            #"{"isbn":"1","idempotencyKey":"with a space"}"#, #"{"isbn":"123456789012345678901234567890123"}"#, "[]",
            #"{"title":""}"#, #"{"title":"  ","author":"Herbert"}"#, #"{"isbn":""}"#, #"{"barcode":" "}"#,
        ])
    func refused(body: String) {
        let failure = #expect(throws: APIFailure.self) { try BookRequest(body: Array(body.utf8)) }
        #expect(failure?.code == .invalidRequest)
    }
}
