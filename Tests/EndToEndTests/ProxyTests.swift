import BookstrackContract
import Foundation
import NIOHTTP1
import SuiteFixture
import TestSupport
import Testing
import WireClient

@Suite("Proxies between the worker and the providers", .serialized)
struct ProxyTests {
    /// Searches by ISBN with providers that can be reached only over TLS and through a proxy; only the proxy can
    /// resolve their host name.
    ///
    /// - Returns: The status and the title of the work that was found.
    private static func search(_ network: TLSAndProxy, _ settings: [String: String]) async throws -> (Int, String?) {
        let providers = "https://books.example:\(network.places.tls)"
        let settings = settings.merging([
            "BOOKSTRACK_OPEN_LIBRARY_BASE_URL": "\(providers)/openlibrary",
            "BOOKSTRACK_GOOGLE_BOOKS_BASE_URL": "\(providers)/googlebooks/books/v1",
            "HTTPS_PROXY": network.proxyURL,
        ]) { $1 }
        return try await SuiteFixture.Suite.run(SuiteFixture.Suite.Options(settings: settings)) { suite in
            try network.passOn(to: "\(suite.emulator.address)")
            let answer = try await suite.http.send(HTTPCall(.GET, "/v1/search/isbn?isbn=9780441172719"))
            let body = Data(answer.text.utf8)
            let results = try? JSONDecoder().decode(SuccessEnvelope<SearchResults>.self, from: body).data
            return (answer.status, results?.works.first?.title)
        }
    }

    @Test("the worker calls providers through HTTPS_PROXY and trusts the authorities in BOOKSTRACK_CA_FILE")
    func proxyAndAuthority() async throws {
        let network = try TLSAndProxy()
        let (status, title) = try await Self.search(network, ["BOOKSTRACK_CA_FILE": network.places.authority])
        #expect(status == 200)
        #expect(title == "Dune")
        #expect(Set(try network.stop()) == ["CONNECT books.example:\(network.places.tls)"])
    }

    @Test("without BOOKSTRACK_CA_FILE, the proxy is used, but the providers' certificate is not trusted")
    func unknownAuthority() async throws {
        let network = try TLSAndProxy()
        let (status, _) = try await Self.search(network, [:])
        #expect(status == 502)
        #expect(Set(try network.stop()) == ["CONNECT books.example:\(network.places.tls)"])
    }

    @Test("providers listed in BOOKSTRACK_NO_PROXY are not called through the proxy")
    func excepted() async throws {
        let network = try TLSAndProxy()
        let (status, _) = try await Self.search(
            network, ["BOOKSTRACK_CA_FILE": network.places.authority, "BOOKSTRACK_NO_PROXY": ".example"])
        // Only the proxy can resolve the providers' host name.
        #expect(status == 502)
        #expect(try network.stop() == [])
    }
}
