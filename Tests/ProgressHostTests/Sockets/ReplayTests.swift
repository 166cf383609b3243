import BookstrackContract
import SuiteMethods
import Testing

@testable import ProgressHost

/// A turn sends only a limited number of past events, however many are requested (Services/README.md rule 7).
@Suite("Paced streams")
struct ReplayTests {
    /// A job of 200 books with more than 100 events.
    private func longJob(_ policy: HostPolicy = HostPolicy()) throws -> (
        TestHost, CreatedJob, TestWorker, [ClaimedItem]
    ) {
        let host = try TestHost(policy)
        let job = try host.create(books: 200)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        for item in items[..<100] {
            try worker.record([item])
            host.advance(by: .seconds(1))
        }
        return (host, job, worker, Array(items[100...]))
    }

    @Test("a long replay is sent page by page as the socket accepts it, each event once and in order, then live events")
    func pages() throws {
        let (host, job, worker, items) = try longJob()
        let last = try host.state(token: job.token).lastSeq
        let socket = try host.open(token: job.token, since: 0)
        var received = host.proxy.take(socket)
        #expect(received.seqs == Array(1...32))
        #expect(received.frames.last?.kind == .page)
        host.advance(by: .seconds(5))
        try worker.record([items[0]])
        #expect(host.proxy.take(socket).frames.isEmpty)
        while let frame = received.frames.last, frame.kind == .page {
            try host.caughtUp(socket)
            received += host.proxy.take(socket)
        }
        host.advance(by: .seconds(1))
        try worker.record([items[1]])
        received += host.proxy.take(socket)
        #expect(received.seqs == Array(1...(last + 2)))
        #expect(received.frames.last?.kind == .progress)
        try host.caughtUp(socket)
        #expect(host.proxy.take(socket).isEmpty)
    }

    @Test("if a job ends during a replay, its socket closes after the last page")
    func endsMeanwhile() throws {
        let (host, job, worker, items) = try longJob()
        let socket = try host.open(token: job.token, since: 0)
        try worker.record(items)
        var received = host.proxy.take(socket)
        #expect(received.close == nil)
        while received.close == nil {
            try host.caughtUp(socket)
            let page = host.proxy.take(socket)
            try #require(!page.isEmpty)
            received += page
        }
        #expect(received.seqs == Array(1...received.seqs.count))
        #expect(Array(received.story.suffix(2)) == ["job_complete", "close 1000"])
    }

    @Test("the items of an ended job are read for the first page of a replay only")
    func endedJob() throws {
        let host = try TestHost()
        let job = try host.create(books: 5_000)
        let worker = try TestWorker(host)
        for item in try worker.claim(limit: 100) {
            try worker.record([item])
            host.advance(by: .seconds(1))
        }
        try worker.finishItems()
        let socket = try host.open(token: job.token, since: 0)
        var received = host.proxy.take(socket)
        #expect(received.seqs == Array(1...32))
        while let frame = received.frames.last, frame.kind == .page {
            let instructions = try host.instructions { try host.caughtUp(socket) }
            #expect(instructions < 5_000)
            received += host.proxy.take(socket)
        }
        #expect(received.seqs == Array(1...received.seqs.count))
        #expect(received.seqs.count > 100)
        #expect(Array(received.story.suffix(2)) == ["job_complete", "close 1000"])
    }

    @Test("streams of ended jobs are spread over several turns, according to the number of items that are read")
    func endedBudget() throws {
        var policy = HostPolicy()
        // A job of 600 books has less than a page of events. Its items are read twice: for the counts and for the events.
        policy.streamBytesPerTurn = 200_000
        policy.streamBytesPerItem = 100
        let host = try TestHost(policy)
        let worker = try TestWorker(host)
        let jobs = try (1...6).map { number in
            let job = try host.create(JobID("job-number-\(number)")!, books: 600)
            try worker.finishItems()
            return job
        }
        let sockets = jobs.map { _ in host.nextSocket() }
        host.group(
            zip(jobs, sockets).map { job, socket in
                let request = SocketRequest(jobId: job.jobId, token: job.token, reconnect: false, since: 0, v1: false)
                return host.command(writes: false) { [proxy = host.proxy] engine, turn in
                    try engine.connections.open(socket, request, from: proxy, turn)
                }.command
            })
        var received = sockets.map { host.proxy.take($0) }
        #expect(received.count { !$0.isEmpty } == 2)
        host.advance(by: .zero)
        for (place, socket) in sockets.enumerated() {
            received[place] += host.proxy.take(socket)
            #expect(received[place].story.last == "close 1000")
        }
    }

    @Test("many streams that begin in one group are spread over several turns, and all of them begin")
    func budget() throws {
        var policy = HostPolicy()
        policy.streamBytesPerTurn = 100_000
        let (host, job, _, _) = try longJob(policy)
        host.proxy.skipAll()
        let before = host.proxy.sentBytes
        let sockets = (0..<16).map { _ in host.nextSocket() }
        host.group(
            sockets.map { socket in
                let request = SocketRequest(jobId: job.jobId, token: job.token, reconnect: false, since: 0, v1: false)
                return host.command(writes: false) { [proxy = host.proxy] engine, turn in
                    try engine.connections.open(socket, request, from: proxy, turn)
                }.command
            })
        #expect(host.proxy.sentBytes - before < 100_000 + 64_000)
        host.advance(by: .zero)
        for socket in sockets { #expect(host.proxy.take(socket).seqs == Array(1...32)) }
    }

    @Test("sockets of an api-proxy that does not read have to wait, and those of another api-proxy do not")
    func fullLink() throws {
        let (host, job, _, _) = try longJob()
        host.proxy.stall(at: 8 << 20)
        let waiting = try host.open(token: job.token, since: 0)
        host.advance(by: .seconds(1))
        #expect(host.proxy.take(waiting).frames.filter { $0.kind == .replayed }.isEmpty)
        let other = RecordingLink()
        try host.perform(writes: false) { engine, turn in
            _ = try engine.connections.open(
                SocketID(1), SocketRequest(jobId: job.jobId, token: job.token, reconnect: true, since: nil, v1: false),
                from: other, turn)
        }
        let received = other.take(SocketID(1))
        #expect(received.types == ["reconnected"])
        #expect(received.frames.map(\.kind) == [.reconnected])
        host.proxy.stall(at: 0)
        host.advance(by: .milliseconds(10))
        #expect(host.proxy.take(waiting).seqs == Array(1...32))
    }

    @Test("a queued stream survives a failed transaction")
    func failedTransaction() throws {
        let (host, job, _, _) = try longJob()
        host.proxy.stall(at: 8 << 20)
        let socket = try host.open(token: job.token, since: 0)
        host.proxy.stall(at: 0)
        struct Fault: Error {}
        host.clock.move(by: .milliseconds(10))
        #expect(throws: HostFailure.self) { try host.perform { _, _ in throw Fault() } }
        #expect(host.proxy.take(socket).isEmpty)
        host.advance(by: .seconds(1))
        #expect(host.proxy.take(socket).seqs == Array(1...32))
    }
}
