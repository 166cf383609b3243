import BookstrackContract
import Foundation
import NIOCore
import NIOHTTP1
import SuiteFixture
import TestSupport
import Testing
import WireClient

@Suite("Hostile photos", .serialized)
struct HostilePhotoTests {
    /// The outcome of a photo's scan.
    private enum Ending: Equatable {
        /// Refused before a job exists.
        case refused(Int)
        /// The engine never received the photo; the message contains this word.
        case unread(String)
        case read
    }

    private struct Case: Sendable {
        let name: String
        let ending: Ending
        let bytes: [UInt8]
    }

    private static let megabyte = 1 << 20

    private static let cases = [
        Case(name: "10 MB of zeros", ending: .refused(415), bytes: [UInt8](repeating: 0, count: 10 * megabyte)),
        Case(
            name: "a photo over the limit", ending: .refused(413),
            bytes: SampleImage.jpeg.file + [UInt8](repeating: 0, count: 10 * megabyte)),
        Case(name: "an empty file", ending: .refused(400), bytes: []),
        Case(
            name: "a web page before a photo", ending: .refused(415),
            bytes: Array("<html><script>alert(1)</script>".utf8) + SampleImage.jpeg.file),
        Case(
            name: "a photo and a zip archive", ending: .read,
            bytes: SampleImage.jpeg.file + Array("PK\u{3}\u{4}<script>alert(1)</script>".utf8)),
        Case(
            name: "a JPEG bomb of 65 500 by 65 500 pixels", ending: .unread("megapixels"),
            bytes: [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0xFF, 0xDC, 0xFF, 0xDC, 1, 1, 0x11, 0] + scan),
        Case(
            name: "a PNG bomb", ending: .unread("megapixels"),
            bytes: png + [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 1, 0x86, 0xA0, 0, 1, 0x86, 0xA0, 8, 2, 0, 0, 0]
                + [0, 0, 0, 0, 0, 0, 0, 3] + Array("IDAT".utf8) + [1, 2, 3, 0, 0, 0, 0]
                + [0, 0, 0, 0] + Array("IEND".utf8) + [0, 0, 0, 0]),
        Case(name: "the first bytes of a JPEG", ending: .unread("damaged"), bytes: Array(SampleImage.jpeg.file[..<24])),
        Case(name: "the first bytes of a HEIC", ending: .unread("damaged"), bytes: Array(SampleImage.heic.file[..<40])),
        Case(
            name: "a PNG with a chunk of 4 GiB", ending: .unread("damaged"),
            bytes: png + [0xFF, 0xFF, 0xFF, 0xFF] + Array("IHDR".utf8)),
        Case(
            name: "a JPEG of a million empty segments", ending: .unread("damaged"),
            bytes: [0xFF, 0xD8] + (0..<1_000_000).flatMap { _ in [0xFF, 0xE1, 0, 2] as [UInt8] }),
        // The directory of the photo's EXIF metadata ends with a link to itself.
        Case(name: "EXIF metadata that is a loop", ending: .read, bytes: SampleImage.progressiveJPEG.file),
    ]

    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0xFF, 0xD9]
    /// Maximum peak memory of a process, which uses less than 100 MB at rest.
    private static let maxMemory = 400 * megabyte

    @Test(
        "each photo is refused, ends with an error, or is read, and no process crashes or uses too much memory"
    )
    func endings() async throws {
        try await SuiteFixture.Suite.run(.init(settings: ["BOOKSTRACK_GEMINI_API_KEY": "a-key"])) { suite in
            let processes = [suite.proxy, suite.host, suite.worker]
            let ids = processes.map(\.pid)
            for hostile in Self.cases {
                let ending = try await Self.end(of: hostile.bytes, on: suite)
                #expect(ending == hostile.ending, "\(hostile.name)")
            }
            #expect(processes.map(\.pid) == ids)
            for process in processes {
                let memory = try Self.peakMemory(of: try #require(process.pid))
                #expect(memory < Self.maxMemory)
            }
        }
    }

    @Test("a hostile photo in a batch does not stop the other photos")
    func batch() async throws {
        try await SuiteFixture.Suite.run(.init(settings: ["BOOKSTRACK_GEMINI_API_KEY": "a-key"])) { suite in
            let bomb = try #require(Self.cases.first { $0.ending == .unread("megapixels") }).bytes
            let id = JobID.random()
            let photos = [SampleImage.jpeg.file, bomb, SampleImage.png.file]
            var watcher = Watcher(suite, try await BatchScanTests.start(BatchScanTests.json(photos, as: id), on: suite))
            try await watcher.watch()
            let results = try await suite.api.scanResults(of: id)
            #expect(results.photos.map(\.status) == [.complete, .error, .complete])
            #expect(results.photos[1].error?.contains("megapixels") == true)
            #expect(results.totalDetected == 3)
        }
    }

    private static func end(of bytes: [UInt8], on suite: SuiteFixture.Suite) async throws -> Ending? {
        let before = try await engineRequests(suite)
        let answer = try await suite.http.send(
            HTTPCall(
                .POST, "/v1/scan", headers: ["Content-Type": "image/jpeg"], body: ByteBuffer(bytes: bytes),
                timeout: .seconds(60)))
        guard answer.status == 202 else { return .refused(answer.status) }
        let started = try JSONDecoder().decode(SuccessEnvelope<StartedScan>.self, from: Data(answer.text.utf8)).data
        var watcher = Watcher(suite, started)
        try await watcher.watch()
        switch watcher.endings.first {
        case .failed(let payload):
            #expect(try await engineRequests(suite) == before)
            return ["megapixels", "damaged"].first(where: payload.message.contains).map { .unread($0) }
        case .completed: return .read
        case .cancelled, nil: return nil
        }
    }

    private static func engineRequests(_ suite: SuiteFixture.Suite) async throws -> Int {
        try await suite.emulator.requestLog().components(separatedBy: "gemini").count - 1
    }

    /// Peak resident memory in bytes (proc(5)).
    private static func peakMemory(of pid: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1_024
    }
}
