import BookstrackClient
import BookstrackClientTesting
import BookstrackContract
import Foundation
import Testing

@Suite("Client calls")
struct ClientCallTests {
    private let server = FakeServer()
    private let client: BookstrackClient

    init() async {
        client = BookstrackClient(transport: server, clock: TestClock(isInstant: true))
        await server.add(FakeBook(isbn: "9780441172719", title: "Dune", author: "Frank Herbert"))
    }

    @Test("searches send percent-encoded parameters")
    func searches() async throws {
        #expect(try await client.search(isbn: "9780441172719").works.map(\.title) == ["Dune"])
        #expect(try await client.search(title: "Dune").resultCount == 1)
        #expect(try await client.search(title: "Dune", author: "Frank Herbert").resultCount == 1)
        #expect(try await client.search(title: "a&b+c=ü%").works.isEmpty)
        #expect(try await client.editions(of: "Dune", author: "Frank Herbert").resultCount == 1)
        let calls = await server.calls
        #expect(calls[3] == "GET /v1/search/title?q=a%26b%2Bc%3D%C3%BC%25")
        #expect(calls[4] == "GET /v1/editions/search?workTitle=Dune&author=Frank%20Herbert&limit=20")
    }

    @Test("a client can start a job, follow it to its end, read its results and retry it")
    func enrichment() async throws {
        let job = try await client.startEnrichment(books: [BookQuery(title: "Dune")], priority: .high)
        #expect(try await client.events(of: job.jobId).last().progress == 1)
        #expect(try await client.state(of: job.jobId).status == .completed)
        #expect(try await client.results(of: job.jobId).successCount == 1)
        #expect(try await client.retry(job.jobId).jobId == job.jobId)
    }

    @Test("routes that the in-memory server does not have are answered as not found, even those of a job")
    func unknownRoutes() async throws {
        let job = try await client.startEnrichment(isbns: ["9780441172719"])
        let headers = ["Authorization": "Bearer \(job.token)"]
        for target in ["/v1/nothing", "/v1/jobs/\(job.jobId)/nothing"] {
            for method in ["GET", "POST", "DELETE"] {
                let answer = try await server.answer(to: ClientRequest(method, target, headers: headers))
                #expect(answer.status == 404, "\(method) \(target)")
            }
        }
        let foreign = ClientRequest("DELETE", "/v1/jobs/\(job.jobId)", headers: ["Authorization": "Bearer wrong"])
        #expect(try await server.answer(to: foreign).status == 401)
    }

    @Test("U+0000 at the end of a scanned barcode or in a work identifier does not prevent a start")
    func terminatedTexts() async throws {
        let scanned = try await client.startEnrichment(isbns: ["9780441172719\0"])
        #expect(await server.items(of: scanned.jobId) == [BookQuery(isbn: "9780441172719")])
        let job = try await client.startEnrichment(workIDs: ["OL1\0W"])
        #expect(await server.items(of: job.jobId) == [BookQuery(workId: "OL1W")])
    }

