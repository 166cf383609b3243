import BookstrackContract
import HTTPTypes
import SuiteMethods
import Testing
import TestSupport

@testable import APIProxy

@Suite("Caching of searches", .timeLimit(.minutes(1))) struct SearchCachingTests {
    @Test("results are passed on in the envelope, and the second response comes from memory")
    func memory() async throws {
        try await FakeWorker.run(.success(FakeWorker.found())) { proxy, worker in
            let start = ContinuousClock.now
            let first = try await proxy.request("GET", FakeWorker.search)
            let envelope = try first.decode(SuccessEnvelope<SearchResults>.self)
            #expect(first.status == 200)
            #expect(envelope.success)
            #expect(envelope.data.works.map(\.title) == ["Dune"])
            #expect(envelope.metadata.provider == "openlibrary")
            #expect(envelope.metadata.cached == false)
            #expect(first["x-cache"] == "MISS")
            #expect(first["age"] == nil)
            #expect(first["cache-control"] == "private, max-age=300")
            let second = try await proxy.request("GET", FakeWorker.search)
            #expect(try second.decode(SuccessEnvelope<SearchResults>.self).metadata.cached == true)
            #expect(second["x-cache"] == "HIT")
            let age = try #require(second["age"].flatMap { Int($0) })
            #expect((0...Int((.now - start) / .seconds(1))).contains(age))
            #expect(worker.questions.elements.count == 1)
        }
    }

    @Test("explained and plain results are cached separately")
    func explained() async throws {
        try await FakeWorker.run(.success(FakeWorker.found())) { proxy, worker in
            for target in ["q=dune", "q=dune&explain=true", "q=dune", "q=dune&explain=true"] {
                let answer = try await proxy.request("GET", "/v1/search/title?\(target)")
                #expect(answer.status == 200)
            }
            #expect(worker.questions.elements.count == 2)
        }
    }

    @Test("results from the worker's cache state their age and whether they have expired")
    func age() async throws {
        try await FakeWorker.run(.success(FakeWorker.found(age: 90))) { proxy, worker in
            let known = try await proxy.request("GET", FakeWorker.search)
            #expect(known["x-cache"] == "HIT")
            #expect(known["age"] == "90")
            #expect(known["cache-control"] == "private, max-age=390")
            worker.answer(.success(try FakeWorker.found(age: 900, fresh: 0, isStale: true)))
            let stale = try await proxy.request("GET", "/v1/search/title?q=dune")
            #expect(stale["x-cache"] == "STALE")
            #expect(stale["age"] == "900")
            #expect(stale["cache-control"] == "no-store")
            #expect(try stale.decode(SuccessEnvelope<SearchResults>.self).metadata.stale == true)
        }
    }

    @Test(
        "clients may cache a result for five minutes, however old it is, but not after it expires",
        arguments: [(0, 300), (1_000, 300), (3_300, 300), (3_400, 200), (3_599, 1)])
    func clientCaching(elapsed: Int, remaining: Int) async throws {
        try await FakeWorker.run(.success(FakeWorker.found(fresh: 3_600))) { proxy, _ in
            let clock = ManualClock()
            let link = SearchLink(workers: proxy.services.workers, aborted: proxy.services.aborted, clock: clock)
            let question = SearchLink.Question(query: SearchQuery(.title, title: "dune", limit: 20), shape: .contract)
            let first = try await link.find(question, of: "client", for: proxy.listener)
            #expect(first.fields[.cacheControl] == "private, max-age=300")
            clock.move(by: .seconds(elapsed))
            let fields = try #require(link.fresh(question)).fields
            #expect(fields[.age] == "\(elapsed)")
            #expect(fields[.cacheControl] == "private, max-age=\(elapsed + remaining)")
        }
    }

    @Test("if the worker is down, a search is answered from memory, or else with a 503 and Retry-After")
    func withoutWorker() async throws {
        try await FakeWorker.run(.success(FakeWorker.found())) { proxy, worker in
            _ = try await proxy.request("GET", FakeWorker.search)
            await worker.stop()
            #expect(try await proxy.request("GET", FakeWorker.search)["x-cache"] == "HIT")
            let answer = try await proxy.request("GET", "/v1/search/title?q=dune")
            #expect(answer.status == 503)
            #expect(answer["retry-after"] == "2")
            #expect(try answer.failure.code == .serviceUnavailable)
        }
    }

    @Test("a search in progress during a purge serves the requests from before the purge, and no later ones")
    func purgeInFlight() async throws {
        try await FakeWorker.run(nil) { proxy, worker in
            async let before = proxy.request("GET", FakeWorker.search)
            _ = try await worker.questions.take()
            #expect(proxy.services.searches.purge() == 0)
            async let after = proxy.request("GET", FakeWorker.search)
            _ = try await worker.questions.take()
            #expect(proxy.services.searches.purge() == 0)
            worker.answer(.success(try FakeWorker.found()))
            #expect(try await [before.status, after.status] == [200, 200])
            #expect(try await proxy.request("GET", FakeWorker.search)["x-cache"] == "MISS")
            #expect(try await proxy.request("GET", FakeWorker.search)["x-cache"] == "HIT")
        }
    }

    @Test("the results in memory are counted with their hits and misses, and a purge removes them")
    func operators() async throws {
        try await FakeWorker.run(.success(FakeWorker.found())) { proxy, worker in
            for _ in 0..<3 { _ = try await proxy.request("GET", FakeWorker.search) }
            let statistics = proxy.services.searches.statistics
            #expect(statistics.entries == 1)
            #expect(statistics.hits == 2)
            #expect(statistics.misses == 1)
            #expect(proxy.services.searches.purge() == 1)
            #expect(try await proxy.request("GET", FakeWorker.search)["x-cache"] == "MISS")
        }
    }
}
