import BookstrackContract
import Foundation
import JSONRPC
import NIOCore
import SuiteMethods
import Testing
import TestSupport
@testable import ProgressHost

@Suite("Frame encoding")
struct FrameEncodingTests {
    private static let hostile = [
        String(repeating: "x", count: 10_000), String(repeating: "🦊", count: 500),
        String(repeating: "👩‍👩‍👧‍👦", count: 200), "e" + String(repeating: "\u{301}", count: 5_000),
        String(repeating: "\u{1}", count: 500), String(repeating: "\"\\", count: 500),
        String(repeating: "\u{2028}", count: 500), String(repeating: "\u{0}", count: 500),
        String(repeating: "א", count: 500),
    ]

    @Test("a frame stays below 1 KiB, whatever the titles and authors are", arguments: hostile)
    func below1KiB(text: String) throws {
        let id = JobID(String(repeating: "j", count: 64))!
        let counts = JobCounts(total: 10_000, succeeded: 4_999, failed: 4_999)
        let progress = try FrameEncoding.encode { limit in
            let title = limit.cut(text)
            return ServerFrame(
                jobId: id, pipeline: .batchEnrichment, timestamp: 1_700_000_000_000, seq: 99_999_999,
                payload: JobProgressPayload(
                    counts: counts, status: limit.cut(text), currentTitle: title,
                    currentItemDetails: .init(isbn: limit.cut(text), author: limit.cut(text)),
                    userMessage: StatusText.friendlyProgress(
                        title: title, found: true, processed: 9_998, total: 10_000),
                    estimatedTimeRemaining: 86_400, keepAlive: true))
        }
        #expect(progress.readableBytes < FrameEncoding.softLimit)
        let error = try FrameEncoding.encode { limit in
            ServerFrame(
                jobId: id, pipeline: .batchEnrichment, timestamp: 1_700_000_000_000, seq: 99_999_999,
                payload: JobErrorPayload(
                    code: .enrichmentFailed, message: "the job ran out of time before any book was looked up",
                    userMessage: "None of your books could be looked up just now. Please try again later.",
                    retryable: true, affectedItems: Array(repeating: limit.cut(text), count: 10),
                    details: .init(successCount: 0, failureCount: 10_000)))
        }
        #expect(error.readableBytes < FrameEncoding.softLimit)
    }

    @Test("a progress frame written without an encoder has the same bytes as an encoded one", arguments: 0..<50)
    func byHand(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let texts = Self.hostile.map { FrameTextLimit(bytes: 40).cut($0) } + ["", "9780441478125", "Ursula K. Le Guin"]
        let total = Int.random(in: 0...3_000, using: &random)
        var counts = JobCounts(total: total, succeeded: Int.random(in: 0...total, using: &random))
        counts.failed = Int.random(in: 0...(total - counts.succeeded), using: &random)
        if Bool.random(using: &random) { counts.failures[.notFound] = counts.failed }
        let frame = ServerFrame(
            jobId: .random(), pipeline: Pipeline.allCases.randomElement(using: &random)!,
            timestamp: .random(in: 0...2_000_000_000_000, using: &random), seq: .random(in: 0...9_999, using: &random),
            payload: JobProgressPayload(
                counts: counts, status: texts.randomElement(using: &random)!,
                currentTitle: texts.randomElement(using: &random)!,
                currentItemDetails: .init(
                    isbn: Bool.random(using: &random) ? texts.randomElement(using: &random)! : nil,
                    author: Bool.random(using: &random) ? texts.randomElement(using: &random)! : nil),
                userMessage: texts.randomElement(using: &random)!,
                estimatedTimeRemaining: Bool.random(using: &random) ? .random(in: 0...9_999, using: &random) : nil,
                keepAlive: [nil, true, false].randomElement(using: &random)!))
        #expect(try String(buffer: FrameText.progress(frame)) == String(buffer: BodyCoding.encode(frame)))
    }

    @Test("a ready_ack written without an encoder has the same bytes as an encoded one", arguments: Pipeline.allCases)
    func readyAck(pipeline: Pipeline) throws {
        let frame = ServerFrame(
            jobId: .random(), pipeline: pipeline, timestamp: 1_700_000_000_000, seq: 17,
            payload: ReadyAckPayload(timestamp: 1_700_000_000_001))
        #expect(try String(buffer: FrameText.readyAck(frame)) == String(buffer: BodyCoding.encode(frame)))
    }

    @Test("strings that fit are unchanged, and others are cut between two characters and end with an ellipsis")
    func cut() {
        #expect(FrameTextLimit(bytes: 10).cut("0123456789") == "0123456789")
        #expect(FrameTextLimit(bytes: 10).cut("01234567890") == "0123456…")
        #expect(FrameTextLimit(bytes: 10).cut("🦊🦊🦊") == "🦊…")
        #expect(FrameTextLimit(bytes: 10).cut("👩‍👩‍👧‍👦 family") == "…")
        #expect(FrameTextLimit(bytes: 0).cut("abcdef") == "…")
        #expect(FrameTextLimit(bytes: 10).cut(nil) == nil)
    }

