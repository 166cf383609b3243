import BookstrackContract
import JSONRPC
import NIOCore
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("Events sent to shipped apps") struct AppEventTests {
    private static let path = "/api/v2/imports/8f14e45f-ceea-467f-9575-b1d3c2a4e0aa/stream"

    private let id: JobID
    private let counts: JobCounts

    init() throws {
        id = try job("job-12345")
        counts = JobCounts(total: 4, succeeded: 3)
    }

    private func frame(_ pipeline: Pipeline, _ seq: Int, _ payload: some FramePayload) throws -> ByteBuffer {
        try BodyCoding.encode(
            ServerFrame(jobId: id, pipeline: pipeline, timestamp: 1, seq: seq, payload: payload))
    }

    private func progress(isbn: String? = nil, status: String = "x", keepAlive: Bool? = nil) -> JobProgressPayload {
        JobProgressPayload(
            counts: counts, status: status, currentTitle: "", currentItemDetails: .init(isbn: isbn, author: nil),
            userMessage: "", estimatedTimeRemaining: nil, keepAlive: keepAlive)
    }

    private func completion(_ pipeline: Pipeline) -> JobCompletePayload {
        var payload = JobCompletePayload(
            jobId: id, pipeline: pipeline, counts: counts, durationMilliseconds: 50, expiresAt: "", userMessage: "")
        if pipeline == .aiScan { payload.addScan(detected: 4, approved: 1, modelUsed: "m") }
        return payload
    }

    private let failure = JobErrorPayload(
        code: .csvProcessingFailed, message: "why", userMessage: "", retryable: true, affectedItems: [],
        details: .init(successCount: 0, failureCount: 0))

    private func text(_ event: ByteBuffer?) -> String? { event.map { String(buffer: $0) } }

    @Test("an import is reported as initialized, processing and completed")
    func importing() throws {
        var events = AppEvents(id)
        let started = JobStartedPayload(totalCount: 4, estimatedDuration: 1, status: "")
        #expect(
            text(events.event(of: try frame(.csvImport, 1, started)))
                == "id: 1\nevent: initialized\ndata: {\"jobId\":\"job-12345\",\"processedCount\":0,\"progress\":0,"
                + "\"status\":\"initialized\",\"totalCount\":4}\n\n")
        #expect(
            text(events.event(of: try frame(.csvImport, 2, progress())))
                == "id: 2\nevent: processing\ndata: {\"jobId\":\"job-12345\",\"processedCount\":3,\"progress\":0.75,"
                + "\"status\":\"processing\",\"totalCount\":4}\n\n")
        let end = try #require(text(events.event(of: try frame(.csvImport, 3, completion(.csvImport)))))
        #expect(end.hasPrefix("id: 3\nevent: completed\n"))
        #expect(end.contains(#""progress":1,"#))
    }

    @Test("the event of a failed import states the reason")
    func failing() throws {
        var events = AppEvents(id)
        #expect(
            text(events.event(of: try frame(.csvImport, 2, failure)))
                == "id: 2\nevent: failed\ndata: {\"error\":{\"code\":\"E_CSV_PROCESSING_FAILED\",\"details\":"
                + "{\"failureCount\":0,\"successCount\":0},\"message\":\"why\",\"retryable\":true},\"jobId\":\"job-12345\","
                + "\"processedCount\":0,\"progress\":0,\"status\":\"failed\",\"totalCount\":0}\n\n")
    }

    @Test("an enrichment reports its newest book and its progress in percent")
    func enriching() throws {
        var events = AppEvents(id)
        let first = try frame(.batchEnrichment, 2, progress(isbn: "9780441172719"))
        #expect(
            text(events.event(of: first))
                == "id: 2\nevent: enrichment.progress\ndata: {\"isbn\":\"9780441172719\",\"progress\":75,"
                + "\"provider\":\"bookstrack\",\"status\":\"processing\"}\n\n")
        #expect(
            text(events.event(of: try frame(.batchEnrichment, 3, completion(.batchEnrichment))))
                == "id: 3\nevent: enrichment.completed\ndata: {\"data\":{\"failureCount\":0,\"jobId\":\"job-12345\","
                + "\"resultsUrl\":\"/v1/enrichment/results/job-12345\",\"successCount\":3,\"totalProcessed\":3},"
                + "\"isbn\":\"9780441172719\",\"status\":\"completed\"}\n\n")
    }

    @Test("a scan reports the numbers of photos and books")
    func scanning() throws {
        var events = AppEvents(id)
        var photos = (0..<2).map { ScannedPhoto(index: $0) }
        photos[0].status = .complete
        photos[0].booksFound = 4
        let batch = try #require(BatchProgressPayload(photo: 0, photos: photos, totalBooksFound: 4))
        let whole = try BodyCoding.encode(
            BatchFrame(ServerFrame(jobId: id, pipeline: .aiScan, timestamp: 1, seq: 2, payload: batch)))
        let expected =
            "{\"jobId\":\"job-12345\",\"processedPhotos\":1,\"progress\":0.5,\"recognizedBooks\":4,\"status\":\"processing\","
            + "\"totalPhotos\":2}"
        #expect(text(events.event(of: whole)) == "id: 2\nevent: photoscan.progress\ndata: \(expected)\n\n")
        #expect(
            text(events.event(of: try frame(.aiScan, 3, completion(.aiScan))))
                == "id: 3\nevent: photoscan.completed\ndata: {\"jobId\":\"job-12345\",\"resultsUrl\":"
                + "\"/v1/scan/results/job-12345\",\"status\":\"completed\",\"summary\":{\"approved\":1,\"duration\":50,"
                + "\"enrichedCount\":3,\"needsReview\":3,\"totalDetected\":4}}\n\n")
    }

    @Test("a cancelled job is reported as failed", arguments: [Pipeline.csvImport, .batchEnrichment, .aiScan])
    func cancelling(pipeline: Pipeline) throws {
        var events = AppEvents(id)
        let event = events.event(of: try frame(pipeline, 2, progress(status: StatusText.cancelled)))
        #expect(text(event)?.contains("failed\ndata: ") == true)
        #expect(text(event)?.contains(#""code":"E_JOB_CANCELLED""#) == true)
    }

    @Test("a cancelled import has the progress of its last frame")
    func cancellingImport() throws {
        var events = AppEvents(id)
        var payload = progress(status: StatusText.cancelled)
        payload.progress = 0.5
        #expect(text(events.event(of: try frame(.csvImport, 2, payload)))?.contains(#""progress":0.5,"#) == true)
    }

    @Test("frames with nothing new are omitted")
    func silent() throws {
        var events = AppEvents(id)
        #expect(events.event(of: try frame(.csvImport, 2, progress(keepAlive: true))) == nil)
        #expect(events.event(of: try frame(.csvImport, 2, PingPayload(timestamp: 1))) == nil)
        let replayed = ReconnectedPayload(
            status: .processing, counts: counts, lastUpdate: 1, message: "", recovered: true)
        #expect(events.event(of: try frame(.csvImport, 2, replayed)) == nil)
        #expect(events.event(of: ByteBuffer(string: "{}")) == nil)
    }

    @Test("a stream without a token starts with the reconnection time, followed by the job's events")
    func stream() async throws {
        try await RunningProxy.run { proxy in
            let client = try await EventStreamClient(port: proxy.port, Self.path)
            let (socket, request) = try await proxy.host.nextOpened()
            #expect(request.token == nil)
            #expect(request.isOneWay == true)
            #expect(try await client.head()["content-type"] == "text/event-stream")
            #expect(try await client.next() == "retry: 5000")
            let sent = String(buffer: try frame(.batchEnrichment, 2, progress()))
            proxy.host.deliver(sent, to: [socket], .progress, seq: 2)
            #expect(try await client.next()?.hasPrefix("id: 2\nevent: enrichment.progress\ndata: ") == true)
        }
    }

    @Test("a stream with no events ends with a timeout event")
    func idle() async throws {
        try await RunningProxy.run {
            $0.timeouts.streamHeartbeat = .milliseconds(1)
            $0.timeouts.streamIdle = .milliseconds(1)
        } _: { proxy in
            let client = try await EventStreamClient(port: proxy.port, Self.path)
            _ = try await client.head()
            #expect(try await client.next() == "retry: 5000")
            let id = "8f14e45f-ceea-467f-9575-b1d3c2a4e0aa"
            #expect(try await client.next() == "event: timeout\ndata: {\"jobId\":\"\(id)\",\"status\":\"timeout\"}")
            #expect(try await client.next() == nil)
        }
    }
}
