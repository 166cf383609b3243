import BookstrackClient
import BookstrackContract
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import BookstrackCLI

@Suite("The search command")
struct SearchRunTests {
    private static let time = "2026-01-01T00:00:00.000Z"

    private static func envelope(
        _ body: some Codable & Sendable, _ change: (inout ResponseMetadata) -> Void = { _ in }
    ) -> String {
        var metadata = ResponseMetadata(timestamp: time, provider: "openlibrary", cached: false)
        change(&metadata)
        let text = try? JSONEncoder().encode(SuccessEnvelope(data: body, metadata: metadata))
        return String(decoding: text ?? Data(), as: UTF8.self)
    }

    private static func refusal(_ code: APIErrorCode, _ message: String, retryAfter: Int? = nil)
        -> ScriptedServer.Reaction
    {
        let envelope = FailureEnvelope(
            error: .init(
                message: message, code: code, details: nil, retryable: code.isRetryable, statusCode: code.status),
            metadata: ResponseMetadata(timestamp: time))
        let text = String(decoding: (try? JSONEncoder().encode(envelope)) ?? Data(), as: UTF8.self)
        let headers: HTTPHeaders = retryAfter.map { ["Retry-After": "\($0)"] } ?? [:]
        return .answer(code.status, headers, [text])
    }

