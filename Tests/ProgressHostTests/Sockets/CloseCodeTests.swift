import BookstrackContract
import SuiteMethods
import Testing

@testable import ProgressHost

/// The close codes that the host chooses (websocket.md "Close codes"), and the texts of `pushProgress`.
@Suite("Close codes and pushed texts")
struct CloseCodeTests {
    @Test(
        "a socket closes with 1000 on completion, with 1011 after the error frame on failure, and with 1001 on cancellation"
    )
    func ends() throws {
        let host = try TestHost(jitter: 0)
        let worker = try TestWorker(host)
        let completed = try host.create(JobID("completed-job")!, books: 1)
        try worker.record(try worker.claim())
        let failed = try host.create(JobID("failed-job")!, books: 1)
        for _ in 0..<4 { try worker.record(try worker.claim(), error: .providerError) }
        let cancelled = try host.create(JobID("cancelled-job")!, books: 1)
        _ = try host.cancel(cancelled.jobId, token: cancelled.token)
        func story(_ job: CreatedJob) throws -> [String] {
            host.proxy.take(try host.open(job.jobId, token: job.token, since: -1)).story
        }
        #expect(try story(completed) == ["reconnected", "job_complete", "close 1000"])
        #expect(try story(failed) == ["reconnected", "error", "close 1011"])
        #expect(try story(cancelled) == ["reconnected", "job_progress", "close 1001"])
    }

    @Test("closeConnection before the job's end closes with 1012 and truncates the reason to the size of a close frame")
    func closeConnection() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let socket = try host.watch(token: job.token)
        _ = host.proxy.take(socket)
        let id = job.jobId
        try host.perform(writes: false) { engine, turn in
            try engine.connections.closeConnections(of: id, reason: String(repeating: "é", count: 200), turn)
        }
        let received = host.proxy.take(socket)
        #expect(received.close == .serviceRestart)
        #expect(received.reason == String(repeating: "é", count: 60) + "…")
        #expect(try host.state(token: job.token).status == .pending)
        #expect(throws: HostFailure.noJob(JobID("no-such-job")!)) {
            try host.perform(writes: false) { engine, turn in
                try engine.connections.closeConnections(of: JobID("no-such-job")!, reason: nil, turn)
            }
        }
    }

    @Test(
        "closeConnection after the job's end sends the terminal frame to clients that have not sent ready, then closes")
    func closeConnectionAfterTheEnd() throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        let socket = try host.open(token: job.token)
        try worker.record(try worker.claim())
        let id = job.jobId
        for _ in 0..<2 {
            try host.perform(writes: false) { engine, turn in
                try engine.connections.closeConnections(of: id, reason: nil, turn)
            }
        }
        #expect(host.proxy.take(socket).story == ["job_complete", "close 1000"])
    }

    @Test("pushProgress changes the status text until the next item is processed, and never the counts")
    func pushProgress() throws {
        let host = try TestHost()
        let job = try host.create(books: 10)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.record([items[0]])
        let socket = try host.watch(token: job.token)
        _ = host.proxy.take(socket)
        host.advance(by: .seconds(1))
        try host.push("Looking into dusty shelves")
        let pushed = try #require(host.proxy.take(socket).frames.first)
        #expect(pushed.payload?["status"]?.text == "Looking into dusty shelves")
        #expect(pushed.payload?["processedCount"]?.integer == 1)
        host.advance(by: .seconds(1))
        try worker.record([items[1]])
        #expect(host.proxy.take(socket).frames.last?.payload?["status"]?.text == "Processing book 2 of 10")
    }

    @Test(
        "a pushed text that clients would mistake for the job's end is not shown, and a long string is truncated",
        arguments: ["Enrichment failed", "ERROR: x", "Complete!", "é🦊"])
    func hostileTexts(text: String) throws {
        let host = try TestHost()
        let job = try host.create(books: 10)
        let worker = try TestWorker(host)
        try worker.record([try worker.claim()[0]])
        let socket = try host.watch(token: job.token)
        let old = try host.open(token: job.token, v1: true)
        host.proxy.skipAll()
        host.advance(by: .seconds(1))
        try host.push(text == "é🦊" ? String(repeating: text, count: 20_000) : text)
        let frames = host.proxy.take(socket).frames + host.proxy.take(old).frames
        #expect(frames.map(\.type) == ["job_progress", "progress"])
        for frame in frames {
            #expect(frame.bytes.count < 1_024)
            let status = try #require((frame.payload ?? frame.content)?["status"]?.text)
            #expect(StatusText.isNeutral(status))
        }
    }

    @Test("a push to an ended or unknown job is refused, and a push to a pending job sends no frame")
    func pushRefused() throws {
        let host = try TestHost()
        #expect(throws: HostFailure.noJob(TestHost.jobID)) { try host.push("x") }
        let job = try host.create(books: 1)
        let socket = try host.watch(token: job.token)
        _ = host.proxy.take(socket)
        try host.push("Warming up")
        #expect(host.proxy.take(socket).isEmpty)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        #expect(throws: HostFailure.jobIsOver(TestHost.jobID)) { try host.push("x") }
    }
}

extension TestHost {
    fileprivate func push(_ text: String) throws {
        try perform { engine, turn in try engine.push(text, to: TestHost.jobID, turn) }
    }
}
