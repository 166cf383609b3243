import BookstrackContract
import JSONRPC
import NIOCore
import SuiteMethods
import TestSupport
import Testing

@testable import APIProxy

@Suite("Search routes", .timeLimit(.minutes(1))) struct SearchRouteTests {
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

    @Test("the advanced search repeats its metadata as meta, and other searches do not")
    func meta() async throws {
        try await FakeWorker.run(.success(FakeWorker.found())) { proxy, _ in
            let advanced = try await proxy.request("GET", "/v1/search/advanced?title=dune").object
            #expect(advanced["meta"] as? [String: AnyHashable] == advanced["metadata"] as? [String: AnyHashable])
            #expect(advanced["meta"] != nil)
            #expect(try await proxy.request("GET", FakeWorker.search).object["meta"] == nil)
        }
    }

    @Test(
        "the worker receives the client address of a search",
        arguments: ["/v1/search/title?q=dune", "/search/title?q=dune"])
    func client(path: String) async throws {
        try await FakeWorker.run(.success(FakeWorker.found())) { proxy, worker in
            let answer = try await proxy.request("GET", path)
            #expect(answer.status == 200)
            let question = try await worker.questions.take()
            #expect(question.client == ClientAddress("127.0.0.1")?.shareKey)
        }
    }

    @Test(
        "a malformed number is refused even if it would not be used",
        arguments: ["/v1/search/title?q=dune&limit=abc", "/search/isbn?isbn=9780441172719&offset=x"])
    func unreadableNumber(path: String) async throws {
        try await FakeWorker.run(.success(FakeWorker.found())) { proxy, _ in
            let answer = try await proxy.request("GET", path)
            #expect(try answer.failure.code == .invalidQuery)
        }
    }

    @Test("results that lack one provider's data report this and are not cached")
    func partial() async throws {
        let reports = [ProviderReport(provider: .googleBooks, outcome: .quotaExhausted, durationMs: 12)]
        try await FakeWorker.run(.success(FakeWorker.found(fresh: 0, providers: reports))) { proxy, worker in
            for _ in 0..<2 {
                let answer = try await proxy.request("GET", FakeWorker.search)
                #expect(try answer.decode(SuccessEnvelope<SearchResults>.self).metadata.providers == reports)
            }
            #expect(worker.questions.elements.count == 2)
        }
    }

    @Test(
        "a failed search has the status of its error code and is not cached",
        arguments: [
            (APIErrorCode.providerTimeout, 504), (.providerError, 502), (.quotaExhausted, 503), (.notFound, 404),
        ])
    func failures(code: APIErrorCode, status: Int) async throws {
        let error = RPCApplicationError(code: code.rawValue, message: "No result.", retryAfterSeconds: 7)
        try await FakeWorker.run(.failure(error)) { proxy, worker in
            let answer = try await proxy.request("GET", FakeWorker.search)
            #expect(answer.status == status)
            #expect(try answer.failure.code == code)
            #expect(answer["retry-after"] == "7")
            worker.answer(.success(try FakeWorker.found()))
            #expect(try await proxy.request("GET", FakeWorker.search).status == 200)
        }
    }

    @Test("the deprecated searches return volumes at the top level and name their successor")
    func legacy() async throws {
        let volumes = VolumeList(
            items: [Volume(id: "v1", volumeInfo: VolumeInfo(title: "Dune"))], totalItems: 1)
        let answer = SearchAnswer(
            head: .init(provider: "openlibrary", ageSeconds: nil, freshSeconds: 60, isStale: false, providers: nil),
            data: try BodyCoding.encode(volumes))
        try await FakeWorker.run(.success(answer)) { proxy, worker in
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
}
