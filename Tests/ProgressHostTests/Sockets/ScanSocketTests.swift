import BookstrackContract
import NIOCore
import SuiteMethods
import Testing

@testable import ProgressHost

/// How sockets of scans, imports and failed jobs end (websocket.md "Connection lifetime" and "Payloads").
@Suite("How sockets of scans, imports and failed jobs end")
struct ScanSocketTests {
    private static let ping = #"{"type":"ping"}"#

    @Test(
        "after a completed scan or import, a socket that its client does not close is closed with 1000 after ten seconds",
        arguments: [Pipeline.aiScan, .csvImport])
    func waitsForTheClient(pipeline: Pipeline) throws {
        let host = try TestHost()
        let job = try host.create(books: 2, pipeline: pipeline)
        let worker = try TestWorker(host)
        let live = try host.watch(token: job.token)
        let old = try host.open(token: job.token, v1: true)
        let leaving = try host.watch(token: job.token)
        try worker.record(try worker.claim())
        let late = try host.open(token: job.token, reconnect: true)
        #expect(host.proxy.take(live).story.suffix(1) == ["job_complete"])
        #expect(host.proxy.take(old).story.suffix(1) == ["complete"])
        #expect(host.proxy.take(late).story == ["reconnected", "job_complete"])
        _ = host.proxy.take(leaving)
        try host.closed(leaving)
        host.advance(by: .milliseconds(9_999))
        try host.say(Self.ping, on: live)
        #expect(host.proxy.take(live).story == ["pong"])
        #expect(host.proxy.take(late).isEmpty)
        host.advance(by: .milliseconds(1))
        for socket in [live, old, late] { #expect(host.proxy.take(socket).story == ["close 1000"]) }
        #expect(host.proxy.take(leaving).isEmpty)
        host.advance(by: .seconds(60))
        #expect(host.openSockets == 0)
    }

    @Test("closeConnection does not wait for the client of a completed scan")
    func closeConnection() throws {
        let host = try TestHost()
        let job = try host.create(books: 1, pipeline: .aiScan)
        let worker = try TestWorker(host)
        let socket = try host.watch(token: job.token)
        try worker.record(try worker.claim())
        _ = host.proxy.take(socket)
        let id = job.jobId
        try host.perform(writes: false) { engine, turn in
            try engine.connections.closeConnections(of: id, reason: nil, turn)
        }
        #expect(host.proxy.take(socket).story == ["close 1000"])
    }

    @Test("the socket of a cancelled scan closes immediately with 1001")
    func cancelled() throws {
        let host = try TestHost()
        let job = try host.create(books: 2, pipeline: .aiScan)
        let socket = try host.watch(token: job.token)
        _ = try host.cancel(token: job.token)
        #expect(host.proxy.take(socket).story == ["ready_ack", "job_progress", "close 1001"])
    }

    /// A job whose items cannot be looked up, and a socket that watches it.
    private func failing(_ pipeline: Pipeline, v1: Bool = false) throws -> (TestHost, CreatedJob, SocketID) {
        let host = try TestHost(jitter: 0)
        let job = try host.create(books: 1, pipeline: pipeline)
        let worker = try TestWorker(host)
        let socket = v1 ? try host.open(token: job.token, v1: true) : try host.watch(token: job.token)
        for _ in 0..<4 { try worker.record(try worker.claim(), error: .providerError) }
        return (host, job, socket)
    }

    @Test(
        "a failed scan is reported in a progress frame, then in an error that is not retryable, and the socket closes with 1011"
    )
    func failedScan() throws {
        let (host, job, socket) = try failing(.aiScan)
        let received = host.proxy.take(socket)
        #expect(received.story.suffix(3) == ["job_progress", "error", "close 1011"])
        let status = received.frames.dropLast().last?.payload?["status"]?.text
        #expect(status == "Scan failed (error): no provider gave a usable response for any book")
        let error = try #require(received.frames.last?.payload)
        #expect(error["retryable"]?.flag == false)
        #expect(error["userMessage"]?.text == received.frames.dropLast().last?.payload?["userMessage"]?.text)
        #expect(error["code"]?.text == "E_AI_SCAN_FAILED")
        #expect(error["error"]?["code"]?.text == "AI_SCAN_ERROR")
        #expect(received.seqs == Array(1...received.seqs.count))
        // A later client receives the same frames, with increasing `seq`.
        let last = try host.state(token: job.token).lastSeq
        let end = Array(received.frames.suffix(2).map(\.bytes))
        let fresh = host.proxy.take(try host.watch(token: job.token))
        #expect(fresh.story.suffix(3) == ["job_progress", "error", "close 1011"])
        #expect(fresh.frames.suffix(2).map(\.bytes) == end)
        for since in [nil, last - 2] {
            let back = host.proxy.take(try host.open(token: job.token, reconnect: true, since: since))
            #expect(back.story == ["reconnected", "job_progress", "error", "close 1011"])
            #expect(back.frames.map { $0.json["seq"]?.integer } == [last - 2, last - 1, last])
            #expect(back.frames.suffix(2).map(\.bytes) == end)
        }
        let known = host.proxy.take(try host.open(token: job.token, since: last - 1))
        #expect(known.story == ["reconnected", "error", "close 1011"])
    }

    @Test("a v1 client receives a scan's failure in exactly one frame, which has both a status and an error")
    func failedScanV1() throws {
        let (host, _, socket) = try failing(.aiScan, v1: true)
        let received = host.proxy.take(socket)
        let ends = received.frames.compactMap { $0.content?["currentStatus"]?.text }.filter {
            !StatusText.isNeutral($0)
        }
        #expect(ends == ["Scan failed (error): no provider gave a usable response for any book"])
        #expect(received.frames.last?.content?["error"]?.text == "no provider gave a usable response for any book")
        #expect(received.close == .internalError)
    }

    @Test("a v1 client receives a scan's books in its last frame, with a status that reports completion")
    func completedV1() throws {
        let host = try TestHost()
        let job = try host.startScan()
        let worker = try TestWorker(host)
        let socket = try host.open(token: job.token, v1: true)
        let step = try #require(try worker.claimPhotos())
        try worker.begin(0, of: step)
        try worker.read(["Dune", "Emma"], of: step)
        try worker.find(try worker.claim())
        let frames = host.proxy.take(socket).frames.compactMap(\.content)
        let running = frames.dropLast().compactMap { $0["currentStatus"]?.text }
        #expect(running.filter { !StatusText.isNeutral($0) } == [])
        let end = try #require(frames.last)
        #expect(end["currentStatus"]?.text == "Scan complete")
        #expect(end["progress"] == .integer(1))
        let result = try #require(end["result"])
        #expect(result["totalDetected"]?.integer == 2)
        #expect(result["approved"]?.integer == 2)
        #expect(result["needsReview"]?.integer == 0)
        #expect(result["books"]?.list?.map { $0["title"]?.text } == ["Dune", "Emma"])
        #expect(result["metadata"]?["modelUsed"]?.text == "m")
    }

    @Test("a v1 client of a scan whose photo shows no books receives the reason for the failure")
    func emptyV1() throws {
        let host = try TestHost()
        let job = try host.startScan()
        let worker = try TestWorker(host)
        let socket = try host.open(token: job.token, v1: true)
        try worker.read([], of: try #require(try worker.claimPhotos()))
        let end = try #require(host.proxy.take(socket).frames.last?.content)
        let reason = "No books found. Try a clearer photo with better lighting."
        #expect(end["currentStatus"]?.text == "Scan failed (error): \(reason)")
        #expect(end["error"]?.text == reason)
    }

    @Test("the last frame of a v1 scan leaves out books that do not fit")
    func longV1() throws {
        let host = try TestHost()
        try host.startScan()
        let rows = (0..<10).map { #"{"title":"Book \#($0)"}"# }
        let figures = ScanFigures(
            detected: 10, approved: 4, enriched: 4, photos: [], modelUsed: "m", processingTime: 1, endedAt: 0)
        let frame = try host.perform(writes: false) { _, turn in
            let row = try #require(try turn.jobs.job(TestHost.jobID, at: turn.now.wall))
            let composer = FrameComposer(job: row, counts: JobCounts(total: 10), now: turn.now)
            return try V1Completion(composer: composer).frame(figures, byteLimit: 700) { bytes in
                #expect(bytes > 0)
                #expect(bytes < 700)
                return ByteBuffer(string: rows.prefix(3).joined(separator: ","))
            }
        }
        let result = try JSON(Array(buffer: frame))["data"]?["result"]
        #expect(result?["books"]?.list?.count == 3)
        #expect(result?["needsReview"]?.integer == 6)
    }

    @Test(
        "a failed enrichment or import has neutral status texts and is retryable",
        arguments: [
            (Pipeline.batchEnrichment, "E_ENRICHMENT_FAILED", "PROCESSING_FAILED"),
            (.csvImport, "E_CSV_PROCESSING_FAILED", "CSV_PARSE_ERROR"),
        ])
    func failedJob(pipeline: Pipeline, code: String, inner: String) throws {
        let (host, _, socket) = try failing(pipeline)
        let received = host.proxy.take(socket)
        let statuses = received.frames.compactMap { $0.payload?["status"]?.text }
        #expect(statuses.filter { !StatusText.isNeutral($0) } == [])
        let error = try #require(received.frames.last?.payload)
        #expect(error["retryable"]?.flag == true)
        #expect(error["code"]?.text == code)
        #expect(error["error"]?["code"]?.text == inner)
        #expect(received.close == .internalError)
    }
}
