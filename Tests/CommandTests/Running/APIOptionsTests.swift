import BookstrackContract
import ProgressClient
import ServiceKit
import Testing

@testable import BookstrackCLI

@Suite("Where a job is looked for")
struct APIOptionsTests {
    private let kept = TokenStore.Entry(
        jobId: .random(), token: "T", url: "http://127.0.0.1:1234", startedAt: "2026-01-01T00:00:00Z")

    private func port(_ arguments: [String], _ environment: [String: String], kept: TokenStore.Entry?) throws -> Int {
        try APIOptions.address(Settings.load(arguments: arguments, environment: environment), kept: kept).port
    }

    @Test("a setting decides; without one it is where the job was started, else the default")
    func order() throws {
        #expect(try port(["--url", "http://h:1"], ["BOOKSTRACK_URL": "http://h:2"], kept: kept) == 1)
        #expect(try port([], ["BOOKSTRACK_URL": "http://h:2"], kept: kept) == 2)
        #expect(try port([], [:], kept: kept) == 1234)
        #expect(try port([], [:], kept: nil) == 8787)
    }
}
