import BookstrackContract
import Foundation
import NIOCore
import NIOHTTP1
import SuiteFixture
import TestSupport
import Testing
import WireClient

/// Each generation of the app, simulated by a client modeled on its source code, against the real processes.
@Suite("Shipped apps", .serialized)
struct ShippedAppTests {
    private static let books = [
        BookQuery(title: "Dune", author: "Frank Herbert", isbn: "9780441172719"),
        BookQuery(title: "The Great Gatsby", author: "F. Scott Fitzgerald", isbn: "9780743273565"),
        BookQuery(title: "A title that nobody ever gave a book zzqx", author: "Nobody Atall"),
    ]
    private static let found = ["Dune", "The Great Gatsby"]
    /// The maximum number of books that a shipped app sends in one batch.
    private static let maxBooks = 100

    @Test("every shipped generation of the app receives its enriched books")
    func enrichment() async throws {
        try await SuiteFixture.Suite.run(.init(settings: ["BOOKSTRACK_LEGACY_TOKENLESS": "true"])) { suite in
            let first = try await Self.first(suite, Self.books)
            #expect(first == Self.found)
            let second = try await Self.second(suite, Self.books)
            #expect(second == Self.found)
            let third = try await Self.third(suite, Self.books)
            #expect(third == Self.found)
        }
    }

    @Test("the largest batch that an app can start is returned completely to each generation")
    func largest() async throws {
        let isbns = try await SyntheticBooks.isbns(Self.maxBooks)
        let books = isbns.map { BookQuery(title: "Row of \($0)", isbn: $0) }
        let options = SuiteFixture.Suite.Options(
            settings: ["BOOKSTRACK_LEGACY_TOKENLESS": "true"],
            emulatorArguments: ["--synthetic", "\(Self.maxBooks)"])
        try await SuiteFixture.Suite.run(options) { suite in
            let first = try await Self.first(suite, books)
            let second = try await Self.second(suite, books)
            let third = try await Self.third(suite, books)
            #expect(first.count == Self.maxBooks)
            #expect(second == first)
            #expect(third == first)
        }
    }

    /// October: opens its socket without a token before the job exists, and reads the results from flat frames.
    private static func first(_ suite: SuiteFixture.Suite, _ books: [BookQuery]) async throws -> [String] {
        let id = UUID().uuidString
        let socket = try await ProgressSocket.connect(to: suite.address, path: "/ws/progress?jobId=\(id)")
        _ = try await start(suite, "/api/enrichment/start", id: id, books)
        let frames = try await frames(of: socket)
        for frame in frames { _ = try JSONDecoder().decode(ArchitectureMessageV1.self, from: frame) }
        let end = try JSONDecoder().decode(ShippedApps.First.self, from: try #require(frames.last))
        #expect(end.type == "complete")
        #expect(end.data.processedItems == books.count)
        return end.data.enrichedWorks.map(\.title)
    }

    /// Mid-November: sends its version and `ready`, and reads the books from the completion.
    private static func second(_ suite: SuiteFixture.Suite, _ books: [BookQuery]) async throws -> [String] {
        let job = try await start(
            suite, "/v1/enrichment/batch", id: UUID().uuidString, books, headers: ["X-Client-Version": "ios-2.0.0"])
        let socket = try await ProgressSocket.connect(
            to: suite.address, path: "/ws/progress?jobId=\(job.jobId)&token=\(job.token)")
        try await socket.send(text: #"{"type":"ready"}"#)
        let frames = try await frames(of: socket)
        let end = try JSONDecoder().decode(ContractFrame<ShippedApps.Second>.self, from: try #require(frames.last))
        guard case .enrichment(let rows) = end.payload else { return [] }
        #expect(try #require(frames.last).count < 1 << 20)
        #expect(rows.map(\.title) == books.map(\.title))
        return rows.compactMap { $0.enriched?.work.title }
    }

    /// Late November: sends its token as a subprotocol, and fetches the results named in the completion's summary.
    private static func third(_ suite: SuiteFixture.Suite, _ books: [BookQuery]) async throws -> [String] {
        let job = try await start(
            suite, "/v1/enrichment/batch", id: UUID().uuidString, books, headers: ["X-Client-Version": "ios-3.0.0"])
        let offered = "bookstrack-auth.\(job.token)"
        let socket = try await ProgressSocket.connect(
            to: suite.address, path: "/ws/progress?jobId=\(job.jobId)",
            headers: ["Sec-WebSocket-Protocol": offered])
        #expect(socket.upgrade.headers["Sec-WebSocket-Protocol"] == [offered])
        try await socket.send(text: #"{"type":"ready"}"#)
        let frames = try await frames(of: socket)
        let end = try JSONDecoder().decode(ContractFrame<ShippedApps.Third>.self, from: try #require(frames.last))
        guard case .enrichment(let resourceId) = end.payload else { return [] }
        #expect(resourceId == "job-results:\(job.jobId)")
        struct Results: Decodable {
            struct Content: Decodable { let enrichedBooks: [ShippedApps.Book] }
            let data: Content
        }
        let answer = try await suite.http.send(HTTPCall(.GET, "/v1/jobs/\(job.jobId)/results"))
        let results = try JSONDecoder().decode(Results.self, from: Data(answer.body.readableBytesView))
        return results.data.enrichedBooks.compactMap { $0.enriched?.work.title }
    }

    private struct Started: Decodable {
        let jobId: String
        let token: String
    }

    private struct Start: Encodable {
        let jobId: String
        let books: [BookQuery]
    }

    private struct Answer: Decodable { let data: Started }

    private static func start(
        _ suite: SuiteFixture.Suite, _ path: String, id: String, _ books: [BookQuery], headers: HTTPHeaders = [:]
    ) async throws -> Started {
        var headers = headers
        headers.add(name: "Content-Type", value: "application/json")
        let body = ByteBuffer(bytes: try JSONEncoder().encode(Start(jobId: id, books: books)))
        let answer = try await suite.http.send(HTTPCall(.POST, path, headers: headers, body: body))
        return try JSONDecoder().decode(Answer.self, from: Data(answer.body.readableBytesView)).data
    }

    /// Every text frame until the server closes the socket with code 1000.
    private static func frames(of socket: ProgressSocket) async throws -> [Data] {
        var frames: [Data] = []
        for await event in socket.events {
            if let message = event.message { frames.append(Data(message.readableBytesView)) }
            if case .closed(let code) = event.kind { #expect(code == 1000) }
        }
        return frames
    }
}
