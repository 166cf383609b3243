import Foundation
import Logging
import Observability
import SuiteMethods

@testable import BookstrackCLI

/// Events as services send them.
enum TailSamples {
    /// 14:03:59.042 UTC on 21 November 2026.
    static let time: Int64 = 1_795_269_839_042
    static let job = "8b1c22d0-5b1e-4c7e-9d3f-6f0e8a1b2c3d"

    static func request(
        at offset: Int64 = 0, _ url: String = "/v1/search/isbn?isbn=9780441172719", status: Int = 200,
        outcome: TailOutcome = .ok, job: String? = nil, logs: [TailEvent.Line] = []
    ) throws -> TailEvent {
        var event = try event(.request, at: offset)
        event.outcome = outcome
        event.durationMs = 12.3
        event.requestId = "4bf92f3577b34da6a3ce929d0e0e4736"
        event.jobId = job
        event.logs = logs
        event.event = .init(
            request: .init(method: "GET", url: url, headers: ["host": "localhost"], address: "127.0.0.1"),
            response: .init(status: status))
        return event
    }

    static func call(at offset: Int64 = 0, _ method: String = "jobs.claim", code: String? = nil) throws -> TailEvent {
        var event = try event(.rpc, at: offset)
        event.durationMs = 0.25
        event.requestId = "4bf92f3577b34da6a3ce929d0e0e4736"
        event.event = .init(rpc: .init(method: method, peerPid: 12, code: code))
        return event
    }

    static func step(at offset: Int64 = 0, _ name: TailSubject.Step.Name = .recorded) throws -> TailEvent {
        var event = try event(.job, at: offset)
        event.jobId = job
        event.event = .init(job: .init(step: name, index: 12, result: "found", code: nil))
        return event
    }

    static func logged(
        at offset: Int64 = 0, _ level: Logger.Level = .notice, _ message: String, _ metadata: [String: String]? = nil
    ) throws -> TailEvent {
        var event = try event(.log, at: offset)
        event.logs = [line(after: offset, level, message, metadata)]
        return event
    }

    static func line(
        after offset: Int64 = 0, _ level: Logger.Level = .info, _ message: String, _ metadata: [String: String]? = nil
    ) -> TailEvent.Line {
        .init(timestamp: time + offset, level: level, message: message, metadata: metadata)
    }

    private static func event(_ kind: TailKind, at offset: Int64) throws -> TailEvent {
        let bare =
            #"{"kind":"\#(kind.rawValue)","outcome":"ok","eventTimestamp":\#(time + offset),"logs":[],"exceptions":[]}"#
        return try JSONDecoder().decode(TailEvent.self, from: Data(bare.utf8))
    }
}
