import Foundation
import SuiteFixture
import Testing
import WireClient

@Suite(
    "Event streams, read by third-party clients", .serialized,
    .enabled(
        if: Python.has("websockets.asyncio.client") && Python.has("httpx_sse") && Python.has("httpx"),
        "Python's websockets, httpx or httpx-sse is not installed"))
struct EventStreamTests {
    /// The number of cuts for each of the five transports: sockets and streams of one job and of several jobs, and
    /// polling.
    private static let cuts = ProcessInfo.processInfo.environment["BOOKSTRACK_STREAM_CUTS"].flatMap { Int($0) } ?? 200

    @Test(
        "sockets and streams deliver each event once and in order, and polling returns only newer states, however often connections are cut"
    )
    func sameEvents() async throws {
        let options = SuiteFixture.Suite.Options(
            settings: [
                "BOOKSTRACK_PROGRESS_INTERVAL_MS": "0", "BOOKSTRACK_RATE_LIMIT": "off",
                // On a busy machine, hundreds of cut connections still count toward these limits until their loss is
                // detected.
                "BOOKSTRACK_MAX_SOCKETS_PER_JOB": "5000", "BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS": "5000",
            ],
            emulatorArguments: ["--latency", "200"])
        try await SuiteFixture.Suite.run(options) { suite in
            let checks = try await Python.checks(
                "event_stream.py",
                ["127.0.0.1:\(suite.address.port)", SampleBooks.list.path, "\(Self.cuts)"])
            #expect(checks.count == 36, "the checks ended early")
            for check in checks { #expect(check.ok, "\(check.check): got \(check.saw)") }
        }
    }
}
