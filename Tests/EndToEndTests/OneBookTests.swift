import BookstrackContract
import Foundation
import NIOCore
import NIOHTTP1
import SuiteFixture
import Testing
import WireClient

@Suite("Single books, end to end", .serialized)
struct OneBookTests {
    private static let path = "/v1/books/enrich"
    private static let appPath = "/api/v2/books/enrich"

    private static func ask(
        _ body: String, on path: String = path, at suite: SuiteFixture.Suite
    ) async throws -> HTTPAnswer {
        let call = HTTPCall(
            .POST, path, headers: ["Content-Type": "application/json"], body: ByteBuffer(string: body),
            timeout: .seconds(20))
        return try await suite.http.send(call)
    }

    private static func book(_ answer: HTTPAnswer) throws -> BookEnrichment {
        try JSONDecoder().decode(SuccessEnvelope<BookEnrichment>.self, from: Data(answer.text.utf8)).data
    }

    @Test("a book is found by ISBN, barcode or title; an unknown ISBN returns a 404, and an invalid one a 400")
    func finds() async throws {
        try await SuiteFixture.Suite.run { suite in
            for body in [
                #"{"isbn":"0-441-17271-7"}"#, #"{"barcode":"9780441172719","preferProvider":"google-books"}"#,
                #"{"title":"Dune","author":"Frank Herbert"}"#,
            ] {
                let answer = try await Self.ask(body, at: suite)
                #expect(answer.status == 200, "\(body)")
                let book = try Self.book(answer)
                #expect(book.work.title == "Dune", "\(body)")
                #expect(book.authors == ["Frank Herbert"], "\(body)")
            }
            let flat = try await Self.ask(#"{"isbn":"9780441172719"}"#, on: Self.appPath, at: suite)
            // This response repeats the members of `data` at the top level.
            let book = try JSONDecoder().decode(BookEnrichment.self, from: Data(flat.text.utf8))
            #expect(book.isbn == "9780441172719")
            for (body, status) in [
                (#"{"isbn":"9780000000002"}"#, 404), (#"{"isbn":"12"}"#, 400),
            ] {
                let answer = try await Self.ask(body, at: suite)
                #expect(answer.status == status, "\(answer.text)")
            }
        }
    }

    @Test("a request is answered although progress-host is killed and restarted meanwhile")
    func killedHost() async throws {
        let options = SuiteFixture.Suite.Options(emulatorArguments: ["--latency", "1500"])
        try await SuiteFixture.Suite.run(options) { suite in
            async let answering = Self.ask(#"{"isbn":"9780441172719"}"#, at: suite)
            let deadline = ContinuousClock.now + .seconds(20)
            while try await !suite.emulator.requestLog().contains("9780441172719"), ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(20))
            }
            await suite.host.end()
            try await suite.host.start()
            let answer = try await answering
            #expect(answer.status == 200)
            #expect(try Self.book(answer).title == "Dune")
        }
    }

    @Test(
        "without a worker, apps get a 503 and /v1 returns a job; once it has ended, its idempotency key returns its result"
    )
    func withoutWorker() async throws {
        try await SuiteFixture.Suite.run { suite in
            await suite.worker.end()
            let body = #"{"isbn":"9780441172719","idempotencyKey":"shelf-0001"}"#
            async let ofApps = Self.ask(#"{"isbn":"9780141439587"}"#, on: Self.appPath, at: suite)
            let answer = try await Self.ask(body, at: suite)
            #expect(answer.status == 202)
            let job = try JSONDecoder().decode(SuccessEnvelope<StartedJob>.self, from: Data(answer.text.utf8)).data
            let refusal = try await ofApps
            #expect(refusal.status == 503)
            #expect(refusal.headers.first(name: "Retry-After") == "5")
            try await suite.worker.start()
            var watcher = Watcher(suite, job)
            try await watcher.watch()
            #expect(watcher.endings.count == 1)
            let again = try await Self.ask(body, at: suite)
            #expect(again.status == 200)
            let ended = try await suite.api.state(of: job.jobId, token: job.token).endedAt
            #expect(try Self.book(again).enrichedAt == ended)
            let other = try await Self.ask(#"{"isbn":"9780141439587","idempotencyKey":"shelf-0001"}"#, at: suite)
            #expect(other.status == 409)
        }
    }
}