    /// Runs `body` against a server whose response to a request depends only on the request's number, counted from 0.
    private func run<Value>(
        _ form: SearchRun.Form = .table(OutputStyle(width: 100, colors: false), covers: false),
        react: @escaping @Sendable (Int) -> ScriptedServer.Reaction, _ body: (SearchRun) async throws -> Value
    ) async throws -> (value: Value, paths: [String]) {
        let server = ScriptedServer(react: { number, _ in react(number) })
        let client = try BookstrackClient.loopback(port: try await server.start())
        let calls = SearchCalls(client: client, calls: RetryingCalls(pause: { _ in }))
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(SearchRun(calls: calls, form: form)))
        } catch {
            result = .failure(error)
        }
        await server.stop()
        return (try result.get(), server.requests.map(\.head.uri))
    }

    @Test("a single book is shown in detail, with its source")
    func single() async throws {
        let text = Self.envelope(SampleBooks.one)
        let (report, paths) = try await run(react: { _ in .answer(200, [:], [text]) }) {
            try await $0.books([.isbn("9780441172719")])
        }
        #expect(paths == ["/v1/search/isbn?isbn=9780441172719"])
        #expect(report.output.hasPrefix("Title:       Dune\nAuthor:      Frank Herbert (1920-1986, United States)\n"))
        #expect(report.output.hasSuffix("Response:    from Open Library\n"))
        #expect(report.notes.isEmpty)
        #expect(report.status == .success)
    }

    @Test("several books are shown as a table, and a note states their number and authors")
    func several() async throws {
        let text = Self.envelope(SampleBooks.two)
        let (report, _) = try await run(react: { _ in .answer(200, [:], [text]) }) {
            try await $0.books([.title("e", author: nil)])
        }
        #expect(report.output.contains("Dune"))
        #expect(report.output.contains("Emma"))
        #expect(report.notes == ["2 books. Written by: Frank Herbert; Jane Austen."])
    }

    @Test("JSON output consists of the data of each response as received, one line per response")
    func json() async throws {
        let data = #"{"works":[],"editions":[],"authors":[],"totalResults":0,"resultCount":0,"later":[1.50]}"#
        let text = #"{"metadata":{"timestamp":"t"},"data":\#(data),"success":true}"#
        let (report, _) = try await run(.json, react: { _ in .answer(200, [:], [text]) }) {
            try await $0.books([.isbn("1"), .isbn("2")])
        }
        #expect(report.output == data + "\n" + data + "\n")
        #expect(report.status == .incomplete)
    }

    @Test("CSV has one header for all results, and includes authors if they are assigned to works")
    func csv() async throws {
        let text = Self.envelope(SampleBooks.one)
        let (report, _) = try await run(.csv, react: { _ in .answer(200, [:], [text]) }) {
            try await $0.books([.isbn("1"), .isbn("2")])
        }
        let lines = report.output.split(separator: "\r\n")
        #expect(lines.first == "title,authors,year,publisher,format,pages,isbn,cover")
        #expect(lines.count == 3)
        #expect(
            lines.last?.hasPrefix("Dune,Frank Herbert,1965,Ace Books,Mass Market,535,9780441172719,https://") == true)
    }

    @Test("a limit also applies to routes without a limit parameter, in JSON and in tables")
    func limit() async throws {
        let text = Self.envelope(SampleBooks.two)
        let (json, _) = try await run(.json, react: { _ in .answer(200, [:], [text]) }) {
            try await $0.books([.title("e", author: nil)], limit: 1)
        }
        let results = try JSONDecoder().decode(SearchResults.self, from: Data(json.output.utf8))
        #expect(results.works.map(\.title) == ["Dune"])
        #expect(results.editions.count == 1)
        #expect(results.resultCount == 1)
        #expect(results.totalResults == 7)
        let (table, _) = try await run(react: { _ in .answer(200, [:], [text]) }) {
            try await $0.books([.title("e", author: nil)], limit: 1)
        }
        #expect(!table.output.contains("Emma"))
        #expect(!table.output.contains("Herbert"))
        #expect(table.notes == ["1 of about 7 books; use --limit to show up to 20."])
    }

    @Test("a higher limit is not suggested if it would show nothing more, whatever the providers report")
    func fewerThanTheLimit() async throws {
        let text = Self.envelope(SampleBooks.two)
        let (table, _) = try await run(react: { _ in .answer(200, [:], [text]) }) {
            try await $0.books([.title("e", author: nil)], limit: 3)
        }
        #expect(table.notes.first?.hasPrefix("2 books. ") == true, "\(table.notes)")
    }

    @Test(
        "the note below a list of editions states a larger total as an estimate",
        arguments: [(1, "1 edition."), (7, "1 of about 7 editions.")])
    func editions(total: Int, note: String) async throws {
        let found = EditionResults(editions: Array(SampleBooks.one.editions.prefix(1)), totalResults: total)
        let text = Self.envelope(found)
        let (report, _) = try await run(react: { _ in .answer(200, [:], [text]) }) {
            try await $0.editions(.editions(title: "Dune", author: "Frank Herbert"))
        }
        #expect(report.notes == [note])
    }

    @Test("an empty result is reported in a sentence and by the exit status")
    func nothing() async throws {
        let text = Self.envelope(SearchResults.none)
        let (report, _) = try await run(react: { _ in .answer(200, [:], [text]) }) {
            try await $0.books([.title("zzz", author: "Nobody")])
        }
        let expected = SearchReport(
            notes: ["Nothing was found for the title \"zzz\" by Nobody."], status: .incomplete)
        #expect(report == expected)
    }

    @Test("notes report expired results and providers that failed")
    func warnings() async throws {
        let text = Self.envelope(SampleBooks.one) {
            ($0.cached, $0.stale) = (true, true)
            $0.providers = [
                .init(provider: .googleBooks, outcome: .quotaExhausted, durationMs: 1),
                .init(provider: .openLibrary, outcome: .ok, durationMs: 1),
                .init(provider: .isbndb, outcome: .timeout, durationMs: 1),
            ]
        }
        let (report, _) = try await run(react: { _ in .answer(200, ["Age": "7300"], [text]) }) {
            try await $0.books([.isbn("9780441172719")])
        }
        #expect(report.output.hasSuffix("Response:    from the cache, 2 h old, expired\n"))
        #expect(report.status == .success)
        try #require(report.notes.count == 3)
        #expect(report.notes[0].hasPrefix("This result has expired (2 h old)"))
        #expect(report.notes[1].hasPrefix("The quota for Google Books is used up"))
        #expect(report.notes[1].contains("BOOKSTRACK_GOOGLE_BOOKS_API_KEY"))
        #expect(report.notes[2].hasPrefix("ISBNdb did not respond in time"))
    }

    @Test("an invalid ISBN among several is reported, and the others are looked up")
    func oneBad() async throws {
        let text = Self.envelope(SampleBooks.one)
        let (report, paths) = try await run(
            react: { $0 == 0 ? Self.refusal(.invalidISBN, "Check digit") : .answer(200, [:], [text]) }
        ) { try await $0.books([.isbn("1"), .isbn("2"), .isbn("3")]) }
        #expect(paths.count == 3)
        #expect(report.notes == ["bookstrack: the ISBN 1: Check digit (INVALID_ISBN)"])
        #expect(report.status == .badInput)
        #expect(report.output.contains("Authors"))
        #expect(report.output.contains("Frank Herbert"))
    }

    @Test("an unreachable server is not queried again for each further ISBN")
    func gone() async throws {
        let (report, paths) = try await run(react: { _ in .reset }) {
            try await $0.books([.isbn("1"), .isbn("2"), .isbn("3")])
        }
        #expect(report.status == .unavailable)
        #expect(!paths.contains { $0.hasSuffix("=2") })
        #expect(report.notes.last == "The last 2 queries were not sent.")
    }

    @Test("an unreachable server determines the exit status, even if an earlier ISBN was invalid")
    func goneLater() async throws {
        let (report, _) = try await run(
            react: { $0 == 0 ? Self.refusal(.invalidISBN, "Check digit") : .reset }
        ) { try await $0.books([.isbn("1"), .isbn("2")]) }
        #expect(report.status == .unavailable)
        #expect(report.notes.count == 2)
    }

    @Test(
        "each failure is reported with its exit status and advice",
        arguments: [
            (.providerTimeout, 69, "bookstrack health enrichment-worker"),
            (.providerError, 69, "bookstrack health enrichment-worker"),
            (.quotaExhausted, 3, "bookstrack status"),
            (.serviceUnavailable, 75, "bookstrack health api-proxy"), (.invalidQuery, 65, "INVALID_QUERY"),
        ] as [(APIErrorCode, Int32, String)])
    func failures(code: APIErrorCode, status: Int32, hint: String) async throws {
        let failure = await #expect(throws: CommandFailure.self) {
            try await run(react: { _ in Self.refusal(code, "No result: openlibrary failed.", retryAfter: 3) }
            ) {
                try await $0.books([.author("x")])
            }
        }
        #expect(failure?.status.rawValue == status)
        #expect(failure?.message.hasPrefix("No result: openlibrary failed. (\(code.rawValue))") == true)
        #expect(failure?.message.contains(hint) == true)
    }

    @Test("the command waits and retries if the server limits requests")
    func patience() async throws {
        let text = Self.envelope(SampleBooks.one)
        let (report, paths) = try await run(
            react: { $0 == 0 ? Self.refusal(.rateLimitExceeded, "Slow", retryAfter: 1) : .answer(200, [:], [text]) }
        ) { try await $0.books([.isbn("1")]) }
        #expect(paths.count == 2)
        #expect(report.status == .success)
    }

    @Test("editions are shown as a table, and finding none is not a failure of the server")
    func editions() async throws {
        let found = EditionResults(editions: [SampleBooks.duneEdition], totalResults: 8)
        let text = Self.envelope(found)
        let request = SearchRequest.editions(title: "Dune", author: "Herbert")
        let (report, paths) = try await run(react: { _ in .answer(200, [:], [text]) }) {
            try await $0.editions(request, limit: 1)
        }
        #expect(paths == ["/v1/editions/search?workTitle=Dune&author=Herbert&limit=1"])
        #expect(report.output.contains("1990-09-01"))
        #expect(report.notes == ["1 of about 8 editions."])
        let (none, _) = try await run(react: { _ in Self.refusal(.notFound, "None") }) {
            try await $0.editions(request)
        }
        #expect(
            none
                == SearchReport(
                    notes: ["Nothing was found for the editions of \"Dune\" by Herbert."], status: .incomplete))
    }
}
