import BookstrackContract
import JSONRPC
import NIOCore
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Claims and the size of a frame")
struct ClaimSizeTests {
    /// The longest row that the API takes: 500 and 300 characters of three bytes.
    private static let longest = BookQuery(
        title: String(repeating: "書", count: 500), author: String(repeating: "者", count: 300))

    /// Asks until nothing comes, and checks that each answer fits a frame.
    private func claimAll(_ worker: TestWorker) throws -> [[ClaimedItem]] {
        var answers: [[ClaimedItem]] = []
        while true {
            let items = try worker.claim()
            if items.isEmpty { return answers }
            let answer = try BodyCoding.encode(ClaimWork.Result(items: items))
            #expect(answer.readableBytes < RPCLimits().maximumFrameBytes - 1_024)
            answers.append(items)
        }
    }

    @Test("items of long texts go in as many answers as they need, in their order, each exactly once")
    func longTexts() throws {
        let host = try TestHost()
        try host.create(TestHost.jobID, Array(repeating: Self.longest, count: 500))
        let answers = try claimAll(try TestWorker(host))
        #expect(answers.count == 2)
        #expect(answers.flatMap(\.self).map(\.key.index) == Array(0..<500))
        #expect(host.engine.leases.count(job: 1) == 500)
    }

    @Test("a small job is not held up by the long texts of another")
    func fairness() throws {
        let host = try TestHost()
        try host.create(JobID("long-texts")!, Array(repeating: Self.longest, count: 1_000))
        try host.create(JobID("short-texts")!, books: 100)
        let first = try TestWorker(host).claim()
        #expect(first.filter { $0.key.jobId.text == "short-texts" }.count == 100)
    }

    @Test("an item that fills a frame's room alone still goes")
    func oversized() throws {
        let host = try TestHost()
        let huge = BookQuery(title: String(repeating: "x", count: ClaimRoom.bytes + 1))
        try host.create(TestHost.jobID, [huge, BookQuery(title: "A"), huge])
        #expect(try claimAll(try TestWorker(host)).map { $0.map(\.key.index) } == [[0], [1], [2]])
    }

    @Test("background retries of long texts keep to the frame too")
    func later() throws {
        let host = try TestHost()
        try host.create(TestHost.jobID, Array(repeating: Self.longest, count: 500))
        let worker = try TestWorker(host)
        for items in try claimAll(worker) { try worker.record(items, followUp: .soon) }
        let answers = try claimAll(worker)
        #expect(answers.count == 2)
        #expect(Set(answers.flatMap(\.self).map(\.key.index)).count == 500)
        #expect(answers.joined().allSatisfy { $0.workClass == .followUp })
    }
}
