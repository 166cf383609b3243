import BookstrackContract
import Foundation
import NIOCore
import NIOHTTP1
import SuiteFixture
import TestSupport
import Testing
import WireClient

/// Each generation of the app, simulated by ``ScanningApp``, scans shelves with the real processes.
@Suite("Scans by shipped apps", .serialized)
struct ShippedScanTests {
    private static let options = SuiteFixture.Suite.Options(settings: ScanningApp.settings)
    private static let titles = ["The Great Gatsby", "Jane Eyre", "A Tale of Two Cities"]

    @Test("the first generation of apps opens its socket before the upload and reads the books from its last frame")
    func first() async throws {
        try await SuiteFixture.Suite.run(Self.options) { suite in
            let (_, session) = try await ScanningApp.first.scan(on: suite)
            let last = try #require(try session.decoded(as: ShippedScans.First.self).last)
            #expect(last.data.currentStatus.contains("complete"))
            let result = try #require(last.data.result)
            #expect(result.books.map(\.title) == Self.titles)
            #expect(result.books.first?.enrichment?.apiData.title == Self.titles[0])
            #expect(result.totalDetected == result.approved + result.needsReview)
        }
    }

    @Test(
        "the second generation of apps reads the counts from the last frame, and the results from the URL in that frame"
    )
    func second() async throws {
        try await SuiteFixture.Suite.run(Self.options) { suite in
            let (_, session) = try await ScanningApp.second.scan(on: suite)
            let end = try JSONDecoder().decode(
                ContractFrame<ShippedScans.Second>.self, from: try #require(session.frames.last))
            #expect(end.payload.totalDetected == Self.titles.count)
            try await Self.expectResults(at: end.payload.resultsUrl, approved: end.payload.approved, on: suite)
        }
    }

    @Test("the third generation of apps sends its token as a subprotocol and reads the job's results")
    func third() async throws {
        try await SuiteFixture.Suite.run(Self.options) { suite in
            let (started, session) = try await ScanningApp.third.scan(on: suite)
            let end = try JSONDecoder().decode(
                ContractFrame<ShippedApps.Third>.self, from: try #require(session.frames.last))
            guard case .scan = end.payload else {
                Issue.record("the scan's end was decoded as an enrichment's")
                return
            }
            try await Self.expectResults(at: "/v1/jobs/\(started.jobId)/results", approved: 2, on: suite)
        }
    }

    @Test("every generation of apps can watch a scan of several photos without sending anything on the socket")
    func batch() async throws {
        let options = SuiteFixture.Suite.Options(
            settings: ScanningApp.settings, emulatorArguments: ScanningApp.slowEngine)
        try await SuiteFixture.Suite.run(options) { suite in
            let id = JobID.random()
            let photos = (0..<2).map { SampleImage.jpeg.file + [UInt8($0)] }
            _ = try await BatchScanTests.start(BatchScanTests.json(photos, as: id), on: suite)
            let socket = try await ProgressSocket.connect(to: suite.address, path: APIPath.websocket(id))
            var (begun, found, books) = (0, 0, 0)
            for frame in try await ScanningApp.Session(socket).decoded(as: ShippedScans.BatchFrame.self) {
                switch frame.content {
                case .initialized(let photos): begun = photos
                case .progress(let total): found = total
                case .complete(let total): books = total
                case .other: break
                }
            }
            #expect(begun == 2)
            #expect(found == Self.titles.count)
            #expect(books == Self.titles.count)
        }
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
            #expect(!enrichment.editions.isEmpty)
            #expect(!enrichment.authors.isEmpty)
        }
        #expect(results.books.compactMap(\.enrichment).count == results.metadata.enrichedCount)
    }
}
