import BookstrackContract
import Foundation
import NIOCore
import NIOHTTP1
import SuiteFixture
import TestSupport
import Testing
import WireClient

@Suite("Scanning a shelf", .serialized)
struct ScanTests {
    private static let engine = ["BOOKSTRACK_GEMINI_API_KEY": "a-key"]

    /// Starts a scan of one photo.
    static func start(
        _ photo: [UInt8] = SampleImage.jpeg.file, as jobId: JobID = .random(), on suite: SuiteFixture.Suite
    ) async throws -> StartedScan {
        try await suite.api.answer(
            to: HTTPCall(
                .POST, "/api/scan-bookshelf?jobId=\(jobId)", headers: ["Content-Type": "image/jpeg"],
                body: ByteBuffer(bytes: photo)))
    }

    @Test("a photo becomes books, which are approved if the engine is confident and the match is verified")
    func single() async throws {
        try await SuiteFixture.Suite.run(.init(settings: Self.engine)) { suite in
            let started = try await Self.start(on: suite)
            #expect(started.stages.count == 3)
            var watcher = Watcher(suite, started)
            try await watcher.watch()
            guard case .completed(let payload)? = watcher.endings.first else {
                Issue.record("the scan ended with \(watcher.endings)")
                return
            }
            #expect(payload.totalDetected == 3)
            #expect(payload.approved == 2)
            #expect(payload.metadata?.modelUsed == "gemini-3.5-flash-lite")
            #expect(watcher.numberingFaults == [])
            let results = try await suite.api.scanResults(of: started.jobId)
            #expect(results.books.map(\.title) == ["The Great Gatsby", "Jane Eyre", "A Tale of Two Cities"])
            #expect(results.books.map(\.reviewStatus) == [.verified, .verified, .needsReview])
            #expect(results.books.first?.enrichment?.work.contributors?.contains(.gemini) == true)
            #expect(results.books.first?.enrichment?.editions.isEmpty == false)
            #expect(results.photos.map(\.status) == [.complete])
            #expect(results.photos.first?.engine == "gemini")
            #expect(results.metadata.enrichedCount == 3)
        }
    }

    @Test("after a scan, the photo can be fetched only with the job's token, and it contains no private metadata")
    func photo() async throws {
        try await SuiteFixture.Suite.run(.init(settings: Self.engine)) { suite in
            let started = try await Self.start(on: suite)
            var watcher = Watcher(suite, started)
            try await watcher.watch()
            let path = APIPath.scanPhoto(started.jobId, 0)
            let answer = try await suite.api.http.send(
                HTTPCall(.GET, path, headers: ["Authorization": "Bearer \(started.token)"]))
            #expect(answer.status == 200)
            for secret in SampleImage.secrets {
                #expect(answer.body.readableBytesView.firstRange(of: Array(secret.utf8)) == nil)
            }
            #expect(try await suite.api.http.send(HTTPCall(.GET, path)).status == 401)
        }
    }

    @Test("the scan of a photo without books ends with an error that states this")
    func empty() async throws {
        try await SuiteFixture.Suite.run(.init(settings: Self.engine)) { suite in
            try await suite.emulator.setFaults(#"[{"provider":"gemini","kind":"answers","text":"{\"books\":[]}"}]"#)
            let started = try await Self.start(on: suite)
            var watcher = Watcher(suite, started)
            try await watcher.watch()
            guard case .failed(let payload)? = watcher.endings.first else {
                Issue.record("the scan ended with \(watcher.endings)")
                return
            }
            #expect(payload.code == .noBooksDetected)
            #expect(watcher.connections.last?.closeCode == 1011)
        }
    }

    @Test("if no engine is configured, a photo is refused before it is read")
    func noEngine() async throws {
        try await SuiteFixture.Suite.run { suite in
            let answer = try await suite.http.send(
                HTTPCall(.POST, "/v1/scan", headers: ["Content-Type": "image/jpeg"], body: ByteBuffer(string: "x")))
            #expect(answer.status == 503)
            #expect(String(buffer: answer.body).contains("SCANNER_UNAVAILABLE"))
        }
    }

    @Test("the same photo and jobId return the same job; another photo, or a file that is not a photo, is refused")
    func repeated() async throws {
        try await SuiteFixture.Suite.run(.init(settings: Self.engine)) { suite in
            let id = JobID.random()
            let first = try await Self.start(as: id, on: suite)
            let second = try await Self.start(as: id, on: suite)
            #expect(first.jobId == second.jobId)
            await #expect(throws: (any Error).self) { try await Self.start(SampleImage.png.file, as: id, on: suite) }
            await #expect(throws: (any Error).self) { try await Self.start(Array("Title".utf8), on: suite) }
        }
    }
}

@Suite("Scanning several photos, and scanning on the command line", .serialized)
struct BatchScanTests {
    private static let engine = ["BOOKSTRACK_GEMINI_API_KEY": "a-key"]
    private static let slow = SuiteFixture.Suite.Options(
        settings: engine, emulatorArguments: ScanningApp.slowEngine)

