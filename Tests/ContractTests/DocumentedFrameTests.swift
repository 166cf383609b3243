import BookstrackContract
import Foundation
import JSONRPC
import NIOCore
import TestSupport
import Testing

/// Frames, decoded with the structures of each documented generation of clients; also the counts of a job.
@Suite("Documented frames and job counts")
struct DocumentedFrameTests {
    private static let job = JobID("550e8400-e29b-41d4-a716-446655440000")!
    private static let counts = JobCounts(total: 10, succeeded: 4, failed: 1)

    private func bytes(_ payload: some FramePayload) throws -> Data {
        let frame = ServerFrame(
            jobId: Self.job, pipeline: .batchEnrichment, timestamp: 1_700_000_000_000, seq: 17, payload: payload)
        return Data(try BodyCoding.encode(frame).readableBytesView)
    }

    private func decode<Frame: Decodable>(_ type: Frame.Type, _ payload: some FramePayload) throws -> Frame {
        try JSONDecoder().decode(type, from: bytes(payload))
    }

    private static let progress = JobProgressPayload(
        counts: counts, status: StatusText.progress(processed: 5, total: 10), currentTitle: "Dune",
        currentItemDetails: .init(isbn: "9780441172719", author: "Frank Herbert"),
        userMessage: StatusText.friendlyProgress(title: "Dune", found: true, processed: 5, total: 10),
        estimatedTimeRemaining: 12)
    private static let complete = JobCompletePayload(
        jobId: job, pipeline: .batchEnrichment, counts: JobCounts(total: 10, succeeded: 9, failed: 1),
        durationMilliseconds: 4_200, expiresAt: "2025-11-16T20:00:00.000Z",
        userMessage: StatusText.completion(JobCounts(total: 10, succeeded: 9, failed: 1)))
    private static let error = JobErrorPayload(
        code: .enrichmentFailed, message: "no provider", userMessage: "Please try again.", retryable: true,
        affectedItems: (0..<15).map { "Book \($0)" }, details: .init(successCount: 0, failureCount: 15))

    @Test("v2 clients can decode progress, completion and error frames")
    func migrationGuide() throws {
        let progress = try decode(WebSocketMessageV2.self, Self.progress)
        #expect(progress.type == "job_progress")
        #expect(progress.payload.type == "job_progress")
        #expect(progress.pipeline == "batch_enrichment")
        #expect(progress.version == "1.0.0")
        #expect(progress.payload.progress == 0.5)
        #expect(progress.payload.status == "Processing book 5 of 10")
        #expect(progress.payload.booksProcessed == 5)
        #expect(progress.payload.totalBooks == 10)
        let complete = try #require(try decode(WebSocketMessageV2.self, Self.complete).payload.result)
        #expect((complete.totalBooks, complete.successCount, complete.failureCount) == (10, 9, 1))
        let error = try #require(try decode(WebSocketMessageV2.self, Self.error).payload.error)
        #expect(error.code == "PROCESSING_FAILED")
        #expect(error.message == "no provider")
    }

    @Test("v2 clients can decode the envelopes of job, ready_ack, ping, pong and reconnected frames")
    func everyFrame() throws {
        let payloads: [any FramePayload] = [
            JobStartedPayload(totalCount: 10, estimatedDuration: 2_000, status: "Processing book 0 of 10"),
            Self.progress, Self.complete, Self.error, ReadyAckPayload(timestamp: 1), PingPayload(timestamp: 1),
            PongPayload(timestamp: 1, clientTime: nil), PongPayload(timestamp: 50, clientTime: 8),
            ReconnectedPayload(
                status: .processing, counts: Self.counts, lastUpdate: 5, message: "Welcome back", recovered: false),
        ]
        for payload in payloads {
            let frame = try decode(WebSocketMessageV2.self, payload)
            #expect(frame.type == payload.type.rawValue)
            #expect(frame.payload.type == payload.type.rawValue)
            #expect(frame.jobId == Self.job.text)
            #expect(frame.timestamp == 1_700_000_000_000)
            let text = String(decoding: try bytes(payload), as: UTF8.self)
            #expect(!text.contains("null"))
            #expect(text.contains(#""seq":17"#))
            #expect(text.utf8.count < 1_024)
        }
    }

