import BookstrackContract
import Foundation
import SuiteFixture
import TestSupport
import Testing
import WireClient

@Suite("SIGKILL during scans of several photos", .serialized)
struct ScanKillTests {
    private static let photos = 3

    @Test("whichever process is killed, no result is lost, and at most the photo being read is sent to an engine again")
    func survivesKills() async throws {
        let options = SuiteFixture.Suite.Options(
            settings: [
                "BOOKSTRACK_PROGRESS_INTERVAL_MS": "20", "BOOKSTRACK_GEMINI_API_KEY": "a-key",
                "BOOKSTRACK_SCAN_DAILY_BUDGET": "\(KillRounds.count * (Self.photos + 1))",
            ],
            emulatorArguments: ["--latency", "40"])
        try await SuiteFixture.Suite.run(options) { suite in
            var repeated: [KilledProcesses: Int] = [:]
            for round in 0..<KillRounds.count {
                let victim = KilledProcesses(round: round)
                let asked = try await Self.round(suite, round, victim, "round \(round), \(victim)")
                repeated[victim, default: 0] += asked - Self.photos
            }
            try KillRounds.check(suite, .aiScan)
            for victim in KilledProcesses.allCases {
                let photos = repeated[victim] ?? 0
                print(
                    "\(KillRounds.count) kill rounds of scans, \(victim): \(photos) photos were sent to an engine again"
                )
            }
        }
    }

    /// Returns how many requests the engine received.
    private static func round(
        _ suite: SuiteFixture.Suite, _ round: Int, _ victim: KilledProcesses, _ place: Comment
    ) async throws -> Int {
        let before = try await requests(suite)
        let id = JobID.random()
        // The photos differ in every round, because responses are cached.
        let photos = (0..<photos).map { SampleImage.jpeg.file + Array("\(round) \($0)".utf8) }
        let body = BatchScanTests.json(photos, as: id)
        async let started = KillRounds.start { try await BatchScanTests.start(body, on: suite) }
        try await victim.die(in: suite, within: 250)
        var watcher = Watcher(suite, try await started)
        try await watcher.watch()
        try await suite.waitUntilReady()
        #expect(watcher.numberingFaults == [], place)
        #expect(watcher.endings.count == 1, place)
        let results = try await suite.api.scanResults(of: id)
        #expect(results.photos.map(\.status) == [.complete, .complete, .complete], place)
        #expect(results.photos.map(\.booksFound) == [3, 3, 3], place)
        #expect(results.books.map(\.title) == ["The Great Gatsby", "Jane Eyre", "A Tale of Two Cities"], place)
        #expect(results.metadata.enrichedCount == 3, place)
        let asked = try await requests(suite) - before
        #expect((Self.photos...Self.photos + 1).contains(asked), place)
        return asked
    }

    private struct Statistics: Decodable {
        struct Provider: Decodable { let requests: Int }
        let providers: [String: Provider]
    }

    /// The number of requests that the emulated engine has received.
    private static func requests(_ suite: SuiteFixture.Suite) async throws -> Int {
        let text = try await suite.emulator.stats()
        return try JSONDecoder().decode(Statistics.self, from: Data(text.utf8)).providers["gemini"]?.requests ?? 0
    }
}
