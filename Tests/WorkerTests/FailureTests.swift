import BookMetadata
import BookstrackContract
import NIOCore
import ProviderClient
import SuiteMethods
import Testing

@testable import EnrichmentWorker

@Suite("Failed lookups", .timeLimit(.minutes(1)))
struct FailureTests {
    @Test(
        "a provider's failure is never reported as \"not found\"",
        arguments: [
            (#"{"kind":"status","code":400}"#, ItemErrorCode.providerError),
            (#"{"kind":"garbage"}"#, .providerError),
            (#"{"provider":"openlibrary","kind":"status","code":403}"#, .quotaExhausted),
            (#"{"provider":"openlibrary","kind":"status","code":429,"retryAfter":600}"#, .quotaExhausted),
            (#"{"provider":"googlebooks","kind":"quota","code":403}"#, .quotaExhausted),
        ])
    func codes(fault: String, code: ItemErrorCode) async throws {
        try await WorkerRig.run { rig in
            rig.providers.setFaults("[\(fault)]")
            rig.host.hand(try items([.isbn("9780140449136")]))
            let delivery = try await rig.onlyDelivery()
            #expect(delivery.outcome.errorCode == code)
            #expect(delivery.row.retryable == true)
            #expect(!delivery.row.success)
            #expect(delivery.row.error?.hasPrefix("No result: ") == true)
        }
    }

    @Test("an item fails with a timeout if a provider does not answer before the item's deadline")
    func deadline() async throws {
        var options = WorkerRig.Options()
        // This is less than the 5 s after which a request without a response is given up.
        options.policy.itemDeadline = .seconds(4)
        try await WorkerRig.run(options) { rig in
            rig.providers.setFaults(#"[{"kind":"hang"}]"#)
            rig.host.hand(try items([.isbn("9780441172719")]))
            #expect(await rig.host.delivered(1).first?.outcome.errorCode == .providerTimeout)
        }
    }

    @Test("an item whose question could not be sent in time is returned to the host unchanged")
    func ownDelay() async throws {
        var options = WorkerRig.Options()
        options.rate = 0.1
        // This is less than the request interval of 10 s, but enough for the question that is sent immediately.
        options.policy.itemDeadline = .seconds(8)
        try await WorkerRig.run(options) { rig in
            rig.host.hand(try items([BookQuery(title: "Dune"), BookQuery(title: "Emma"), BookQuery(title: "Ulysses")]))
            #expect(await rig.host.released(2).count >= 2)
            #expect(rig.host.deliveries.allSatisfy { $0.outcome.errorCode == nil })
        }
    }

    @Test("a wrong provider URL is reported as a failure, not as \"not found\"")
    func wrongAddress() async throws {
        try await WorkerRig.run { rig in
            rig.providers.setFaults(#"[{"kind":"status","code":404}]"#)
            rig.host.hand(try items([.isbn("9780441172719")]))
            #expect(try await rig.onlyDelivery().outcome.errorCode == .providerError)
        }
    }

    @Test("a record that is too long loses its long strings, and fails if it is still too long")
    func longRow() {
        var book = EnrichedMetadata(work: WorkDTO(title: "Dune"), edition: nil, authors: [])
        book.work.description = String(repeating: "sand ", count: 100_000)
        let query = BookQuery(title: "Dune")
        let row = ResultRow(query, LookupSubject(query), .found(MergedBook(book), by: .title, isComplete: true))
        let (kept, json) = row.encoded(within: 1_000)
        #expect(kept.row.success)
        #expect(kept.row.enriched?.work.description == nil)
        #expect(json.readableBytes <= 1_000)
        #expect(row.encoded(within: 100).result.row.errorCode == .providerError)
    }

    @Test("an exhausted daily budget for Google Books is reported as a quota failure, not as \"not found\"")
    func budget() async throws {
        var options = WorkerRig.Options()
        options.googleBudget = 1
        try await WorkerRig.run(options) { rig in
            rig.host.hand(try items([.isbn("9780140449136"), .isbn("9780486280615")]))
            let codes = await rig.host.delivered(2).compactMap(\.outcome.errorCode)
            #expect(Set(codes) == [.notFound, .quotaExhausted])
            let usage = try await rig.cache.usage(provider: "google-books")
            #expect(usage?.used == 1)
        }
    }

    @Test("while Open Library fails, the book is found at Google Books, and a follow-up is requested")
    func otherProvider() async throws {
        try await WorkerRig.run { rig in
            rig.providers.setFaults(#"[{"provider":"openlibrary","kind":"status","code":400}]"#)
            rig.host.hand(try items([.isbn("9780441172719")]))
            let delivery = try await rig.onlyDelivery()
            #expect(delivery.row.enriched?.work.primaryProvider == .googleBooks)
            #expect(delivery.outcome.followUp == .soon)
        }
    }

    @Test(
        "after an outage of Open Library, a follow-up keeps what Google Books has supplied, even if no budget is left",
        arguments: [
            BookQuery.isbn("9780141439600"), BookQuery(title: "A Tale of Two Cities", author: "Charles Dickens"),
        ])
    func recovery(query: BookQuery) async throws {
        try await WorkerRig.run(.init(googleBudget: 1)) { rig in
            rig.providers.setFaults(#"[{"provider":"openlibrary","kind":"status","code":400}]"#)
            rig.host.hand(try items([query]))
            let first = try await rig.onlyDelivery()
            let description = try #require(first.row.enriched?.work.description)
            rig.providers.setFaults("[]")
            rig.host.hand(try items([query], as: .followUp))
            let second = try #require(await rig.host.delivered(2).last)
            #expect(second.row.enriched?.work.primaryProvider == .openLibrary)
            #expect(second.row.enriched?.work.description == description)
            let quality = try #require(first.outcome.measure?.quality)
            #expect(try #require(second.outcome.measure).quality >= quality)
        }
    }

    @Test("if the facts about a work cannot be fetched, a background retry still succeeds, but a follow-up does not")
    func missingFacts() async throws {
        try await WorkerRig.run { rig in
            rig.providers.setFaults(
                #"[{"provider":"openlibrary","path":"/search.json","kind":"status","code":400}]"#)
            let query = BookQuery.isbn("9780441172719")
            rig.host.hand(try items([query], as: .backgroundRetry))
            let retried = try await rig.onlyDelivery()
            #expect(retried.row.enriched?.work.title == "Dune")
            #expect(retried.outcome.errorCode == nil)
            #expect(retried.outcome.followUp == .soon)
            rig.host.hand(try items([query], as: .followUp))
            let followedUp = try #require(await rig.host.delivered(2).last)
            #expect(followedUp.outcome.errorCode == .providerError)
        }
    }

    @Test("an ISBN whose shared request failed is sent alone when it is retried")
    func alone() async throws {
        var options = WorkerRig.Options()
        options.policy.gathering = .seconds(1)
        try await WorkerRig.run(options) { rig in
            rig.providers.setFaults(
                #"""
                [{"provider":"openlibrary","isbn":"9780140449136","kind":"status","code":400},
                 {"provider":"googlebooks","kind":"status","code":400}]
                """#)
            let queries = ["9780140449136", "9780441172719"].map(BookQuery.isbn)
            rig.host.hand(try items(queries))
            #expect(await rig.host.delivered(2).allSatisfy { $0.outcome.errorCode == .providerError })
            rig.host.hand(try items(queries, attempts: 1))
            let again = await rig.host.delivered(4).dropFirst(2)
            #expect(again.first { $0.row.isbn == "9780441172719" }?.row.success == true)
            #expect(again.first { $0.row.isbn == "9780140449136" }?.outcome.errorCode == .providerError)
        }
    }
}