    @Test("documented frames can be decoded into the contract's structures")
    func contract() throws {
        let started = try decode(
            ContractFrame<ContractPayload.JobStarted>.self,
            JobStartedPayload(totalCount: 10, estimatedDuration: 2_000, status: "s"))
        #expect(started.payload.totalItems == 10)
        #expect(started.payload.estimatedDuration == 2_000)
        let progress = try decode(ContractFrame<ContractPayload.JobProgress>.self, Self.progress)
        #expect(progress.payload.currentItem == "Dune")
        #expect(progress.payload.processedCount == 5)
        let complete = try decode(ContractFrame<ContractPayload.JobComplete>.self, Self.complete)
        #expect(complete.payload.resultsUrl == "/v1/enrichment/results/\(Self.job)")
        let error = try decode(ContractFrame<ContractPayload.Failure>.self, Self.error)
        #expect(error.payload.code == "E_ENRICHMENT_FAILED")
        #expect(error.payload.retryable)
        let ack = try decode(ContractFrame<ContractPayload.ReadyAck>.self, ReadyAckPayload(timestamp: 99))
        #expect(ack.payload.timestamp == 99)
        let reconnected = try decode(
            ContractFrame<ContractPayload.Reconnected>.self,
            ReconnectedPayload(
                status: .processing, counts: Self.counts, lastUpdate: 5, message: "m", recovered: true))
        #expect(reconnected.payload.status == "processing")
        #expect(reconnected.payload.lastUpdate == 5)
    }

    @Test("the newest clients can decode progress texts, structured errors, completion counts and heartbeats")
    func phaseTwo() throws {
        let progress = try decode(ContractFrame<PhaseTwoPayload.Progress>.self, Self.progress).payload
        #expect(progress.userMessage == "Finding details for Dune... 5 of 10 books complete")
        #expect(progress.currentTitle == "Dune")
        let error = try decode(ContractFrame<PhaseTwoPayload.Failure>.self, Self.error).payload
        #expect(error.affectedItems?.count == 10)
        #expect(error.details.failureCount == 15)
        let complete = try decode(ContractFrame<PhaseTwoPayload.Completion>.self, Self.complete).payload
        #expect((complete.successCount, complete.failureCount, complete.duration) == (9, 1, 4_200))
        let pong = try decode(
            ContractFrame<PhaseTwoPayload.Heartbeat>.self, PongPayload(timestamp: 50, clientTime: 8))
        #expect(pong.payload.clientTime == 8)
    }

    @Test(
        "the third generation of the app distinguishes a scan's completion from any other",
        arguments: Pipeline.allCases)
    func thirdGeneration(pipeline: Pipeline) throws {
        let complete = JobCompletePayload(
            jobId: Self.job, pipeline: pipeline, counts: Self.counts, durationMilliseconds: 1,
            expiresAt: "2025-11-16T20:00:00.000Z", userMessage: "")
        switch try decode(ContractFrame<ShippedApps.Third>.self, complete).payload {
        case .scan: #expect(pipeline == .aiScan)
        case .enrichment(let resourceId):
            #expect(pipeline != .aiScan)
            #expect(resourceId == "job-results:\(Self.job)")
        }
    }

    @Test(
        "progress, percentage and remaining items are consistent", arguments: [(0, 0), (0, 3), (1, 3), (2, 3), (3, 3)])
    func percentage(processed: Int, total: Int) throws {
        let counts = JobCounts(total: total, succeeded: processed, skipped: total - processed)
        #expect(counts.percentage == Int(counts.progress * 100))
        #expect(counts.remaining == total - processed)
        #expect(counts.withoutResult == total - processed)
    }

    @Test("clients with either documented v1 structure can decode flat progress and completion frames")
    func firstVersion() throws {
        var content = V1Frame.Content(counts: Self.counts, status: "Processing book 5 of 10")
        content.currentWorkId = "work-abc123"
        for kind in [V1Frame.Kind.progress, .complete] {
            let frame = V1Frame(type: kind, jobId: Self.job, timestamp: 1_697_654_321_000, data: content)
            let bytes = Data(try BodyCoding.encode(frame).readableBytesView)
            let old = try JSONDecoder().decode(ProgressMessageV1.self, from: bytes)
            #expect(old.type == kind.rawValue)
            #expect(old.data.progress == 0.5)
            let documented = try JSONDecoder().decode(ArchitectureMessageV1.self, from: bytes)
            #expect((documented.data.processedItems, documented.data.totalItems) == (5, 10))
            #expect(documented.data.currentStatus == old.data.status)
            #expect(documented.data.currentWorkId == "work-abc123")
            #expect(documented.data.error == nil)
        }
    }

    @Test("frames are unchanged by encoding and decoding")
    func roundTrip() throws {
        let frame = ServerFrame(
            jobId: Self.job, pipeline: .csvImport, timestamp: 1, seq: 2, payload: Self.complete)
        let bytes = Data(try BodyCoding.encode(frame).readableBytesView)
        #expect(try JSONDecoder().decode(ServerFrame<JobCompletePayload>.self, from: bytes) == frame)
    }

    @Test("integers and progress are encoded as JSON numbers, and an empty job's progress is 1")
    func integers() throws {
        let text = String(decoding: try bytes(Self.progress), as: UTF8.self)
        for member in [#""timestamp":1700000000000,"#, #""processedCount":5,"#, #""progress":0.5,"#] {
            #expect(text.contains(member))
        }
        #expect(JobCounts(total: 0).progress == 1)
    }
}
