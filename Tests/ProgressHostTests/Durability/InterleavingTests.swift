import BookstrackContract
import Foundation
import SuiteMethods
import TestSupport
import Testing

@testable import ProgressHost

/// Random interleavings of claims, outcomes, releases, lost workers, restarts and passing time (jobs.md "Durability").
@Suite("Random interleavings")
struct InterleavingTests {
    /// A client of a job, which keeps every frame that it has received.
    private struct Watcher {
        var job: CreatedJob
        var seen: [Int: [UInt8]] = [:]
        var types: [Int: String] = [:]
        var last: Int { seen.keys.max() ?? 0 }
        var hasEnded: Bool { types[last] == "job_complete" || types[last] == "error" }
    }

    @Test(
        "every job ends with one result per item, sequence numbers without gaps and one terminal event",
        arguments: 0..<10)
    func anyOrder(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let host = try TestHost(jitter: 0.3)
        var watchers = try (0..<4).map { number in
            Watcher(job: try host.create(JobID("job-number-\(number)")!, books: Int.random(in: 1...30, using: &random)))
        }
        var workers = [try TestWorker(host), try TestWorker(host)]
        var held: [ObjectIdentifier: [ClaimedItem]] = [:]
        var delivered: [ClaimedItem] = []
        for _ in 0..<150 {
            let index = Int.random(in: workers.indices, using: &random)
            let worker = workers[index], id = ObjectIdentifier(worker)
            switch Int.random(in: 0..<12, using: &random) {
            case 0...2:
                held[id, default: []] += try worker.claim(limit: Int.random(in: 1...20, using: &random), perJob: 10)
            case 3...6:
                let items = held[id, default: []].shuffled(using: &random)
                let part = Array(items.prefix(Int.random(in: 0...10, using: &random)))
                held[id] = Array(items.dropFirst(part.count))
                let errors: [ItemErrorCode?] = [nil, nil, nil, .notFound, .providerError, .quotaExhausted]
                try worker.record(part, error: errors.randomElement(using: &random)!)
                delivered += part
            case 7:
                try worker.record(Array(delivered.shuffled(using: &random).prefix(5)))
            case 8:
                try worker.release((held.removeValue(forKey: id) ?? []).map(\.key))
            case 9:
                try worker.disconnect()
                held[id] = nil
                workers[index] = try TestWorker(host)
            case 10:
                host.advance(by: .milliseconds(Int.random(in: 0...90_000, using: &random)))
            default:
                try look(&watchers, host)
                try host.restart()
                workers = [try TestWorker(host), try TestWorker(host)]
                held = [:]
            }
            if Int.random(in: 0..<3, using: &random) == 0 { try look(&watchers, host) }
        }
        let worker = workers[0]
        try workers[1].disconnect()
        for _ in 0..<20 where host.openJobs > 0 {
            host.advance(by: .seconds(121))
            try worker.record(try worker.claim())
        }
        #expect(host.openJobs == 0)
        try look(&watchers, host)
        for watcher in watchers { try await check(watcher, host) }
    }

    /// Reconnects each watcher with the last `seq` that it has received.
    private func look(_ watchers: inout [Watcher], _ host: TestHost) throws {
        for index in watchers.indices {
            let watcher = watchers[index]
            host.proxy.skipAll()
            let socket = try host.open(watcher.job.jobId, token: watcher.job.token, since: watcher.last)
            let received = host.proxy.take(socket)
            #expect(received.frames.first?.payload?["recovered"]?.flag == true)
            // A watcher that has already received the terminal event receives it again.
            guard !watcher.hasEnded else {
                #expect(received.seqs == [watcher.last])
                continue
            }
            #expect(received.seqs == Array((watcher.last + 1)..<(watcher.last + 1 + received.seqs.count)))
            for frame in received.frames.dropFirst() {
                #expect(watchers[index].seen.updateValue(frame.bytes, forKey: frame.seq) == nil)
                watchers[index].types[frame.seq] = frame.type
            }
            try host.closed(socket)
        }
    }

    private func check(_ watcher: Watcher, _ host: TestHost) async throws {
        let ends = watcher.types.filter { ["job_complete", "error"].contains($0.value) }
        #expect(ends.count == 1)
        #expect(ends.keys.first == watcher.last)
        let counts = try watcher.seen.sorted { $0.key < $1.key }.compactMap {
            try JSON($0.value)["payload"]?["processedCount"]?.integer
        }
        #expect(counts == counts.sorted())
        let rows = try await host.resultRows(watcher.job.jobId)
        #expect(rows.map(\.title) == (0..<watcher.job.totalCount).map { "Book \($0)" })
        let head = try await host.results.opening(of: watcher.job.jobId).head
        #expect(head.successCount == rows.filter(\.success).count)
        #expect(head.failureCount == rows.filter { !$0.success }.count)
    }
}
