import BookstrackContract
import GRDB
import Observability
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Job steps in the tail")
struct JobStepTests {
    private func steps(of host: TestHost) -> [String] {
        host.tail.entries(after: 0, atMost: .max).entries.compactMap { entry in
            guard case .job(let step) = entry.subject else { return nil }
            return [step.name.rawValue, step.index.map { "\($0)" }, step.result, step.code].compactMap(\.self)
                .joined(separator: " ")
        }
    }

    @Test("a job's steps are its acceptance, its start, each recorded item and its completion")
    func completed() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        let job = try host.create(books: 2)
        let items = try worker.claim()
        try worker.record([items[0]])
        try worker.record([items[1]], error: .notFound)
        host.settle()
        #expect(
            steps(of: host) == [
                "accepted", "started", "recorded 0 succeeded", "recorded 1 failed NOT_FOUND", "completed",
            ])
        #expect(host.tail.entries(after: 0, atMost: .max).entries.allSatisfy { $0.jobID == job.jobId.text })
    }

    @Test("job steps and claimed items have the trace of the request that started the job, even after a restart")
    func trace() throws {
        let host = try TestHost()
        let trace = TraceContext(requestID: "import-7")
        try Activity.$current.withValue(Activity(trace)) { _ = try host.create(books: 1) }
        try host.restart()
        let worker = try TestWorker(host)
        let items = try worker.claim()
        #expect(items.map(\.trace) == [trace])
        try worker.record(items)
        host.settle()
        #expect(Set(host.tail.entries(after: 0, atMost: .max).entries.map(\.trace)) == [trace])
    }

    @Test("a step whose transaction is rolled back does not appear in the tail")
    func rolledBack() throws {
        struct Fault: Error {}
        let host = try TestHost()
        _ = try host.create(books: 1)
        let (command, answer) = host.command(durable: false, writes: true) { engine, turn -> Int in
            _ = try engine.create(
                JobID("another-job")!, pipeline: .batchEnrichment, digest: "d", items: [BookQuery(title: "t")],
                origin: .peer, turn)
            throw Fault()
        }
        host.group([command])
        #expect(throws: (any Error).self) { _ = try answer.value() }
        #expect(steps(of: host) == ["accepted"])
    }
}
