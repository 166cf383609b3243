import BookstrackContract
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Turns among follow-ups and background retries")
struct LaterFairnessTests {
    @Test("one job's follow-ups do not delay another's, and respect the per-job limit")
    func laterFairness() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        for name in ["first-job", "second-job"] { try host.create(JobID(name)!, books: 60) }
        try worker.record(try worker.claim(), followUp: .soon)
        let items = try worker.claim(limit: 30, perJob: 10)
        #expect(items.count == 20)
        #expect(items.filter { $0.key.jobId.text == "second-job" }.count == 10)
        #expect(try worker.claim(limit: 30, perJob: 10).isEmpty)
        try worker.record(items)
        host.advance(by: .seconds(1))
        #expect(try worker.claim(limit: 30, perJob: 10).count == 20)
    }

    @Test("a job with thousands of due items does not block the due items of other jobs")
    func laterFairnessAtScale() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        try host.create(JobID("large-job")!, books: 1_500)
        while case let items = try worker.claim(), !items.isEmpty, items[0].workClass == .bulk {
            try worker.record(items.filter { $0.workClass == .bulk }, followUp: .soon)
        }
        host.advance(by: .seconds(121))
        for name in ["small-job-1", "small-job-2"] {
            try host.create(JobID(name)!, books: 2)
            try worker.record(try worker.claim(limit: 2), followUp: .soon)
        }
        let items = try worker.claim(limit: 30, perJob: 10)
        #expect(Set(items.map(\.key.jobId.text)) == ["large-job", "small-job-1", "small-job-2"])
        #expect(items.filter { $0.key.jobId.text == "large-job" }.count == 10)
    }

    @Test("follow-ups are handed out before background retries")
    func followUpsFirst() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        let failed = try host.create(JobID("failed-job")!, books: 3)
        try worker.record(try worker.claim(), error: .notFound)
        #expect(try host.retry(failed.jobId, token: failed.token).retrying == 3)
        host.advance(by: .seconds(1))
        try host.create(JobID("found-job")!, books: 2)
        try worker.record(try worker.claim(limit: 2), followUp: .soon)
        #expect(
            try worker.claim(limit: 3).map(\.workClass) == [.followUp, .followUp, .backgroundRetry])
    }

    @Test("jobs take turns even if there are more of them than a claim has room for")
    func manyLaterJobs() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        for number in 0..<30 { try host.create(JobID("job-number-\(number)")!, books: 100) }
        while case let items = try worker.claim(), !items.isEmpty, items[0].workClass == .bulk {
            try worker.record(items.filter { $0.workClass == .bulk }, followUp: .soon)
        }
        host.advance(by: .seconds(121))
        let jobs = try (0..<3).flatMap { _ in try worker.claim(limit: 10, perJob: 100).map(\.key.jobId) }
        #expect(Set(jobs).count == 30)
    }
}
