import BookstrackContract
import Foundation
import NIOCore
import NIOHTTP1
import SuiteFixture
import Testing
import WireClient

@Suite("Covers, end to end", .serialized)
struct CoverTests {
    private func search(_ suite: SuiteFixture.Suite) async throws -> SearchResults {
        let answer = try await suite.http.send(HTTPCall(.GET, "/v1/search/title?q=the"))
        let body = Data(answer.body.readableBytesView)
        return try JSONDecoder().decode(SuccessEnvelope<SearchResults>.self, from: body).data
    }

    private func cover(_ url: String, _ suite: SuiteFixture.Suite) async throws -> HTTPAnswer {
        let text = try #require(url.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        return try await suite.http.send(HTTPCall(.GET, "/images/proxy?url=\(text)&size=large"))
    }

    @Test("the covers linked in search results are served, and cached covers are served even without the worker")
    func searched() async throws {
        try await SuiteFixture.Suite.run { suite in
            let urls = Set(try await search(suite).editions.compactMap(\.coverImageURL)).sorted()
            try #require(urls.count >= 2)
            var seen: [String: HTTPAnswer] = [:]
            for url in urls.dropLast() {
                let answer = try await cover(url, suite)
                #expect(answer.status == 200, "\(url)")
                #expect(answer.headers.first(name: "Content-Type") == "image/jpeg", "\(url)")
                seen[url] = answer
            }
            await suite.worker.end(SIGKILL)
            for (url, first) in seen {
                let again = try await cover(url, suite)
                #expect(again.status == 200)
                #expect(again.body == first.body)
                #expect(again.headers.first(name: "ETag") == first.headers.first(name: "ETag"))
            }
            let unseen = try await cover(try #require(urls.last), suite)
            #expect(unseen.status == 503)
            #expect(unseen.retryAfterSeconds != nil)
            try await suite.worker.start()
            try await suite.waitUntilReady()
            #expect(try await cover(try #require(urls.last), suite).status == 200)
        }
    }
}
