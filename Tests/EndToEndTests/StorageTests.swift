import BookstrackContract
import Foundation
import NIOHTTP1
import SuiteFixture
import Testing
import WireClient

@Suite("A full disk", .serialized, .enabled(if: SmallDisk.isPossible, "mounting a small tmpfs needs root"))
struct StorageTests {
    @Test(
        "while the disk is full, new jobs are refused with a 503 and readiness states the reason; freeing space is enough to recover"
    )
    func fullDisk() async throws {
        let disk = try await SmallDisk(megabytes: 4)
        do {
            let options = SuiteFixture.Suite.Options(
                settings: ["BOOKSTRACK_MAX_BATCH_BOOKS": "10000"], dataDirectory: disk.path)
            try await SuiteFixture.Suite.run(options) { suite in try await fill(disk, suite) }
        } catch {
            await disk.unmount()
            throw error
        }
        await disk.unmount()
    }

    private func fill(_ disk: SmallDisk, _ suite: SuiteFixture.Suite) async throws {
        let small = EnrichmentBatchRequest(books: [BookQuery(title: "Dune", author: "Frank Herbert")])
        let before = try await suite.api.start(small)
        try disk.fill()
        let refusal = await #expect(throws: APIRefusal.self) {
            for _ in 0..<200 {
                let title = String(repeating: "x", count: 400)
                let books = (0..<100).map { BookQuery(title: "\(title) \($0)") }
                _ = try await suite.api.start(EnrichmentBatchRequest(books: books))
            }
        }
        #expect(refusal?.status == 503)
        #expect(refusal?.code == .serviceUnavailable)
        #expect(refusal?.retryAfterSeconds != nil)
        let reason = try await readiness(suite)
        #expect(reason.status == 503)
        #expect(reason.text.contains("the disk is full"), "\(reason.text)")
        let state = try await suite.api.state(of: before.jobId, token: before.token)
        #expect(state.jobId == before.jobId, "stored data cannot be read")
        try disk.makeRoom()
        try await eventually(within: .seconds(60)) { try await suite.api.start(small).totalCount == 1 }
        try await suite.waitUntilReady()
        #expect(suite.host.pid != nil)
    }

    /// Asks for the readiness, for at most a minute, until progress-host has responded in time. Returns the last response.
    private func readiness(_ suite: SuiteFixture.Suite) async throws -> HTTPAnswer {
        let admin = HTTPClient(address: suite.adminAddress)
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let answer = try await admin.send(HTTPCall(.GET, "/health/ready"))
            guard answer.text.contains("no response"), ContinuousClock.now < deadline else {
                await admin.shutdown()
                return answer
            }
        }
    }

    /// Repeats `body` until it returns true; a refusal is retried.
    private func eventually(within limit: Duration, _ body: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            if (try? await body()) == true { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        Issue.record("the condition did not become true within \(limit)")
    }
}
