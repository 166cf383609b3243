import BookstrackContract
import Foundation
import NIOCore
import NIOHTTP1
import ProgressClient
import SuiteFixture
import TestSupport
import Testing

/// Each generation of the app scans shelves according to its own code, against the real processes.
@Suite("Shipped apps that scan", .serialized)
struct ShippedScanTests {
    private static let options = SuiteFixture.Suite.Options(settings: [
        "BOOKSTRACK_GEMINI_API_KEY": "a-key", "BOOKSTRACK_LEGACY_TOKENLESS": "true",
    ])
    private static let titles = ["The Great Gatsby", "Jane Eyre", "A Tale of Two Cities"]

    @Test("the first generation opens its socket before the upload and reads the books from its last frame")
    func first() async throws {
        try await SuiteFixture.Suite.run(Self.options) { suite in
            let id = UUID().uuidString
            let socket = try await ProgressSocket.connect(to: suite.address, path: "/ws/progress?jobId=\(id)")
            for _ in 1...5 { try await socket.send(text: "PING") }
            _ = try await Self.upload(as: id, on: suite)
            let frames = try await Self.frames(of: socket)
            let ends = try frames.map { try JSONDecoder().decode(ShippedScans.First.self, from: $0) }
            let last = try #require(ends.last)
            #expect(last.data.currentStatus.contains("complete"))
            let result = try #require(last.data.result)
            #expect(result.books.map(\.title) == Self.titles)
            #expect(result.books.first?.enrichment?.apiData.title == Self.titles[0])
            #expect(result.totalDetected == result.approved + result.needsReview)
        }
    }

    @Test("the second generation reads the counts of the end, and the results at the address it names")
    func second() async throws {
        try await SuiteFixture.Suite.run(Self.options) { suite in
            let started = try await Self.upload(as: UUID().uuidString, on: suite)
            let socket = try await ProgressSocket.connect(
                to: suite.address, path: "/ws/progress?jobId=\(started.jobId)&token=\(started.token)")
            try await socket.send(text: #"{"type":"ready","timestamp":1700000000.25}"#)
            let frames = try await Self.frames(of: socket)
            let end = try JSONDecoder().decode(ContractFrame<ShippedScans.Second>.self, from: try #require(frames.last))
            #expect(end.payload.totalDetected == Self.titles.count)
            try await Self.expectResults(at: end.payload.resultsUrl, approved: end.payload.approved, on: suite)
        }
    }

    @Test("the third generation sends its token as a subprotocol and reads the job's results")
    func third() async throws {
        try await SuiteFixture.Suite.run(Self.options) { suite in
            let started = try await Self.upload(as: UUID().uuidString, on: suite)
            var options = SocketOptions()
            options.headers = ["Sec-WebSocket-Protocol": "bookstrack-auth.\(started.authToken)"]
            let socket = try await ProgressSocket.connect(
                to: suite.address, path: "/ws/progress?jobId=\(started.jobId)", options: options)
            try await socket.send(text: #"{"type":"ready"}"#)
            let frames = try await Self.frames(of: socket)
            let end = try JSONDecoder().decode(ContractFrame<ShippedApps.Third>.self, from: try #require(frames.last))
            guard case .scan = end.payload else {
                Issue.record("the end was read as that of an enrichment")
                return
            }
            try await Self.expectResults(at: "/v1/jobs/\(started.jobId)/results", approved: 2, on: suite)
        }
    }

    @Test("every generation watches several photos on a socket that sends nothing")
    func batch() async throws {
        try await SuiteFixture.Suite.run(Self.options) { suite in
            let id = JobID.random()
            let photos = (0..<2).map { SampleImage.jpeg.file + [UInt8($0)] }
            _ = try await BatchScanTests.start(BatchScanTests.json(photos, as: id), on: suite)
            let socket = try await ProgressSocket.connect(to: suite.address, path: APIPath.websocket(id))
            var (begun, found, books) = (0, 0, 0)
            for frame in try await Self.frames(of: socket) {
                switch try JSONDecoder().decode(ShippedScans.Batch.self, from: frame) {
                case .initialized(let photos): begun = photos
                case .progress(let total): found = total
                case .complete(let total): books = total
                case .other: break
                }
            }
            #expect(begun == 2)
            #expect(found == 2 * Self.titles.count)
            #expect(books == Self.titles.count)
        }
    }

    private static func upload(as id: String, on suite: SuiteFixture.Suite) async throws -> ShippedScans.Started {
        let answer = try await suite.http.send(
            HTTPCall(
                .POST, "/api/scan-bookshelf?jobId=\(id)", headers: ["Content-Type": "image/jpeg"],
                body: ByteBuffer(bytes: SampleImage.jpeg.file)))
        #expect(answer.status == 202)
        return try JSONDecoder().decode(ShippedScans.Started.self, from: Data(answer.body.readableBytesView))
    }

    private static func expectResults(at path: String, approved: Int, on suite: SuiteFixture.Suite) async throws {
        struct Answer: Decodable { let data: ShippedScans.Results }
        let answer = try await suite.http.send(HTTPCall(.GET, path))
        let results = try JSONDecoder().decode(Answer.self, from: Data(answer.body.readableBytesView)).data
        #expect(results.books.map(\.title) == titles)
        #expect(results.approved == approved)
        #expect(results.totalDetected == results.approved + results.needsReview)
        for enrichment in results.books.compactMap(\.enrichment) {
            #expect(enrichment.status == "success")
            #expect(!enrichment.editions.isEmpty && !enrichment.authors.isEmpty)
        }
        #expect(results.books.compactMap(\.enrichment).count == results.metadata.enrichedCount)
    }

    /// Every frame in JSON up to the terminal one, after which the app leaves.
    private static func frames(of socket: ProgressSocket) async throws -> [Data] {
        var frames: [Data] = []
        for await event in socket.events {
            guard let message = event.message, message.readableBytesView.first == UInt8(ascii: "{") else { continue }
            frames.append(Data(message.readableBytesView))
            let type = try JSONDecoder().decode(Kind.self, from: frames[frames.count - 1]).type
            if type == "job_complete" || type == "complete" { try? await socket.close() }
        }
        return frames
    }

    private struct Kind: Decodable { let type: String }
}