    @Test(
        "a cut text stays within a limit of 3 bytes or more, and is a prefix of the whole text followed by an ellipsis",
        arguments: 0..<20)
    func property(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet: [Character] = ["a", "é", "e\u{301}", "🦊", "👩‍👩‍👧‍👦", "\u{0}", "字", "\n", "\r\n"]
        for _ in 0..<200 {
            let text = String(
                (0..<Int.random(in: 0...40, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
            let limit = Int.random(in: 3...60, using: &random)
            let cut = FrameTextLimit(bytes: limit).cut(text)
            #expect(cut.utf8.count <= limit)
            guard cut != text else { continue }
            #expect(cut.last == "…")
            #expect(text.hasPrefix(cut.dropLast()))
        }
    }
}

/// The frames that the host sends, decoded with the structures in the documents.
@Suite("Documented frames, as sent")
struct DocumentedFrameTests {
    /// Frames of every type that clients of an enrichment receive without following its results, with hostile titles.
    private func everything(v1: Bool) throws -> [ReceivedFrame] {
        let host = try TestHost(jitter: 0)
        let titles = [
            "🦊\u{0}" + String(repeating: "\"", count: 490), "e" + String(repeating: "\u{301}", count: 240), "Emma",
        ]
        let job = try host.create(
            TestHost.jobID, titles.map { BookQuery(title: $0, author: $0, isbn: "9780441172719") })
        let failing = try host.create(JobID("failing-job")!, Array(repeating: BookQuery(title: titles[0]), count: 12))
        let cancelled = try host.create(JobID("cancelled-job")!, books: 2)
        let sockets = try [job, failing, cancelled].map { try host.open($0.jobId, token: $0.token, v1: v1) }
        for socket in sockets { try host.say(#"{"type":"ready"}"#, on: socket) }
        try host.say(#"{"type":"ping","payload":{"clientTime":5}}"#, on: sockets[0])
        try host.say(#"{"type":"sync_request"}"#, on: sockets[0])
        let worker = try TestWorker(host)
        var items = try worker.claim()
        try worker.recordOneByOne(Array(items.filter { $0.key.jobId == job.jobId }.dropLast()))
        host.advance(by: .seconds(31))
        try worker.record(items.filter { $0.key.jobId == job.jobId })
        for _ in 0..<4 {
            try worker.record(items.filter { $0.key.jobId == failing.jobId }, error: .providerError)
            items = try worker.claim()
        }
        _ = try host.cancel(cancelled.jobId, token: cancelled.token)
        return sockets.flatMap { host.proxy.take($0).frames }
    }

    @Test(
        "an enrichment's frames have no nulls, are below 1 KiB, have a neutral status, and decode with every document's structures"
    )
    func current() throws {
        let frames = try everything(v1: false)
        let types = Set(frames.compactMap(\.type))
        #expect(
            types == [
                "ready_ack", "job_started", "job_progress", "job_complete", "error", "ping", "pong", "reconnected",
            ])
        for frame in frames {
            #expect(!frame.json.hasNull)
            #expect(frame.bytes.count < 1_024)
            #expect(frame.json["seq"]?.integer == frame.seq)
            #expect(frame.json["timestamp"]?.integer != nil)
            let read = try JSONDecoder().decode(WebSocketMessageV2.self, from: Data(frame.bytes))
            #expect(read.type == read.payload.type)
            #expect(read.version == "1.0.0")
            try check(frame)
        }
    }

    private func check(_ frame: ReceivedFrame) throws {
        let bytes = Data(frame.bytes), decoder = JSONDecoder()
        switch frame.type {
        case "job_started":
            _ = try decoder.decode(ContractFrame<ContractPayload.JobStarted>.self, from: bytes)
        case "job_progress":
            let read = try decoder.decode(ContractFrame<ContractPayload.JobProgress>.self, from: bytes)
            #expect(StatusText.isNeutral(read.payload.status))
            _ = try decoder.decode(ContractFrame<PhaseTwoPayload.Progress>.self, from: bytes)
        case "job_complete":
            _ = try decoder.decode(ContractFrame<ContractPayload.JobComplete>.self, from: bytes)
            _ = try decoder.decode(ContractFrame<PhaseTwoPayload.Completion>.self, from: bytes)
            #expect(try decoder.decode(WebSocketMessageV2.self, from: bytes).payload.result != nil)
            #expect(frame.payload?["books"] == nil)
        case "error":
            _ = try decoder.decode(ContractFrame<ContractPayload.Failure>.self, from: bytes)
            _ = try decoder.decode(ContractFrame<PhaseTwoPayload.Failure>.self, from: bytes)
            #expect(try decoder.decode(WebSocketMessageV2.self, from: bytes).payload.error != nil)
        case "ready_ack": _ = try decoder.decode(ContractFrame<ContractPayload.ReadyAck>.self, from: bytes)
        case "reconnected": _ = try decoder.decode(ContractFrame<ContractPayload.Reconnected>.self, from: bytes)
        case "pong": _ = try decoder.decode(ContractFrame<PhaseTwoPayload.Heartbeat>.self, from: bytes)
        default: #expect(frame.type == "ping")
        }
    }

    @Test(
        "v1 frames are flat progress and complete frames, have a neutral status, and decode with both documents' structures"
    )
    func firstVersion() throws {
        let frames = try everything(v1: true).filter { $0.json["payload"] == nil }
        #expect(Set(frames.compactMap(\.type)) == ["progress", "complete"])
        for frame in frames {
            #expect(!frame.json.hasNull)
            let old = try JSONDecoder().decode(ProgressMessageV1.self, from: Data(frame.bytes))
            let documented = try JSONDecoder().decode(ArchitectureMessageV1.self, from: Data(frame.bytes))
            #expect(StatusText.isNeutral(old.data.status))
            #expect(old.data.status == documented.data.currentStatus)
        }
    }
}