    @Test("repeating a start returns the same job, and a different start with that job's ID is refused")
    func repeatedStart() async throws {
        let job = JobID.random()
        _ = try await client.startEnrichment(isbns: ["9780441172719"], jobID: job)
        _ = try await client.startEnrichment(isbns: ["9780441172719"], jobID: job)
        #expect(await server.jobIDs == [job])
        await #expect { try await client.startEnrichment(workIDs: ["OL1W"], jobID: job) } throws: {
            ($0 as? BookstrackError)?.code == .jobExists
        }
    }

    @Test("API errors keep their code, even an unknown one, and failures without an envelope are given one")
    func refusals() async throws {
        let body =
            #"{"error":{"message":"later","code":"NEW_CODE","details":{"a":1},"retryable":true,"statusCode":503}}"#
        await server.failNext(
            ClientAnswer(status: 503, headers: ["retry-after": "7"], body: Data(body.utf8)),
            ClientAnswer(status: 502, body: Data("<html>".utf8)), ClientAnswer(status: 200, body: Data("{}".utf8)))
        let expected = BookstrackError(
            .init(rawValue: "NEW_CODE"), "later", status: 503, details: ["a": 1], retryAfter: .seconds(7),
            isRetryable: true)
        await #expect(throws: expected) { try await client.search(title: "Dune") }
        await #expect { try await client.search(title: "Dune") } throws: {
            let error = $0 as? BookstrackError
            return error?.code == .serviceUnavailable && error?.status == 502 && error?.isRetryable == true
        }
        await #expect { try await client.search(title: "Dune") } throws: {
            ($0 as? BookstrackError)?.code == .unexpectedAnswer
        }
        await server.setOffline(true)
        await #expect { try await client.search(title: "Dune") } throws: {
            ($0 as? BookstrackError)?.code == .connectionFailed
        }
    }

    @Test(
        "each kind of error has a text for users and a recovery action",
        arguments: [
            (BookstrackError.Code.timedOut, false, "Enrichment failed, will retry", BookstrackError.Recovery.automatic),
            (.init(rawValue: "INTERNAL_ERROR"), true, "Server error, try again later", .retryButton),
            (.invalidISBN, false, "This book has no valid ISBN and was skipped", .skipBook),
            (.connectionFailed, true, "Connection lost, reconnecting", .automatic),
            (.tokenExpired, false, "This job can no longer be followed. Please start it again.", .startAgain),
            (.notFound, false, "technical", .none),
        ])
    func texts(code: BookstrackError.Code, isRetryable: Bool, text: String, recovery: BookstrackError.Recovery) {
        let error = BookstrackError(code, "technical", isRetryable: isRetryable)
        #expect(error.userMessage == text)
        #expect(error.localizedDescription == text)
        #expect(error.recovery == recovery)
    }

    @Test("a client can import a file, follow the import to its end and read its books")
    func imports() async throws {
        await server.setImported([ImportedBook(row: 1, lineNumber: 2, title: "Dune", author: "Frank Herbert")])
        let file = LibraryFile(name: "my \"books\".csv", content: Data("Naam\nDune\n".utf8), columns: ["Naam": .title])
        let job = try await client.importLibrary(file: file)
        #expect(try await client.events(of: job.jobId).last().isLast)
        #expect(try await client.importResults(of: job.jobId).books.map(\.title) == ["Dune"])
    }

    @Test("a missing file is reported as a storage error")
    func missingFile() {
        #expect { try LibraryFile(contentsOf: URL(filePath: "/nowhere/library.csv")) } throws: {
            ($0 as? BookstrackError)?.code == .storageFailed
        }
    }

    @Test("a scan returns its results after its last event")
    func scans() async throws {
        let job = try await client.scan(photos: [Data([0xFF, 0xD8])])
        #expect(try await client.events(of: job.jobId).last().isLast)
        #expect(try await client.scanResults(of: job.jobId).approved == 1)
    }

    @Test("an import or scan presents a token only if it is repeated: that of its first start")
    func repeatedUploads() async throws {
        let recorder = AuthorizationRecorder(server)
        let client = BookstrackClient(transport: recorder)
        let file = LibraryFile(name: "library.csv", content: Data("Title\nDune\n".utf8))
        let library = try await client.importLibrary(file: file)
        _ = try await client.importLibrary(file: file, jobID: library.jobId)
        let shelf = try await client.scan(photos: [Data([0xFF, 0xD8])])
        _ = try await client.scan(photos: [Data([0xFF, 0xD8])], jobID: shelf.jobId)
        #expect(await recorder.values == [nil, "Bearer \(library.token)", nil, "Bearer \(shelf.token)"])
    }
}

/// A server behind a recorder of the requests' `Authorization` fields.
private actor AuthorizationRecorder: ForwardingTransport {
    let server: FakeServer
    /// The fields, in the order of the requests; nil for a request without one.
    private(set) var values: [String?] = []

    init(_ server: FakeServer) { self.server = server }

    func answer(to request: ClientRequest) async throws(TransportFailure) -> ClientAnswer {
        values.append(request.headers["Authorization"])
        return try await server.answer(to: request)
    }
}

@Suite("Tokens")
struct TokenStoreTests {
    private let job = JobID.random()

    @Test("a token file is readable only by its user, and a new store reads it")
    func file() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "tokens.json")
        let store = FileTokenStore(url: url)
        #expect(try await store.token(of: job) == nil)
        try await store.save("secret", of: job)
        try await store.save("newer", of: job)
        let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try await FileTokenStore(url: url).token(of: job) == "newer")
        try await store.remove(job)
        #expect(try await FileTokenStore(url: url).token(of: job) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["tokens.json"])
    }

    @Test("saving a token to a damaged file fails and does not overwrite the file")
    func damaged() async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: url) }
        try Data("{".utf8).write(to: url)
        let store = FileTokenStore(url: url)
        await #expect(throws: (any Error).self) { try await store.save("secret", of: job) }
        #expect(try Data(contentsOf: url) == Data("{".utf8))
    }

    @Test("all tokens can be deleted at once")
    func forgetting() async throws {
        let store = MemoryTokenStore()
        let other = JobID.random()
        for job in [job, other] { await store.save("a", of: job) }
        #expect(await store.token(of: other) == "a")
        await store.removeAll()
        #expect(await store.token(of: job) == nil)
        #expect(await store.token(of: other) == nil)
    }
}
