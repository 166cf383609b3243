import BookstrackContract
import NIOCore
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("v1 dialect")
struct V1DialectTests {
    private static var tokenless: HostPolicy {
        var policy = HostPolicy()
        policy.tokenlessAllowed = true
        return policy
    }

    @Test("a v1 client receives flat progress frames, and at the end a complete frame with the works")
    func wholeLife() throws {
        let host = try TestHost()
        let job = try host.create(TestHost.jobID, [BookQuery(workId: "work-1"), BookQuery(title: "Emma")])
        let worker = try TestWorker(host)
        let socket = try host.open(token: job.token, v1: true)
        let items = try worker.claim()
        try worker.record([items[0]])
        try worker.record([items[1]], error: .notFound)
        let received = host.proxy.take(socket)
        #expect(Set(received.types.dropLast()) == ["progress"])
        for frame in received.frames {
            #expect(frame.json["pipeline"] == nil)
            #expect(frame.json["payload"] == nil)
            #expect(frame.content?["processedItems"]?.integer != nil)
            #expect(frame.content?["totalItems"]?.integer == 2)
            #expect(frame.content?["status"]?.text == frame.content?["currentStatus"]?.text)
        }
        #expect(received.frames.contains { $0.content?["currentWorkId"]?.text == "work-1" })
        let complete = try #require(received.frames.last)
        #expect(complete.type == "complete")
        #expect(complete.kind == .terminal)
        #expect(complete.content?["successCount"]?.integer == 1)
        #expect(complete.content?["failedCount"]?.integer == 1)
        #expect(complete.content?["enrichedWorks"]?.list?.count == 1)
        #expect(complete.content?["progress"] == .integer(1))
        #expect(received.close == .normal)
    }

    @Test("a tokenless client can connect before its job exists, and receives its stream once the job exists")
    func awaited() throws {
        let host = try TestHost(Self.tokenless)
        let socket = try host.open(token: nil)
        host.advance(by: .seconds(59))
        #expect(host.proxy.take(socket).story == [])
        try host.create(books: 3)
        #expect(host.proxy.take(socket).types == ["progress"])
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        #expect(host.proxy.take(socket).story.suffix(2) == ["complete", "close 1000"])
    }

