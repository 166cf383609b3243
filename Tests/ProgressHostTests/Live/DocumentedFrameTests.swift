import BookstrackContract
import Foundation
import SuiteMethods
import TestSupport
import Testing

@testable import ProgressHost

/// What the host really sends decodes with the structures of the documents.
@Suite("Documented frames, as sent")
struct DocumentedFrameTests {
    /// Frames of every type that the host sends, with titles as hostile as they come.
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

    @Test("current frames: every type, no nulls, below 1 KiB, neutral status, and every document's decoder reads them")
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
            #expect(read.type == read.payload.type && read.version == "1.0.0")
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

    @Test("v1 frames: flat progress and complete, neutral status, read by both documents' structures")
    func firstVersion() throws {
        let frames = try everything(v1: true).filter { $0.json["payload"] == nil }
        #expect(Set(frames.compactMap(\.type)) == ["progress", "complete"])
        for frame in frames {
            #expect(!frame.json.hasNull)
            let old = try JSONDecoder().decode(ProgressMessageV1.self, from: Data(frame.bytes))
            let documented = try JSONDecoder().decode(ArchitectureMessageV1.self, from: Data(frame.bytes))
            #expect(StatusText.isNeutral(old.data.status) && old.data.status == documented.data.currentStatus)
        }
    }
}
