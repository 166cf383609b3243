import Foundation
import SuiteFixture
import Testing
import WireClient

@Suite(
    "The progress socket, used by a third-party client", .serialized,
    .enabled(if: Python.has("websockets.asyncio.client"), "Python's websockets is not installed"))
struct ClientTests {
    @Test("the services follow the rules of websocket.md when tested with Python's websockets library")
    func protocolWalk() async throws {
        // Longer than the walk-through, so no `ready` is late.
        let checks = try await Self.walk(readyTimeout: .seconds(600))
        #expect(checks.count >= 41, "the checks ended early")
        for check in checks { #expect(check.ok, "\(check.check): got \(check.saw)") }
    }

    @Test("a client that never sends ready is served after a timeout")
    func withoutReady() async throws {
        let checks = try await Self.walk("never-ready", readyTimeout: .milliseconds(400))
        #expect(checks.count == 1, "the checks ended early")
        for check in checks { #expect(check.ok, "\(check.check): got \(check.saw)") }
    }

    /// Runs the script against services with this `ready` timeout, and returns its checks.
    private static func walk(_ part: String..., readyTimeout: Duration) async throws -> [Python.Check] {
        let options = SuiteFixture.Suite.Options(
            settings: [
                "BOOKSTRACK_READY_TIMEOUT_MS": "\(Int(readyTimeout / .milliseconds(1)))",
                "BOOKSTRACK_PROGRESS_INTERVAL_MS": "0",
                "BOOKSTRACK_CACHE_ISBN_TTL_SECONDS": "0", "BOOKSTRACK_CACHE_NEGATIVE_TTL_SECONDS": "0",
            ], emulatorArguments: ["--latency", "1000"])
        return try await SuiteFixture.Suite.run(options) { suite in
            let addresses = ["127.0.0.1:\(suite.address.port)", "\(suite.emulator.address)"]
            return try await Python.checks("progress_socket.py", addresses + [SampleBooks.list.path] + part)
        }
    }
}
