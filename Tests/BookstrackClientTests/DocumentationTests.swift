import BookstrackClient
import BookstrackClientTesting
import BookstrackContract
import Foundation
import Testing

/// The documentation's samples, which the compiler checks here. A test compares them with the pages.
@MainActor
private enum DocumentationSamples {
    static func gettingStarted(url: URL, folder: URL) async throws {
        let client = BookstrackClient(baseURL: url)
        let found = try await client.search(isbn: "9780441172719")
        for book in DTOMapper.records(found) { print(book.title, book.publicationYear ?? 0) }

        let job = try await client.startEnrichment(isbns: ["9780441172719", "9780547928227"])
        for try await event in client.events(of: job.jobId) {
            print(event.progress ?? 0, event.userMessage ?? "")
        }
        let results = try await client.results(of: job.jobId)
        let books = results.enrichedBooks.compactMap(DTOMapper.record)

        let stored = BookstrackClient(baseURL: url, tokens: FileTokenStore(url: folder.appending(path: "tokens.json")))

        let queue = try EnrichmentQueue(
            client: client, storage: FileQueueStorage(url: folder.appending(path: "queue.json"))
        ) {
            for row in $0.rows { print(row.title ?? "", row.success) }
        }
        queue.start()
        try queue.enqueue(isbns: ["9780441172719"])

        do {
            _ = try await client.search(isbn: "9780441172718")
        } catch {
            switch error.recovery {
            case .automatic: break
            case .retryButton: print(error.userMessage, "Retry")
            case .skipBook, .startAgain, .none: print(error.userMessage)
            }
        }
        _ = (books, stored)
    }

    static func importingAndScanning(
        client: BookstrackClient, queue: EnrichmentQueue, folder: URL, data: Data, photo: Data
    ) async throws {
        let file = try LibraryFile(contentsOf: folder.appending(path: "goodreads.csv"))
        let preview = try await client.preview(file: file)
        print(preview.totalRows, preview.source.format)
        let library = try await CSVImportService(client: client).importFile(file, then: queue)
        let imported = library.books.map(DTOMapper.record)

        let named = LibraryFile(name: "mine.csv", content: data, columns: ["Naam": .title, "3": .isbn])

        let shelf = try await BookshelfScannerService(client: client).scan([photo]) { event in
            if case .photos(let payload) = event.content { print(payload.totalBooksFound) }
        }
        let doubtful = shelf.books.map(DTOMapper.record).filter(\.needsReview)
        _ = (imported, named, doubtful)
    }

    static func migratingFromV1(client: BookstrackClient, job: JobID) async throws {
        let manager = WebSocketProgressManager(client: client)
        manager.connect(jobId: job) { event in
            if let progress = event.progress { print(Int(progress * 100), event.userMessage ?? "") }
        }

        let handler = GenericWebSocketHandler(
            client: client, jobId: job, pipeline: .csvImport,
            handlers: .init(
                onProgress: { print($0.progress ?? 0) }, onComplete: { print($0.processedCount) },
                onError: { print($0.userMessage) }))
        handler.connect()

        let coordinator = SyncCoordinator(client: client)
        try await coordinator.startEnrichmentWithWebSocket([BookQuery(title: "Dune", author: "Frank Herbert")])
        try await coordinator.cancelAll()
    }

    static func reconnecting(client: BookstrackClient, url: URL, job: JobID, lastSeq: inout Int) async throws {
        let events = client.events(of: job) { status in
            switch status {
            case .connecting(let transport): print("connecting via", transport)
            case .connected(let transport): print("connected via", transport)
            case .roundTrip(let time): print("round trip", time)
            case .received(let frame): print(frame)
            case .disconnected(let error, let pause): print(error.userMessage, "next attempt in", pause)
            }
        }
        for try await event in events { print(event.seq) }

        for try await event in client.events(of: job, from: .after(lastSeq)) { lastSeq = event.seq }

        var policy = FollowPolicy()
        policy.transports = [.eventStream, .polling]
        policy.longestPause = .seconds(10)
        let patient = BookstrackClient(baseURL: url, policy: policy)
        _ = patient

        policy.waitsForServer = false
        policy.attemptLimit = 20

        for try await event in client.events(of: job, followsResults: true) {
            if case .resultsUpdated(let update) = event.content { print(update.message) }
        }
    }

    static func testingYourApp() async throws {
        let server = FakeServer()
        await server.add(FakeBook(isbn: "9780441172719", title: "Dune", author: "Frank Herbert"))
        let client = BookstrackClient(transport: server, clock: TestClock(isInstant: true))
        let job = try await client.startEnrichment(isbns: ["9780441172719"])
        let end = try await client.events(of: job.jobId).last()

        await server.cut(everyFrames: 3)
        await server.refuse([.webSocket])
        await server.failNext(ClientAnswer(status: 503, headers: ["retry-after": "5"]))
        await server.setOffline(true)

        await server.setSteps(.manual)
        let slow = try await client.startEnrichment(isbns: ["9780441172719", "9780547928227"])
        await server.advance(slow.jobId)
        await server.fail(slow.jobId, .enrichmentFailed)
        _ = end
    }
}

@Suite("Documentation")
struct DocumentationTests {
    @Test("every sample in the documentation is compiled")
    func samples() throws {
        let source = Self.code(try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)[...])
        let catalog = URL(filePath: #filePath).appending(
            path: "../../../Shared/BookstrackClient/BookstrackClient.docc"
        ).standardizedFileURL
        var count = 0
        for page in try FileManager.default.contentsOfDirectory(at: catalog, includingPropertiesForKeys: nil) {
            let text = try String(contentsOf: page, encoding: .utf8)
            for block in text.components(separatedBy: "```swift\n").dropFirst() {
                let sample = block[..<(block.range(of: "```")?.lowerBound ?? block.endIndex)]
                count += 1
                #expect(source.contains(Self.code(sample)), "\(page.lastPathComponent): \(sample.prefix(80))")
            }
        }
        #expect(count >= 15)
    }

    /// The text without whitespace, since a formatter may change that.
    private static func code(_ text: Substring) -> String { String(text.filter { !$0.isWhitespace }) }
}
