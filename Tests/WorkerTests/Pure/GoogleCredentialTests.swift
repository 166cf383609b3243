import ProviderHTTP
import ServiceKit
import Testing

@testable import EnrichmentWorker

@Suite("The key of Google Books")
struct GoogleCredentialTests {
    private func credential(_ key: Secret?) throws -> ProviderCredential {
        ProviderConfiguration.googleBooks(try #require(BaseURL("https://books.example/v1")), key: key, country: "US")
            .credential
    }

    @Test(
        "a key goes out as it is written, but for what RFC 3986 reserves",
        arguments: [("AIza-b_c.d~E9", "AIza-b_c.d~E9"), ("a&b=c d/é", "a%26b%3Dc%20d%2F%C3%A9")])
    func encoding(key: String, value: String) throws {
        #expect(try credential(Secret(key)) == .query(name: "key", value: value))
    }

    @Test("without a key there is none")
    func absent() throws {
        #expect(try credential(nil) == .none)
    }
}
