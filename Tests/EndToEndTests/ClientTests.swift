import Foundation
import ProgressClient
import SuiteFixture
import Testing

@Suite("The progress socket, seen by a client that is not ours", .serialized)
struct ClientTests {
    /// A line that `Clients/spec03.py` prints.
    private struct Check: Decodable {
        var check: String
        var ok: Bool
        var saw: String
    }

    @Test(
        "spec/03 holds line by line for Python's websockets",
        .enabled(if: Python.has("websockets.asyncio.client"), "Python's websockets is not installed"))
    func protocolWalk() async throws {
        let options = SuiteFixture.Suite.Options(
            settings: [
                "BOOKSTRACK_READY_TIMEOUT_MS": "400", "BOOKSTRACK_PROGRESS_INTERVAL_MS": "0",
                "BOOKSTRACK_CACHE_ISBN_TTL_SECONDS": "0", "BOOKSTRACK_CACHE_NEGATIVE_TTL_SECONDS": "0",
            ], emulatorArguments: ["--latency", "1000"])
        try await SuiteFixture.Suite.run(options) { suite in
            let script = URL(filePath: #filePath).appending(path: "../Clients/spec03.py").standardizedFileURL.path
            let arguments = [script, "127.0.0.1:\(suite.address.port)", SampleBooks.list.path]
            let printed = String(decoding: try await Python.run(arguments), as: UTF8.self)
            let checks = try printed.split(separator: "\n").map {
                try JSONDecoder().decode(Check.self, from: Data($0.utf8))
            }
            #expect(checks.count >= 42, "the walk was cut short")
            for check in checks { #expect(check.ok, "\(check.check): saw \(check.saw)") }
        }
    }
}
