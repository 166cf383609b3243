import BookstrackContract
import Foundation
import NIOCore
import NIOHTTP1
import SuiteFixture
import TestSupport
import Testing
import WireClient

/// The ends of scans, as each shipped generation of the app receives them and as the documents describe them.
@Suite("How scans end in shipped apps", .serialized)
struct ScanEndingTests {
    private static let options = SuiteFixture.Suite.Options(settings: ScanningApp.settings)
    private static let slow = SuiteFixture.Suite.Options(
        settings: ScanningApp.settings, emulatorArguments: ScanningApp.slowEngine)
    private static let declining = #"[{"provider":"gemini","kind":"finish","reason":"RECITATION"}]"#
    private static let seeingNothing = #"[{"provider":"gemini","kind":"answers","text":"{\"books\":[]}"}]"#
    private static let hanging = #"[{"provider":"gemini","kind":"hang"}]"#

    // MARK: One photo

    @Test(
        "a scan that the engine declines or that finds no books ends with a status that every app generation reads as a failure",
        arguments: [
            (declining, "E_GEMINI_API_ERROR", "RECITATION"), (seeingNothing, "E_NO_BOOKS_DETECTED", "No books found"),
        ])
    func failed(fault: String, code: String, words: String) async throws {
        try await SuiteFixture.Suite.run(Self.slow) { suite in
            try await suite.emulator.setFaults(fault)
            for app in ScanningApp.allCases {
                let (started, session) = try await app.scan(on: suite)
                let statuses = try Self.statuses(of: session, in: app)
                #expect(statuses.dropLast().allSatisfy(StatusText.isNeutral))
                #expect(statuses.last?.hasPrefix("Scan failed (error): ") == true)
                #expect(statuses.last?.contains(words) == true)
                #expect(session.closeCode == 1011)
                if app != .first { try Self.expectFailure(try #require(session.frames.last), code) }
                try await Self.expectNoResults(of: started.jobId, on: suite)
            }
        }
    }

    @Test("a cancellation without a token ends a scan for every generation of apps, and the photo is deleted")
    func cancelled() async throws {
        try await SuiteFixture.Suite.run(Self.options) { suite in
            try await suite.emulator.setFaults(Self.hanging)
            for app in ScanningApp.allCases {
                let (started, session) = try await app.scan(on: suite) { started in
                    let outcome = try await Self.cancel(started.jobId, on: suite)
                    #expect(outcome.cleanup.r2ObjectsDeleted == 1)
                    #expect(!outcome.cleanup.kvCacheCleared)
                }
                #expect(try Self.statuses(of: session, in: app).last == "job_cancelled")
                #expect(session.closeCode == 1001)
                try await Self.expectNoResults(of: started.jobId, on: suite)
                let folder = "\(suite.dataDirectory)/uploads/\(started.jobId)"
                #expect(!FileManager.default.fileExists(atPath: folder))
            }
        }
    }

    /// The status texts of a single scan, as one generation of apps reads them.
    private static func statuses(of session: ScanningApp.Session, in app: ScanningApp) throws -> [String] {
        switch app {
        case .first: try session.decoded(as: ArchitectureMessageV1.self).map(\.data.currentStatus)
        case .second: try session.decoded(as: WebSocketMessageV2.self).compactMap(\.payload.status)
        case .third:
            try zip(session.types, session.frames).filter { $0.0 == "job_progress" }.map { _, frame in
                try JSONDecoder().decode(ContractFrame<ContractPayload.JobProgress>.self, from: frame).payload.status
            }
        }
    }

    /// Checks the last frame, decoded with the structures in the migration guide, in the contract, and in the
    /// contract's second phase.
    private static func expectFailure(_ frame: Data, _ code: String) throws {
        let guide = try JSONDecoder().decode(WebSocketMessageV2.self, from: frame)
        #expect(guide.type == "error")
        #expect(guide.payload.error?.code == "AI_SCAN_ERROR")
        let contract = try JSONDecoder().decode(ContractFrame<ContractPayload.Failure>.self, from: frame)
        #expect(contract.pipeline == "ai_scan")
        #expect(contract.payload.code == code)
        // The third generation would reconnect forever if the frame were retryable.
        #expect(!contract.payload.retryable)
        let newest = try JSONDecoder().decode(ContractFrame<PhaseTwoPayload.Failure>.self, from: frame)
        #expect(newest.payload.userMessage == contract.payload.message)
        #expect(newest.payload.details.successCount == 0)
    }

    // MARK: Several photos

    @Test("if every photo fails, every generation of apps sees the batch end, and the last frame is an error")
    func failedBatch() async throws {
        let session = try await Self.watch(Self.declining)
        let results = try #require(try session.end)
        #expect(results.totalBooks == 0)
        #expect(results.photoResults.map(\.status) == ["error", "error"])
        #expect(results.photoResults.map(\.photoIndex) == [0, 1])
        #expect(session.types.suffix(3) == ["batch-complete", "job_progress", "error"])
        try Self.expectFailure(try #require(session.frames.last), "BATCH_SCAN_ERROR")
        #expect(session.closeCode == 1011)
        let states = try session.progress.flatMap(\.photos)
        #expect(states.contains { $0.status == "error" && $0.error?.contains("RECITATION") == true })
    }

    @Test("a batch with no books ends like any other batch")
    func emptyBatch() async throws {
        let session = try await Self.watch(Self.seeingNothing)
        let results = try #require(try session.end)
        #expect(results.totalBooks == 0)
        #expect(results.books.isEmpty)
        #expect(results.photoResults.map(\.status) == ["success", "success"])
        #expect(session.types.suffix(2) == ["batch-complete", "job_complete"])
        let end = try JSONDecoder().decode(
            ContractFrame<DocumentedScans.Complete>.self, from: try #require(session.frames.last))
        #expect(end.payload.totalDetected == 0)
        #expect(try session.progress.last?.photos.map(\.status) == ["complete", "complete"])
    }

    @Test("a batch with an unreadable photo continues and reports which photo was unreadable")
    func halfABatch() async throws {
        try await SuiteFixture.Suite.run(Self.slow) { suite in
            let photos = [SampleImage.jpeg.file, Array(SampleImage.jpeg.file[..<24])]
            let (_, session) = try await Self.scan(photos, on: suite)
            let results = try #require(try session.end)
            #expect(results.photoResults.map(\.status) == ["success", "error"])
            #expect(results.photoResults.map(\.booksFound) == [3, 0])
            #expect(results.books.count == 3)
            let last = try #require(try session.progress.last)
            #expect(last.currentPhoto == 1)
            #expect(last.photoStatus == "error")
            #expect(last.totalBooksFound == 3)
            #expect(last.photos.last?.error?.contains("damaged") == true)
        }
    }

    @Test(
        "a batch can be cancelled by a message on its socket or by a request without a token", arguments: [true, false])
    func cancelledBatch(bySocket: Bool) async throws {
        try await SuiteFixture.Suite.run(Self.options) { suite in
            try await suite.emulator.setFaults(Self.hanging)
            let (id, session) = try await Self.scan(Self.photos, on: suite) { id, socket in
                if bySocket {
                    try await socket.send(text: #"{"type":"cancel_batch"}"#)
                } else {
                    #expect(try await Self.cancel(id.text, on: suite).cleanup.r2ObjectsDeleted == 2)
                }
            }
            #expect(session.types.last == "batch-canceling")
            guard case .canceling? = try session.batchFrames.last else {
                Issue.record("the last frame was not decoded as that of a cancelled batch")
                return
            }
            #expect(session.closeCode == 1001)
            try await Self.expectNoResults(of: id.text, on: suite)
            #expect(!FileManager.default.fileExists(atPath: "\(suite.dataDirectory)/uploads/\(id)"))
        }
    }

    // MARK: The documents

    @Test("a scan that finds books sends the documented frames and responses")
    func documented() async throws {
        try await SuiteFixture.Suite.run(Self.options) { suite in
            let (started, session) = try await ScanningApp.second.scan(on: suite)
            _ = try session.decoded(as: WebSocketMessageV2.self)
            let end = try JSONDecoder().decode(
                ContractFrame<DocumentedScans.Complete>.self, from: try #require(session.frames.last)
            ).payload
            #expect(end.resultsUrl == "/v1/scan/results/\(started.jobId)")
            let answer = try await suite.http.send(HTTPCall(.GET, end.resultsUrl))
            let results = try JSONDecoder().decode(
                DocumentedScans.Results.self, from: Data(answer.body.readableBytesView))
            #expect(results.metadata.cached)
            #expect(results.metadata.provider == "kv_cache")
            #expect(results.data.totalDetected == end.totalDetected)
            #expect(results.data.books.map(\.enrichmentStatus) == ["success", "success", "success"])
            #expect(results.data.books.compactMap(\.enrichment).allSatisfy { !$0.editions.isEmpty })
            #expect(results.data.books.map(\.boundingBox.width) == [0.22, 0.235, 0.285])
            #expect(results.data.metadata.modelUsed == end.metadata.modelUsed)
        }
    }

    @Test("every frame of a batch that finds books matches the documentation")
    func documentedBatch() async throws {
        try await SuiteFixture.Suite.run(Self.slow) { suite in
            let (_, session) = try await Self.scan(Self.photos, on: suite)
            guard case .initialized(let photos, let status)? = try session.batchFrames.first else {
                Issue.record("the first photo frame was not batch-init")
                return
            }
            #expect(photos == 2)
            #expect(status == "processing")
            for progress in try session.progress { #expect(progress.totalPhotos == 2) }
            let end = try #require(try session.end)
            #expect(end.totalBooks == 3)
            #expect(end.books.count == 3)
            #expect(end.photoResults.map(\.status) == ["success", "success"])
        }
    }

    /// Two different photos.
    private static let photos = (0..<2).map { SampleImage.jpeg.file + [UInt8($0)] }

    /// Scans two photos while Gemini has a fault.
    private static func watch(_ fault: String) async throws -> ScanningApp.Session {
        try await SuiteFixture.Suite.run(slow) { suite in
            try await suite.emulator.setFaults(fault)
            return try await scan(photos, on: suite).1
        }
    }

    /// Scans several photos as every generation does, on a socket that has no token and sends nothing.
    private static func scan(
        _ photos: [[UInt8]], on suite: SuiteFixture.Suite,
        meanwhile: (JobID, ProgressSocket) async throws -> Void = { _, _ in }
    ) async throws -> (JobID, ScanningApp.Session) {
        let id = JobID.random()
        _ = try await BatchScanTests.start(BatchScanTests.json(photos, as: id), on: suite)
        let socket = try await ProgressSocket.connect(to: suite.address, path: APIPath.websocket(id))
        try await meanwhile(id, socket)
        let session = try await ScanningApp.Session(socket)
        _ = try session.decoded(as: ShippedScans.BatchFrame.self)
        return (id, session)
    }

    private struct Cancelled: Decodable {
        /// The members that the third generation requires.
        struct Cleanup: Decodable {
            let r2ObjectsDeleted: Int
            let kvCacheCleared: Bool
        }

        let cleanup: Cleanup
    }

    /// Cancels as every generation does, without a token.
    private static func cancel(_ job: String, on suite: SuiteFixture.Suite) async throws -> Cancelled {
        struct Answer: Decodable { let data: Cancelled }
        let answer = try await suite.http.send(
            HTTPCall(
                .POST, "/api/scan-bookshelf/cancel", headers: ["Content-Type": "application/json"],
                body: ByteBuffer(string: #"{"jobId":"\#(job)"}"#)))
        return try JSONDecoder().decode(Answer.self, from: Data(answer.body.readableBytesView)).data
    }

    private static func expectNoResults(of job: String, on suite: SuiteFixture.Suite) async throws {
        for path in ["/v1/scan/results/\(job)", "/v1/jobs/\(job)/results"] {
            let answer = try await suite.http.send(HTTPCall(.GET, path))
            #expect(answer.status == 404)
            let failure = try JSONDecoder().decode(
                DocumentedScans.NotFound.self, from: Data(answer.body.readableBytesView)
            ).error
            #expect(failure.code == "NOT_FOUND")
            #expect(failure.details.jobId == job)
        }
    }
}

extension ScanningApp.Session {
    /// The content of the frames that only batches have, as the contract describes it.
    fileprivate var batchFrames: [DocumentedScans.BatchContent] {
        get throws {
            try zip(types, frames).filter { $0.0.hasPrefix("batch-") }.map { _, frame in
                try JSONDecoder().decode(DocumentedScans.BatchFrame.self, from: frame).data
            }
        }
    }

    fileprivate var progress: [DocumentedScans.BatchContent.Progress] {
        get throws {
            try batchFrames.compactMap { content in
                if case .progress(let progress) = content { progress } else { nil }
            }
        }
    }

    /// The content of the `batch-complete` frame.
    fileprivate var end: DocumentedScans.BatchContent.Complete? {
        get throws {
            try batchFrames.lazy.compactMap { content in
                if case .complete(let end) = content { end } else { nil }
            }.first
        }
    }
}
