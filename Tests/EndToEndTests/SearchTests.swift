import BookstrackContract
import Foundation
import NIOHTTP1
import SuiteFixture
import Testing
import WireClient

@Suite("Searches, end to end", .serialized)
struct SearchTests {
    private struct Answer {
        let status: Int
        let source: String?
        let results: SearchResults?
        let code: APIErrorCode?
    }

    private static func search(_ target: String, at suite: SuiteFixture.Suite) async throws -> Answer {
        let answer = try await suite.http.send(HTTPCall(.GET, target))
        let body = Data(answer.text.utf8)
        return Answer(
            status: answer.status, source: answer.headers.first(name: "X-Cache"),
            results: (try? JSONDecoder().decode(SuccessEnvelope<SearchResults>.self, from: body))?.data,
            code: (try? JSONDecoder().decode(FailureEnvelope.self, from: body))?.error.code)
    }

    @Test("a book is found by ISBN, title and author, and the results of a later search contain facts about its author")
    func finds() async throws {
        try await SuiteFixture.Suite.run { suite in
            for target in [
                "/v1/search/isbn?isbn=0-441-17271-7", "/v1/search/title?q=dune+frank+herbert",
                "/v1/search/advanced?title=Dune&author=Herbert",
            ] {
                let found = try await Self.search(target, at: suite)
                #expect(found.results?.works.first?.title == "Dune", "\(target)")
                #expect(found.results?.authors.contains { $0.name == "Frank Herbert" } == true)
            }
            let japanese = try await Self.search(
                "/v1/search/title?q=%E9%8A%80%E6%B2%B3%E9%89%84%E9%81%93%E3%81%AE%E5%A4%9C", at: suite)
            #expect(japanese.results?.works.isEmpty == false)
            var author: AuthorDTO?
            let deadline = ContinuousClock.now + .seconds(20)
            while author?.birthYear == nil, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(200))
                let again = try await Self.search("/v1/search/isbn?isbn=9780441172719", at: suite)
                author = again.results?.authors.first
            }
            #expect(author?.gender == .male)
            #expect(author?.birthYear == 1920)
        }
    }

    @Test(
        "if one provider fails, the other provider's result is returned, and if both fail, the error states the cause",
        arguments: [
            (#"{"kind":"status","code":500}"#, 502, APIErrorCode.providerError),
            (#"{"kind":"reset"}"#, 502, .providerError), (#"{"kind":"truncate"}"#, 502, .providerError),
            (#"{"kind":"garbage"}"#, 502, .providerError), (#"{"kind":"huge","megabytes":20}"#, 502, .providerError),
            (#"{"kind":"status","code":429,"retryAfter":600}"#, 503, .quotaExhausted),
            (#"{"kind":"quota","code":403}"#, 503, .quotaExhausted), (#"{"kind":"hang"}"#, 504, .providerTimeout),
        ])
    func faults(rule: String, status: Int, code: APIErrorCode) async throws {
        try await SuiteFixture.Suite.run { suite in
            let only = { (provider: String) in "[" + rule.replacing("{", with: #"{"provider":"\#(provider)","#) + "]" }
            try await suite.emulator.setFaults(only("openlibrary"))
            let half = try await Self.search("/v1/search/isbn?isbn=9780441172719", at: suite)
            #expect(half.status == 200)
            #expect(half.results?.works.first?.title == "Dune")
            try await suite.emulator.setFaults("[\(rule)]")
            let none = try await Self.search("/v1/search/isbn?isbn=9780451524935", at: suite)
            #expect(none.status == status)
            #expect(none.code == code)
        }
    }

    @Test("cached results are available without the worker, and new searches are refused until the worker is back")
    func withoutWorker() async throws {
        try await SuiteFixture.Suite.run { suite in
            let (known, unknown) = ("/v1/search/title?q=dune", "/v1/search/title?q=emma")
            _ = try await Self.search(known, at: suite)
            await suite.worker.end()
            let kept = try await Self.search(known, at: suite)
            #expect(kept.status == 200)
            #expect(["HIT", "STALE"].contains(kept.source))
            let refused = try await Self.search(unknown, at: suite)
            #expect(refused.status == 503)
            #expect(refused.code == .serviceUnavailable)
            try await suite.worker.start()
            try await suite.waitUntilReady()
            #expect(try await Self.search(unknown, at: suite).status == 200)
        }
    }
}
