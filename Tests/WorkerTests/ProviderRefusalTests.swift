import BookMetadata
import BookstrackContract
import Foundation
import Logging
import ProviderClient
import ServiceKit
import SuiteMethods
import Testing
import TestSupport
import Transfer
@testable import EnrichmentWorker

@Suite("Refusals and limits of providers", .timeLimit(.minutes(1)))
struct ProviderRefusalTests {
    /// A fault rule that makes every book unknown to Open Library, so the next provider is queried.
    private static let missing = #"{"provider":"openlibrary","path":"/api/books","kind":"missing"}"#
    /// Maximum number of concurrent calls for a job; all of them may be in flight before the first is refused.
    private static let callsAtOnce = CallLimits().perParty

    @Test("a refused Google Books key is logged once, reported to operators, and uses no daily budget")
    func googleKey() async throws {
        let log = RecordingLog()
        var options = WorkerRig.Options(googleBudget: 100, logger: log.logger)
        options.environment = ["BOOKSTRACK_GOOGLE_BOOKS_API_KEY": "wrong"]
        try await WorkerRig.run(options) { rig in
            rig.providers.setFaults(#"[\#(Self.missing),{"provider":"googlebooks","kind":"invalidKey"}]"#)
            let isbns = EmulatedProviders.isbns(0..<60).map(BookQuery.isbn)
            rig.host.hand(try items(isbns))
            let deliveries = await rig.host.delivered(60)
            #expect(deliveries.allSatisfy { $0.outcome.errorCode == .providerError })
            #expect(deliveries.allSatisfy { $0.row.retryable == true })
            let requests = rig.providers.log.count { $0.provider == "googlebooks" }
            #expect(requests > 0)
            #expect(requests <= Self.callsAtOnce)
            #expect(try await rig.cache.usage(provider: "google-books")?.used ?? 0 == 0)
            #expect(log.texts(at: .warning).count == 1)
            #expect(log.texts(at: .warning).first?.contains("BOOKSTRACK_GOOGLE_BOOKS_API_KEY") == true)
            let google = rig.worker.status.readiness().dependencies?.first { $0.name == "google-books" }
            #expect(google?.status == .degraded)
            #expect(google?.reason == "it refuses the key; correct BOOKSTRACK_GOOGLE_BOOKS_API_KEY")
            let figure = try await rig.methods().figures.figures().providers.first { $0.name == "google-books" }
            #expect(figure?.cause == "refusal")
            #expect(figure?.refusal?.setting == "BOOKSTRACK_GOOGLE_BOOKS_API_KEY")
        }
    }

    @Test(
        "Google Books responds even if it cannot determine the country of the server, because each request specifies one"
    )
    func country() async throws {
        try await WorkerRig.run(.init(environment: ["BOOKSTRACK_GOOGLE_BOOKS_COUNTRY": "de"])) { rig in
            rig.providers.setFaults(#"[\#(Self.missing),{"provider":"googlebooks","kind":"unknownLocation"}]"#)
            rig.host.hand(try items([.isbn("9780441172719")]))
            #expect(try await rig.onlyRow().success)
            let asked = rig.providers.log.filter { $0.provider == "googlebooks" }
            #expect(asked.allSatisfy { $0.path.contains("&country=DE") })
        }
    }

    @Test("without a contact, Wikidata is queried once, and the missing contact is reported")
    func wikidata() async throws {
        let log = RecordingLog()
        try await WorkerRig.run(.init(contact: nil, logger: log.logger)) { rig in
            for round in 1...4 {
                rig.host.hand(try items([.isbn("9780441172719")], as: .followUp))
                _ = await rig.host.delivered(round)
            }
            #expect(rig.providers.log.count { $0.provider == "wikidata" } == 1)
            #expect(log.texts(at: .warning).count == 1)
            #expect(log.texts(at: .warning).first?.contains("BOOKSTRACK_CONTACT") == true)
            let wikidata = rig.worker.status.readiness().dependencies?.first { $0.name == "wikidata" }
            #expect(wikidata?.reason.contains("BOOKSTRACK_CONTACT") == true)
        }
    }

    @Test("readiness distinguishes a breaker that is open from one that allows a probe")
    func breakers() {
        let refusal = LastingRefusal(.key, setting: "KEY")
        let now = MonotonicInstant(sinceStart: .zero)
        #expect(BreakerStatus.closed.trouble == nil)
        #expect(BreakerStatus.open(until: now, cause: .failures).trouble == "the circuit breaker is open")
        #expect(BreakerStatus.halfOpen(cause: .failures).trouble == "the circuit breaker is half-open")
        #expect(BreakerStatus.halfOpen(cause: .refusal(refusal)).trouble == "it refuses the key; correct KEY")
    }

    @Test("Wikidata receives at most three requests at a time")
    func concurrency() async throws {
        try await WorkerRig.run(.init(latency: .milliseconds(50))) { rig in
            let isbns = EmulatedProviders.isbns(0..<60).map(BookQuery.isbn)
            for round in 1...2 {
                rig.host.hand(try items(isbns, as: .followUp))
                _ = await rig.host.delivered(60 * round)
            }
            let asked = rig.providers.log.filter { $0.provider == "wikidata" }.map(\.monotonicMs)
            #expect(asked.count > 6)
            // Each request takes 50 ms: of four in a row, the last one starts after the first has ended.
            for (first, fourth) in zip(asked, asked.dropFirst(3)) { #expect(fourth - first >= 45) }
        }
    }

    @Test("a lasting refusal identifies the setting that resolves it")
    func settings() throws {
        let base = try #require(BaseURL("https://books.example"))
        let google = ProviderConfiguration.googleBooks(base, key: nil, country: "US")
        let isbndb = try ProviderConfiguration.isbndb(base, key: Secret("a-key"))
        let refusals: [(ProviderConfiguration, Int, String, LastingRefusal)] = [
            (
                google, 400, #"{"error":{"code":400,"details":[{"reason":"API_KEY_INVALID"}]}}"#,
                LastingRefusal(.key, setting: "BOOKSTRACK_GOOGLE_BOOKS_API_KEY")
            ),
            (
                google, 403, #"{"error":{"code":403,"errors":[{"reason":"unknownLocation"}]}}"#,
                LastingRefusal(.country, setting: "BOOKSTRACK_GOOGLE_BOOKS_COUNTRY")
            ),
            (isbndb, 401, "", LastingRefusal(.key, setting: "BOOKSTRACK_ISBNDB_API_KEY")),
            (.wikidata(base), 403, "", LastingRefusal(.identification, setting: "BOOKSTRACK_CONTACT")),
        ]
        for (configuration, status, body, refusal) in refusals {
            #expect(configuration.judge(status, Data(body.utf8)) == .refused(refusal))
        }
    }

    @Test(
        "a Google Books failure is recognized from the status and the body of the response",
        arguments: [
            (
                403, #"{"error":{"code":403,"errors":[{"reason":"unknownLocation"}]}}"#,
                GoogleBooksFailure.locationUnknown
            ),
            (400, #"{"error":{"code":400,"details":[{"reason":"API_KEY_INVALID"}]}}"#, .keyRefused),
            (403, #"{"error":{"code":403,"status":"PERMISSION_DENIED"}}"#, .keyRefused),
            (403, #"{"error":{"code":403,"errors":[{"reason":"dailyLimitExceeded"}]}}"#, .quotaExhausted),
            (403, "<html>", .refused),
        ])
    func google(status: Int, body: String, failure: GoogleBooksFailure) {
        #expect(GoogleBooksFailure(status: status, body: body.utf8) == failure)
    }

    @Test(
        "an ISBNdb failure is recognized from the status and, for a 403, from the body of the response",
        arguments: [
            (401, #"{"message":"Unauthorized"}"#, ISBNdbFailure.keyRefused),
            (403, #"{"message":"Forbidden"}"#, .keyRefused),
            (403, #"{"message":"Limit Exceeded"}"#, .quotaExhausted),
            (403, "", .quotaExhausted),
            (429, #"{"message":"Limit Exceeded"}"#, .other),
            (404, #"{"errorMessage":"Not Found"}"#, .other),
        ])
    func isbndb(status: Int, body: String, failure: ISBNdbFailure) {
        #expect(ISBNdbFailure(status: status, body: body.utf8) == failure)
    }
}

@Suite("The Google Books key")
struct GoogleCredentialTests {
    private func credential(_ key: Secret?) throws -> ProviderCredential {
        ProviderConfiguration.googleBooks(try #require(BaseURL("https://books.example/v1")), key: key, country: "US")
            .credential
    }

    @Test(
        "a key is sent unchanged, except that characters outside RFC 3986's unreserved set are percent-encoded",
        arguments: [("AIza-b_c.d~E9", "AIza-b_c.d~E9"), ("a&b=c d/é", "a%26b%3Dc%20d%2F%C3%A9")])
    func encoding(key: String, value: String) throws {
        #expect(try credential(Secret(key)) == .query(name: "key", value: value))
    }

    @Test("without a key, there is no credential")
    func absent() throws {
        #expect(try credential(nil) == .none)
    }
}
