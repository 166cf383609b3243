import BookstrackClient
import BookstrackClientTesting
import BookstrackContract
import Foundation
import TestSupport
import Testing

/// A queue of books whose server, clock and storage are in memory.
@MainActor
struct QueueRig {
    static let start = Date(timeIntervalSince1970: 1_763_294_400)

    /// The rows that an app has stored; they survive restarts of its queue.
    final class Library {
        var rows: [EnrichedBook] = []
        var improvements = 0

        func keys(_ isMeant: (EnrichedBook) -> Bool = { _ in true }) -> [String] {
            rows.filter(isMeant).compactMap(\.isbn)
        }
    }

    let server = FakeServer()
    let clock = TestClock(date: start, isInstant: true)
    let storage = MemoryStorage()
    let library = Library()

    static func isbn(_ number: Int) -> String { "978000000\(1_000 + number)" }

    func books(_ count: Int, failure: ItemErrorCode? = nil) async {
        for number in 0..<count {
            await server.add(
                FakeBook(isbn: Self.isbn(number), title: "Book \(number)", author: "Author", failure: failure))
        }
    }

    func queue(_ transport: (any ClientTransport)? = nil) throws -> EnrichmentQueue {
        let client = BookstrackClient(transport: transport ?? server, clock: clock)
        return try EnrichmentQueue(client: client, storage: storage) { [library] delivery in
            library.rows += delivery.rows
            if delivery.isImprovement { library.improvements += 1 }
        }
    }

    /// Starts the queue with this many books, and waits until their job is watched. The job does not advance by itself.
    func watchedJob(of queue: EnrichmentQueue, books: Int = 1) async throws -> JobID {
        await server.setSteps(.manual)
        try queue.enqueue(isbns: (0..<books).map(Self.isbn))
        queue.start()
        try await until { await server.hasWebSocket }
        return try #require(queue.currentJobId)
    }

    /// Waits until `isDone` returns true, then stops the queue.
    func drain(_ queue: EnrichmentQueue, _ isDone: () -> Bool) async throws {
        try await until { isDone() }
        queue.stop()
    }
}

/// A server behind a proxy that answers one request for results with an error page.
actor ErrorPage: ForwardingTransport {
    static let results = "/v1/enrichment/results/"

    let server: FakeServer
    private let failing: Int
    private var reads = 0

    /// The request for results with the number `failing`, counted from 1, does not reach the server.
    init(inPlaceOfRead failing: Int, from server: FakeServer) {
        self.failing = failing
        self.server = server
    }

    func answer(to request: ClientRequest) async throws(TransportFailure) -> ClientAnswer {
        if request.target.hasPrefix(Self.results) {
            reads += 1
            if reads == failing { return ClientAnswer(status: 404, body: Data("<html>".utf8)) }
        }
        return try await server.answer(to: request)
    }
}

/// A server that refuses every job with a certain title.
struct PickyServer: ForwardingTransport {
    static let title = "An unacceptable title"

    static let refusal =
        #"{"error":{"message":"m","code":"INVALID_REQUEST","retryable":false,"statusCode":400}}"#

    let server: FakeServer

    func answer(to request: ClientRequest) async throws(TransportFailure) -> ClientAnswer {
        if request.body?.firstRange(of: Data(Self.title.utf8)) != nil {
            return ClientAnswer(status: 400, body: Data(Self.refusal.utf8))
        }
        return try await server.answer(to: request)
    }
}