    @Test("while a client waits for its job, ready is acknowledged and ping is answered")
    func answersWhileAwaiting() throws {
        let host = try TestHost(Self.tokenless)
        let socket = try host.open(token: nil)
        try host.say(#"{"type":"ready"}"#, on: socket)
        try host.say(#"{"type":"ping"}"#, on: socket)
        try host.say("PING", on: socket)
        let received = host.proxy.take(socket)
        #expect(received.types.prefix(2) == ["ready_ack", "pong"])
        #expect(received.frames.map(\.kind) == [.readyAck, .control, .text])
        #expect(received.frames.first?.json["jobId"]?.text == TestHost.jobID.text)
    }

    @Test("a v1 client of a pending job receives the state in a frame that api-proxy does not mistake for an old event")
    func pending() throws {
        let host = try TestHost()
        let socket = try host.open(token: host.create(books: 3).token, v1: true)
        let state = host.proxy.take(socket)
        #expect(state.types == ["progress"])
        #expect(state.frames[0].kind == .control)
        #expect(state.frames[0].content?["totalItems"]?.integer == 3)
        try host.say(#"{"action":"getJobStatus"}"#, on: socket)
        #expect(host.proxy.take(socket).frames.map(\.kind) == [.control])
    }

    @Test("the first state of a v1 stream is not sent again when the job starts")
    func firstFrameOnce() throws {
        let host = try TestHost(Self.tokenless)
        let early = try host.open(token: nil)
        let job = try host.create(books: 3)
        let socket = try host.open(token: job.token, v1: true)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.record([items[0]])
        for socket in [early, socket] {
            #expect(host.proxy.take(socket).frames.map { $0.content?["processedItems"]?.integer } == [0, 1])
        }
    }

    @Test("a tokenless client keeps its dialect when its connection is resumed")
    func tokenlessResumed() throws {
        let host = try TestHost(Self.tokenless)
        let job = try host.create(books: 3)
        try host.restart()
        let socket = host.nextSocket()
        try host.resume(
            ResumeSockets.LiveSocket(
                socket: socket, jobId: job.jobId, tokenNumber: nil, lastSeq: 0, begun: true, v1: false,
                reconnect: false, since: nil))
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        #expect(Set(host.proxy.take(socket).types) == ["progress", "complete"])
    }

    @Test(
        "a client that sends any action uses the v1 dialect from then on, and api-proxy is notified once",
        arguments: ["dance", "getJobStatus"])
    func action(name: String) throws {
        let host = try TestHost()
        let job = try host.create(books: 30)
        let worker = try TestWorker(host)
        let socket = try host.watch(token: job.token)
        try host.say("{\"action\":\"\(name)\"}", on: socket)
        try host.say("{\"action\":\"\(name)\"}", on: socket)
        _ = host.proxy.take(socket)
        try worker.record(try worker.claim())
        #expect(Set(host.proxy.take(socket).types) == ["progress", "complete"])
        #expect(host.proxy.sent(SocketSpeaksV1.self).map(\.socket) == [socket])
    }

    @Test("a client whose job does not appear within 60 s is disconnected, and no trace of it remains")
    func neverComes() throws {
        let host = try TestHost(Self.tokenless)
        let socket = try host.open(token: nil)
        host.advance(by: .seconds(60))
        let received = host.proxy.take(socket)
        #expect(received.story == ["progress", "close 1008"])
        #expect(received.frames[0].content?["error"]?.text == "no such job")
        host.advance(by: .seconds(60))
        #expect(host.openSockets == 0)
        #expect(host.socketsWaiting(for: TestHost.jobID) == 0)
    }

    @Test("tokenless connections are disabled by default")
    func offByDefault() throws {
        let host = try TestHost()
        try host.create(books: 1)
        #expect(throws: HostFailure.unauthorized) { try host.open(token: nil) }
        #expect(throws: HostFailure.unauthorized) { try host.cancel(token: nil) }
    }

    @Test("a silent v1 peer receives a flat keep-alive together with a PING frame")
    func ping() throws {
        let host = try TestHost()
        let socket = try host.open(token: host.create(books: 1).token, v1: true)
        _ = host.proxy.take(socket)
        host.advance(by: .seconds(30))
        let received = host.proxy.take(socket).frames.filter { $0.kind == .ping }
        #expect(received.map(\.type) == ["progress"])
        #expect(received.first?.content?["keepAlive"]?.flag == true)
    }

    @Test("a v1 client of a failed job receives the error in a progress frame, and its socket closes with 1011")
    func failure() throws {
        let host = try TestHost(jitter: 0)
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        let socket = try host.open(token: job.token, v1: true)
        for _ in 0..<4 { try worker.record(try worker.claim(), error: .quotaExhausted) }
        let received = host.proxy.take(socket)
        #expect(received.close == .internalError)
        #expect(received.frames.last?.type == "progress")
        #expect(received.frames.last?.content?["error"]?.text?.isEmpty == false)
    }

    @Test("the complete frame is built once for all clients of a job")
    func madeOnce() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        let first = host.proxy.take(try host.open(token: job.token, v1: true))
        host.advance(by: .seconds(1))
        let second = host.proxy.take(try host.open(token: job.token, v1: true))
        #expect(first.story == ["complete", "close 1000"])
        #expect(first.frames == second.frames)
    }

    @Test(
        "while a complete frame is being built, other sockets are served, and the waiting socket receives no other frame"
    )
    func madeElsewhere() throws {
        let host = try TestHost()
        let over = try host.create(books: 3)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        let open = try host.create(JobID("another-job")!, books: 3)
        host.holdsCompletions = true
        let waiting = try host.open(token: over.token, v1: true)
        let other = try host.watch(open.jobId, token: open.token)
        try host.say(#"{"type":"ping"}"#, on: other)
        #expect(host.proxy.take(other).types.contains("pong"))
        #expect(host.proxy.take(waiting).story == [])
        #expect(host.makeCompletion())
        #expect(host.proxy.take(waiting).story == ["complete", "close 1000"])
    }

    @Test("only a few complete frames are built concurrently, and none is built for a socket that has left")
    func fewAtOnce() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        host.holdsCompletions = true
        let sockets = try (0..<5).map { number in
            let job = try host.create(JobID("finished-job-\(number)")!, books: 1)
            try worker.record(try worker.claim())
            return try host.open(job.jobId, token: job.token, v1: true)
        }
        #expect(host.awaitedCompletions == 2)
        try host.closed(sockets[2])
        var made = 0
        while host.makeCompletion() {
            made += 1
            #expect(host.awaitedCompletions <= 2)
        }
        #expect(made == 4)
        for (number, socket) in sockets.enumerated() {
            #expect(host.proxy.take(socket).story == (number == 2 ? [] : ["complete", "close 1000"]))
        }
    }

    @Test("if the results cannot be read, the client is told to reconnect, and the frame is requested again")
    func unreadable() throws {
        struct Unreadable: Error {}
        let host = try TestHost()
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim())
        host.holdsCompletions = true
        let socket = try host.open(token: job.token, v1: true)
        host.makeCompletion(failing: Unreadable())
        #expect(host.proxy.take(socket).story == ["close 1013"])
        let again = try host.open(token: job.token, v1: true)
        host.makeCompletion()
        #expect(host.proxy.take(again).story == ["complete", "close 1000"])
    }

    @Test("the complete frame is built again after the results have changed")
    func madeAnew() throws {
        let host = try TestHost()
        let job = try host.create(books: 2)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try worker.record([items[0]])
        try worker.record([items[1]], error: .notFound)
        let before = host.proxy.take(try host.open(token: job.token, v1: true))
        _ = try host.retry(token: job.token)
        try worker.record(try worker.claim())
        let after = host.proxy.take(try host.open(token: job.token, v1: true))
        #expect(before.frames.last?.content?["enrichedWorks"]?.list?.count == 1)
        #expect(after.frames.last?.content?["enrichedWorks"]?.list?.count == 2)
    }

    @Test("the complete frame stays below 1 MiB: descriptions are dropped first, then works from the end")
    func cut() throws {
        let id = TestHost.jobID
        let host = try TestHost()
        try host.create(books: 1)
        let rows = (0..<200).map { number in
            var work = WorkDTO(title: "Title \(number)")
            work.description = String(repeating: "é\u{1}\"", count: 200)
            work.subjectTags = ["Fiction"]
            var book = EnrichedBook(asked: BookQuery(title: "t"), success: true)
            book.enriched = EnrichedMetadata(work: work, edition: nil, authors: [])
            return book
        }
        let cut: (Int) throws -> (bytes: Int, works: [JSON]) = { limit in
            let frame = try host.perform(writes: false) { _, turn in
                let row = try #require(try turn.jobs.job(id, at: turn.now.wall))
                let composer = FrameComposer(job: row, counts: JobCounts(total: row.total), now: turn.now)
                return try V1Completion(composer: composer).frame(rows: rows, byteLimit: limit)
            }
            return (frame.readableBytes, try JSON(Array(buffer: frame))["data"]?["enrichedWorks"]?.list ?? [])
        }
        let whole = try cut(V1Completion.byteLimit)
        #expect(whole.works.count == 200)
        #expect(whole.works.allSatisfy { $0["description"] != nil })
        let shorter = try cut(whole.bytes - 1)
        #expect(shorter.works.count == 200)
        #expect(shorter.works.allSatisfy { $0["description"] == nil })
        let half = try cut(shorter.bytes / 2)
        #expect(half.bytes <= shorter.bytes / 2)
        #expect(shorter.bytes / 2 - half.bytes < 100)
        #expect((90...110).contains(half.works.count))
        #expect(half.works.first?["title"]?.text == "Title 0")
        #expect(try cut(10).works.isEmpty)
        #expect(V1Completion.byteLimit < 1 << 20)
    }
}