    /// `count` different photos.
    private static func photos(_ count: Int) -> [[UInt8]] {
        (0..<count).map { SampleImage.jpeg.file + [UInt8(truncatingIfNeeded: $0)] }
    }

    static func json(_ photos: [[UInt8]], as jobId: JobID) -> ByteBuffer {
        let images = photos.enumerated().map { number, photo in
            "{\"index\":\(number),\"data\":\"\(Data(photo).base64EncodedString())\"}"
        }
        return ByteBuffer(string: "{\"jobId\":\"\(jobId)\",\"images\":[\(images.joined(separator: ","))]}")
    }

    static func start(
        _ body: ByteBuffer, type: String = "application/json", on suite: SuiteFixture.Suite
    ) async throws -> StartedBatchScan {
        try await suite.api.answer(
            to: HTTPCall(.POST, "/api/scan-bookshelf/batch", headers: ["Content-Type": type], body: body))
    }

    @Test(
        "a shipped app can watch a batch without a token from start to end, and books on several photos are counted once"
    )
    func json() async throws {
        try await SuiteFixture.Suite.run(Self.slow) { suite in
            let id = JobID.random()
            let started = try await Self.start(Self.json(Self.photos(3), as: id), on: suite)
            #expect(started.jobId == id)
            #expect(started.totalPhotos == 3)
            let socket = try await ProgressSocket.connect(to: suite.address, path: APIPath.websocket(id))
            var types: [String] = []
            for await event in socket.events {
                guard let message = event.message else { continue }
                let frame = try JSONSerialization.jsonObject(with: Data(message.readableBytesView)) as? [String: Any]
                let type = try #require(frame?["type"] as? String)
                types.append(type)
                guard type.hasPrefix("batch-") else {
                    if type == "job_complete" { try? await socket.close() }
                    continue
                }
                let content = try #require(frame?["data"] as? [String: Any])
                #expect(content["type"] as? String == type)
                #expect((frame?["payload"] as? [String: Any])?.keys.sorted() == content.keys.sorted())
                if type == "batch-complete" {
                    #expect(frame?["totalBooks"] as? Int == 3)
                    #expect((content["books"] as? [Any])?.count == 3)
                    #expect((content["photoResults"] as? [Any])?.count == 3)
                }
            }
            #expect(types.first == "job_started")
            #expect(types.contains("batch-init"))
            #expect(types.contains("batch-progress"))
            #expect(types.filter { $0 != "job_progress" }.suffix(2) == ["batch-complete", "job_complete"])
            let results = try await suite.api.scanResults(of: id)
            #expect(results.totalDetected == 3)
            #expect(results.photos.map(\.booksFound) == [3, 3, 3])
        }
    }

