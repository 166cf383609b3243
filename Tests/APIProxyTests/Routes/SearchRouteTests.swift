import BookstrackContract
import HTTPTypes
import JSONRPC
import NIOCore
import SuiteMethods
import TestSupport
import Testing
@testable import APIProxy

@Suite("Search routes", .timeLimit(.minutes(1))) struct SearchRouteTests {
    private static let path = "/v1/search/isbn?isbn=9780441172719"

    private func run(
        _ answer: Result<SearchAnswer, RPCApplicationError>?, _ change: (inout ProxySettings) -> Void = { _ in },
        _ body: (RunningProxy, FakeWorker) async throws -> Void
    ) async throws {
        try await RunningProxy.run(change) { proxy in
            let worker = try await FakeWorker(at: proxy, answering: answer)
            try await body(proxy, worker)
            await worker.stop()
        }
    }

    @Test(
        "the hand-written encoding of an envelope's metadata is identical to the encoder's JSON",
        arguments: [nil, true, false] as [Bool?])
    func metadata(flag: Bool?) throws {
        var metadata = ResponseMetadata(timestamp: "2025-11-15T20:00:00.000Z", cached: flag)
        metadata.stale = flag
        for provider in [nil, "openLibrary", "a \"quoted\" name"] {
            for time in [nil, 0, 1_234] {
                (metadata.provider, metadata.processingTime) = (provider, time)
                #expect(try SuccessEnvelopeText.json(metadata) == BodyCoding.encode(metadata))
            }
        }
        // A further member would have to be written by hand, too.
        #expect(Mirror(reflecting: metadata).children.count == 6)
        metadata.providers = [ProviderReport(provider: .openLibrary, outcome: .timeout, durationMs: 5)]
        #expect(try SuccessEnvelopeText.json(metadata) == BodyCoding.encode(metadata))
    }

    @Test("while the main worker is down, another worker handles searches, and readiness reports both")
    func failsOver() async throws {
        try await RunningProxy.run { proxy in
            let main = try await FakeWorker(at: proxy, answering: .success(FakeWorker.found()))
            let second = try await FakeWorker(
                at: proxy, named: WorkerName("second")!, answering: .success(FakeWorker.found()))
            #expect(try await proxy.request("GET", "/v1/search/title?q=one").status == 200)
            #expect(main.questions.elements.count == 1)
            #expect(second.questions.elements.isEmpty)
            await main.stop()
            #expect(try await proxy.request("GET", "/v1/search/title?q=two").status == 200)
            #expect(second.questions.elements.count == 1)
            let ready = try await proxy.request("GET", "/health/ready", port: proxy.adminPort)
            let report = String(decoding: ready.body, as: UTF8.self)
            #expect(report.contains("enrichment-worker: not connected; enrichment-worker-second: connected"))
            await second.stop()
        }
    }

    @Test("a search continues on another worker if the first one is killed while searching")
    func failsOverMeanwhile() async throws {
        try await RunningProxy.run { proxy in
            let main = try await FakeWorker(at: proxy, answering: nil)
            let second = try await FakeWorker(
                at: proxy, named: WorkerName("second")!, answering: .success(FakeWorker.found()))
            async let answer = proxy.request("GET", Self.path)
            _ = try await main.questions.take()
            main.drop()
            #expect(try await answer.status == 200)
            await second.stop()
            main.answer(.success(try FakeWorker.found()))
            await main.stop()
        }
    }

    @Test(
        "a search is cancelled at the worker when its last client disconnects, but not while another client is waiting")
    func abandoned() async throws {
        try await run(nil) { proxy, worker in
            func ask(_ path: String) async throws -> RawConnection {
                let connection = try await RawConnection(port: proxy.port)
                try await connection.send(Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
                return connection
            }
            let first = try await ask(Self.path)
            _ = try await worker.questions.take()
            let second = try await ask(Self.path)
            while proxy.services.searches.requestsInFlight < 2, !Task.isCancelled { await Task.yield() }
            await first.close()
            while proxy.services.searches.requestsInFlight > 1, !Task.isCancelled { await Task.yield() }
            let other = try await ask("/v1/search/title?q=other")
            _ = try await worker.questions.take()
            await other.close()
            let left = try await worker.abandoned.take()
            #expect(left.query.kind == .title)
            await second.close()
            let last = try await worker.abandoned.take()
            #expect(last.query.kind == .isbn)
            worker.answer(.success(try FakeWorker.found()))
        }
    }

    @Test("a client whose search is in progress when the server stops receives a 503 with Retry-After")
    func stops() async throws {
        try await run(nil, { $0.timeouts.lastSearch = .zero }) { proxy, worker in
            // Without a stop, the search would continue to wait.
            async let answering = proxy.request("GET", Self.path)
            _ = try await worker.questions.take()
            try await proxy.shutdown()
            let answer = try await answering
            #expect(answer.status == 503)
            #expect(answer["retry-after"] == "2")
            #expect(try answer.failure.code == .serviceUnavailable)
            worker.answer(.success(try FakeWorker.found()))
        }
    }

    @Test("a client that closes its sending side while waiting for a search receives no response")
    func halfClosed() async throws {
        try await run(nil) { proxy, worker in
            let connection = try await RawConnection(port: proxy.port, sendsOn: true)
            try await connection.send("GET \(Self.path) HTTP/1.1\r\nHost: a\r\nX-Request-Id: r-half\r\n\r\n")
            _ = try await worker.questions.take()
            await connection.closeOutput()
            #expect(try await connection.readToEnd().isEmpty)
            worker.answer(.success(try FakeWorker.found()))
        }
    }

    @Test(
        "the worker receives the client address of a search",
        arguments: ["/v1/search/title?q=dune", "/search/title?q=dune"])
    func client(path: String) async throws {
        try await run(.success(FakeWorker.found())) { proxy, worker in
            let answer = try await proxy.request("GET", path)
            #expect(answer.status == 200)
            let question = try await worker.questions.take()
            #expect(question.client == ClientAddress("127.0.0.1")?.shareKey)
        }
    }

    @Test("explained and plain results are cached separately")
    func explained() async throws {
        try await run(.success(FakeWorker.found())) { proxy, worker in
            for target in ["q=dune", "q=dune&explain=true", "q=dune", "q=dune&explain=true"] {
                let answer = try await proxy.request("GET", "/v1/search/title?\(target)")
                #expect(answer.status == 200)
            }
            #expect(worker.questions.elements.count == 2)
        }
    }

    @Test("results are passed on in the envelope, and the second response comes from memory")
    func memory() async throws {
        try await run(.success(FakeWorker.found())) { proxy, worker in
            let start = ContinuousClock.now
            let first = try await proxy.request("GET", Self.path)
            let envelope = try first.decode(SuccessEnvelope<SearchResults>.self)
            #expect(first.status == 200)
            #expect(envelope.success)
            #expect(envelope.data.works.map(\.title) == ["Dune"])
            #expect(envelope.metadata.provider == "openlibrary")
            #expect(envelope.metadata.cached == false)
            #expect(first["x-cache"] == "MISS")
            #expect(first["age"] == nil)
            #expect(first["cache-control"] == "private, max-age=300")
            let second = try await proxy.request("GET", Self.path)
            #expect(try second.decode(SuccessEnvelope<SearchResults>.self).metadata.cached == true)
            #expect(second["x-cache"] == "HIT")
            let age = try #require(second["age"].flatMap { Int($0) })
            #expect((0...Int((.now - start) / .seconds(1))).contains(age))
            #expect(worker.questions.elements.count == 1)
        }
    }

    @Test("results from the worker's cache state their age and whether they have expired")
    func age() async throws {
        try await run(.success(FakeWorker.found(age: 90))) { proxy, worker in
            let known = try await proxy.request("GET", Self.path)
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
        try await run(.success(FakeWorker.found(fresh: 3_600))) { proxy, _ in
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

    @Test("the advanced search repeats its metadata as meta, and other searches do not")
    func meta() async throws {
        try await run(.success(FakeWorker.found())) { proxy, _ in
            let advanced = try await proxy.request("GET", "/v1/search/advanced?title=dune").object
            #expect(advanced["meta"] as? [String: AnyHashable] == advanced["metadata"] as? [String: AnyHashable])
            #expect(advanced["meta"] != nil)
            #expect(try await proxy.request("GET", Self.path).object["meta"] == nil)
        }
    }

    @Test(
        "a malformed number is refused even if it would not be used",
        arguments: ["/v1/search/title?q=dune&limit=abc", "/search/isbn?isbn=9780441172719&offset=x"])
    func unreadableNumber(path: String) async throws {
        try await run(.success(FakeWorker.found())) { proxy, _ in
            let answer = try await proxy.request("GET", path)
            #expect(try answer.failure.code == .invalidQuery)
        }
    }

    @Test("results that lack one provider's data report this and are not cached")
    func partial() async throws {
        let reports = [ProviderReport(provider: .googleBooks, outcome: .quotaExhausted, durationMs: 12)]
        try await run(.success(FakeWorker.found(fresh: 0, providers: reports))) { proxy, worker in
            for _ in 0..<2 {
                let answer = try await proxy.request("GET", Self.path)
                #expect(try answer.decode(SuccessEnvelope<SearchResults>.self).metadata.providers == reports)
            }
            #expect(worker.questions.elements.count == 2)
        }
    }

    @Test("identical concurrent searches share one call")
    func singleFlight() async throws {
        try await run(nil) { proxy, worker in
            async let answers = withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await proxy.request("GET", Self.path).status } }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            _ = try await worker.questions.take()
            worker.answer(.success(try FakeWorker.found()))
            #expect(try await answers == [Int](repeating: 200, count: 8))
            #expect(worker.questions.elements.count == 0)
        }
    }

    @Test(
        "a failed search has the status of its error code and is not cached",
        arguments: [
            (APIErrorCode.providerTimeout, 504), (.providerError, 502), (.quotaExhausted, 503), (.notFound, 404),
        ])
    func failures(code: APIErrorCode, status: Int) async throws {
        let error = RPCApplicationError(code: code.rawValue, message: "No result.", retryAfterSeconds: 7)
        try await run(.failure(error)) { proxy, worker in
            let answer = try await proxy.request("GET", Self.path)
            #expect(answer.status == status)
            #expect(try answer.failure.code == code)
            #expect(answer["retry-after"] == "7")
            worker.answer(.success(try FakeWorker.found()))
            #expect(try await proxy.request("GET", Self.path).status == 200)
        }
    }

    @Test("if the worker is down, a search is answered from memory, or else with a 503 and Retry-After")
    func withoutWorker() async throws {
        try await run(.success(FakeWorker.found())) { proxy, worker in
            _ = try await proxy.request("GET", Self.path)
            await worker.stop()
            #expect(try await proxy.request("GET", Self.path)["x-cache"] == "HIT")
            let answer = try await proxy.request("GET", "/v1/search/title?q=dune")
            #expect(answer.status == 503)
            #expect(answer["retry-after"] == "2")
            #expect(try answer.failure.code == .serviceUnavailable)
        }
    }

    @Test("the deprecated searches return volumes at the top level and name their successor")
    func legacy() async throws {
        let volumes = VolumeList(
            items: [Volume(id: "v1", volumeInfo: VolumeInfo(title: "Dune"))], totalItems: 1)
        let answer = SearchAnswer(
            head: .init(provider: "openlibrary", ageSeconds: nil, freshSeconds: 60, isStale: false, providers: nil),
            data: try BodyCoding.encode(volumes))
        try await run(.success(answer)) { proxy, worker in
            for (path, successor) in [
                ("/search/title?q=dune", "title"), ("/search/isbn?q=9780441172719", "isbn"),
                ("/search/author?q=herbert&sortBy=publicationYear", "advanced"),
                ("/search/advanced?bookTitle=dune&authorName=herbert", "advanced"),
            ] {
                let found = try await proxy.request("GET", path)
                #expect(try found.decode(VolumeList.self) == volumes)
                #expect(found["deprecation"] == "@1763164800")
                #expect(found["sunset"] != nil)
                #expect(found["link"] == "</v1/search/\(successor)>; rel=\"successor-version\"")
                #expect(try await worker.questions.take().shape == .volumes)
            }
        }
    }

    @Test("a search in progress during a purge serves the requests from before the purge, and no later ones")
    func purgeInFlight() async throws {
        try await run(nil) { proxy, worker in
            async let before = proxy.request("GET", Self.path)
            _ = try await worker.questions.take()
            #expect(proxy.services.searches.purge() == 0)
            async let after = proxy.request("GET", Self.path)
            _ = try await worker.questions.take()
            #expect(proxy.services.searches.purge() == 0)
            worker.answer(.success(try FakeWorker.found()))
            #expect(try await [before.status, after.status] == [200, 200])
            #expect(try await proxy.request("GET", Self.path)["x-cache"] == "MISS")
            #expect(try await proxy.request("GET", Self.path)["x-cache"] == "HIT")
        }
    }

    @Test("the results in memory are counted with their hits and misses, and a purge removes them")
    func operators() async throws {
        try await run(.success(FakeWorker.found())) { proxy, worker in
            for _ in 0..<3 { _ = try await proxy.request("GET", Self.path) }
            let statistics = proxy.services.searches.statistics
            #expect(statistics.entries == 1)
            #expect(statistics.hits == 2)
            #expect(statistics.misses == 1)
            #expect(proxy.services.searches.purge() == 1)
            #expect(try await proxy.request("GET", Self.path)["x-cache"] == "MISS")
        }
    }
}

@Suite("Search results in memory") struct AnswerCacheTests {
    private static func answer(_ bytes: Int, fresh: Int = 60, now: Duration = .zero) -> KeptAnswer {
        let head = SearchAnswer.Head(
            provider: "none", ageSeconds: nil, freshSeconds: fresh, isStale: false, providers: nil)
        return KeptAnswer(SearchAnswer(head: head, data: ByteBuffer(repeating: 0x20, count: bytes)), now: now)
    }

    @Test("a result is fresh until it expires and is kept after that")
    func expiry() {
        var cache = AnswerCache<Int>(limit: 1 << 20)
        cache.keep(Self.answer(100), for: 1)
        #expect(cache.find(1, now: .seconds(59))?.isFresh == true)
        #expect(cache.find(1, now: .seconds(60))?.isFresh == false)
        #expect(cache.find(2, now: .zero) == nil)
    }

    @Test("a result does not keep the rest of what was received with it in memory")
    func slice() throws {
        let received = ByteBuffer(repeating: 0x20, count: 64 << 10)
        let answer = SearchAnswer(
            head: .init(provider: "none", ageSeconds: nil, freshSeconds: 60, isStale: false, providers: nil),
            data: try #require(received.getSlice(at: 100, length: 1_000)))
        #expect(KeptAnswer(answer, now: .zero).data.storageCapacity <= 2_000)
    }

    @Test("the least recently used result is evicted first, and the total size stays within the limit")
    func eviction() {
        var cache = AnswerCache<Int>(limit: 100_000)
        for key in 0..<50 { cache.keep(Self.answer(2_000), for: key) }
        #expect(cache.bytes <= 100_000)
        #expect(cache.count < 50)
        let oldest = 50 - cache.count
        _ = cache.find(oldest, now: .zero)
        cache.keep(Self.answer(2_000), for: 100)
        #expect(cache.find(oldest, now: .zero) != nil)
        #expect(cache.find(oldest + 1, now: .zero) == nil)
    }

    @Test("a new result replaces its predecessor, and a result that is too large is not kept")
    func replacement() {
        var cache = AnswerCache<Int>(limit: 100_000)
        for size in [100, 5_000, 200] { cache.keep(Self.answer(size), for: 1) }
        #expect(cache.count == 1)
        #expect(cache.bytes < 1_000)
        cache.keep(Self.answer(20_000), for: 1)
        #expect(cache.find(1, now: .zero) == nil)
        #expect(cache.bytes == 0)
    }

    @Test("after any sequence of uses, exactly the most recently used results remain")
    func random() {
        var cache = AnswerCache<Int>(limit: 60_000)
        var order: [Int] = []
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            let key = Int.random(in: 0..<40, using: &generator)
            if cache.find(key, now: .zero) == nil { cache.keep(Self.answer(1_488), for: key) }
            order.removeAll { $0 == key }
            order.append(key)
        }
        let kept = order.suffix(cache.count)
        #expect(kept.allSatisfy { cache.find($0, now: .zero) != nil })
        #expect(cache.count == 30)
    }
}