    @Test("a form with several photos is one scan, and six photos are too many")
    func form() async throws {
        try await SuiteFixture.Suite.run(.init(settings: Self.engine)) { suite in
            func form(_ count: Int) -> ByteBuffer {
                var body = ByteBuffer()
                for photo in Self.photos(count) {
                    body.writeString(
                        "--b\r\nContent-Disposition: form-data; name=\"photos[]\"; filename=\"a.jpg\"\r\n\r\n")
                    body.writeBytes(photo)
                    body.writeString("\r\n")
                }
                body.writeString("--b--\r\n")
                return body
            }
            let type = "multipart/form-data; boundary=b"
            let started = try await Self.start(form(2), type: type, on: suite)
            #expect(started.totalPhotos == 2)
            let refused = try await suite.http.send(
                HTTPCall(.POST, "/v1/scan/batch", headers: ["Content-Type": type], body: form(6)))
            #expect(refused.status == 400)
            #expect(String(buffer: refused.body).contains("BATCH_TOO_LARGE"))
        }
    }

    @Test("a cancelled batch reports its cancellation, discards its photos, and has no results")
    func cancelled() async throws {
        let options = SuiteFixture.Suite.Options(settings: Self.engine, emulatorArguments: ["--latency", "400"])
        try await SuiteFixture.Suite.run(options) { suite in
            let id = JobID.random()
            let started = try await Self.start(Self.json(Self.photos(3), as: id), on: suite)
            let outcome = try await suite.api.cancel(id, token: started.token)
            #expect(outcome.cleanup.uploadsDeleted == 3)
            var watcher = Watcher(suite, started)
            try await watcher.watch()
            #expect(watcher.endings == [.cancelled])
            #expect(watcher.connections.last?.closeCode == 1001)
            await #expect(throws: (any Error).self) { try await suite.api.scanResults(of: id) }
        }
    }

    @Test("the command line shows approved books and books to review, and draws their boxes")
    func commandLine() async throws {
        try await SuiteFixture.Suite.run(.init(settings: Self.engine)) { suite in
            let file = suite.directory.appending(path: "shelf.jpg")
            try Data(SampleImage.jpeg.file).write(to: file)
            let folder = suite.directory.appending(path: "boxes").path
            let run = try suite.terminal(["scan", file.path, "--annotate", folder, "--no-pager"])
            #expect(try await run.exitStatus() == 1)
            #expect(run.written.contains("Approved (2):"))
            #expect(run.written.contains("To review (1):"))
            #expect(run.written.contains("3 books in 1 photo: 2 approved, 1 to review."))
            let svg = try String(contentsOfFile: folder + "/shelf.svg", encoding: .utf8)
            #expect(svg.contains("<title>2: Jane Eyre, Charlotte Brontë</title>"))
            let json = try await suite.bookstrack("scan", file.path, "--json")
            let results = try JSONDecoder().decode(ScanResults.self, from: Data(json.output.utf8))
            #expect(results.totalDetected == 3)
            let again = try await suite.bookstrack("results", results.jobId.text)
            #expect(again.output.contains("2 approved, 1 to review."))
        }
    }

    @Test("if no engine is configured, the command line explains what the server needs")
    func commandLineWithoutEngine() async throws {
        try await SuiteFixture.Suite.run { suite in
            let file = suite.directory.appending(path: "shelf.jpg")
            try Data(SampleImage.jpeg.file).write(to: file)
            let run = try await suite.bookstrack("scan", file.path)
            #expect(run.status == 69)
            #expect(run.errors.contains("BOOKSTRACK_GEMINI_API_KEY"))
        }
    }

    @Test("if the engine declines, a batch ends with batch-complete, a failed status and an error")
    func failed() async throws {
        try await SuiteFixture.Suite.run(Self.slow) { suite in
            try await suite.emulator.setFaults(#"[{"provider":"gemini","kind":"blocked","reason":"SAFETY"}]"#)
            let id = JobID.random()
            _ = try await Self.start(Self.json(Self.photos(2), as: id), on: suite)
            let socket = try await ProgressSocket.connect(to: suite.address, path: APIPath.websocket(id))
            var text = ""
            var code: UInt16?
            for await event in socket.events {
                if let message = event.message { text += String(buffer: message) }
                if case .closed(let closed) = event.kind { code = closed }
            }
            #expect(text.contains("batch-complete"))
            #expect(text.contains("Scan failed (error): "))
            #expect(text.contains("BATCH_SCAN_ERROR"))
            #expect(code == 1011)
        }
    }
}
