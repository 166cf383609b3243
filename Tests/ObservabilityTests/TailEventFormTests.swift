import Foundation
import HTTPTypes
import Logging
import Testing

@testable import Observability

/// A tail's events as its readers receive them, with the members that `wrangler tail` prints
/// (deploy/docs/command-line.md "tail").
@Suite("JSON of tail events")
struct TailEventFormTests {
    private static let trace = TraceContext(traceID: "0af7651916cd43dd8448eb211c80319c", requestID: "my-request")!

    private func json(_ event: TailEvent) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(event), as: UTF8.self)
    }

    @Test("a job step's event contains its job and its trace, and no request")
    func step() throws {
        let entry = TailEntry(
            .init(.lookedUp, index: 0, result: "succeeded"), job: "job-under-test", Self.trace, at: 1_700)
        #expect(
            try json(TailEvent(entry))
                == #"{"event":{"job":{"index":0,"result":"succeeded","step":"looked_up"}},"eventTimestamp":1700,"#
                + #""exceptions":[],"jobId":"job-under-test","kind":"job","logs":[],"outcome":"ok","#
                + #""requestId":"my-request","traceId":"0af7651916cd43dd8448eb211c80319c"}"#)
    }

    @Test("a failed step's event contains its error code")
    func failedStep() throws {
        let entry = TailEntry(.init(.failed, code: "E_ENRICHMENT_FAILED"), job: "J", nil, at: 1, .error)
        #expect(
            try json(TailEvent(entry))
                == #"{"event":{"job":{"code":"E_ENRICHMENT_FAILED","step":"failed"}},"eventTimestamp":1,"#
                + #""exceptions":[],"jobId":"J","kind":"job","logs":[],"outcome":"error"}"#)
    }

    @Test(
        "each job step has its documented name",
        arguments: [
            (TailSubject.Step.Name.accepted, "accepted"), (.started, "started"), (.completed, "completed"),
            (.failed, "failed"), (.cancelled, "cancelled"), (.lookedUp, "looked_up"), (.recorded, "recorded"),
            (.socketOpened, "socket_opened"), (.socketClosed, "socket_closed"), (.streamOpened, "stream_opened"),
            (.streamClosed, "stream_closed"), (.uploadAccepted, "upload_accepted"), (.uploadRefused, "upload_refused"),
            (.readingStarted, "reading_started"), (.readingFinished, "reading_finished"),
            (.readingFailed, "reading_failed"), (.photoRead, "photo_read"), (.photoFailed, "photo_failed"),
            (.resultsUpdated, "results_updated"), (.webhookDelivered, "webhook_delivered"),
            (.webhookFailed, "webhook_failed"), (.submitted, "submitted"),
        ])
    func stepNames(name: TailSubject.Step.Name, text: String) {
        #expect(name.rawValue == text)
        #expect(TailSubject.Step.Name.allCases.count == 22)
    }

    private func request(
        target: String = "/v1/jobs/J?token=s3cret", fields: HTTPFields = [:], status: Int? = 200,
        address: String? = "203.0.113.7", outcome: TailOutcome = .ok, _ activity: Activity = Activity(trace)
    ) -> TailEvent {
        TailEvent(
            TailEntry(
                .request(
                    .init(method: "GET", target: target, fields: { fields }, status: status, address: { address })),
                of: activity, outcome))
    }

    @Test("a request's event contains method, URL and header fields, with secrets removed")
    func requests() throws {
        var fields = HTTPFields()
        fields[.userAgent] = "Librarian/3"
        fields[.authorization] = "Bearer s3cret"
        fields[.cookie] = "session=s3cret"
        fields[.referer] = "https://a.example/?token=s3cret"
        let event = request(fields: fields)
        #expect(event.kind == .request)
        let request = try #require(event.event?.request)
        #expect(request.method == "GET")
        #expect(request.url == "/v1/jobs/J?token=REDACTED")
        #expect(request.address == "203.0.113.7")
        #expect(
            request.headers == [
                "user-agent": "Librarian/3", "authorization": "REDACTED", "cookie": "REDACTED",
                "referer": "https://a.example/?token=REDACTED",
            ])
        #expect(event.event?.response == .init(status: 200))
        #expect(try !json(event).contains("s3cret"))
    }

    @Test("the values of repeated header fields are joined")
    func repeatedFields() throws {
        var fields = HTTPFields()
        fields.append(HTTPField(name: .accept, value: "text/html"))
        fields.append(HTTPField(name: .accept, value: "application/json"))
        let headers = try #require(request(fields: fields).event?.request?.headers)
        #expect(headers["accept"]?.split(separator: ", ").sorted() == ["application/json", "text/html"])
    }

    @Test("the event of a request without a response has no response member")
    func noAnswer() {
        let event = request(status: nil, address: nil, outcome: .canceled)
        #expect(event.event?.response == nil)
        #expect(event.event?.request?.address == nil)
        #expect(event.outcome == .canceled)
    }

    @Test("the event of a call between processes contains its method, its caller and its error code")
    func calls() throws {
        let event = TailEvent(
            TailEntry(.rpc(.init(method: "jobs.create", peerPID: 7, code: "STORAGE")), of: Activity(Self.trace), .error)
        )
        #expect(event.kind == .rpc)
        #expect(event.event?.rpc == .init(method: "jobs.create", peerPid: 7, code: "STORAGE"))
        #expect(try #require(event.durationMs) >= 0)
        #expect(event.requestId == "my-request")
    }

    @Test("a request's log lines and errors are included in the order in which they were recorded")
    func notes() throws {
        struct Failure: Error, CustomStringConvertible { let description = "GET /?token=s3cret" }
        let activity = Activity(Self.trace, jobID: "J")
        activity.note(LoggedLine(time: 1, level: .info, message: "a", metadata: [:]))
        activity.note(LoggedLine(time: 2, level: .warning, message: "b", metadata: ["n": "1", "l": ["x", "y"]]))
        activity.note(Failure())
        let event = request(activity)
        #expect(event.logs.map(\.message) == ["a", "b"])
        #expect(event.logs.map(\.metadata) == [nil, ["n": "1", "l": "[\"x\", \"y\"]"]])
        #expect(event.exceptions.map(\.name) == ["Failure"])
        #expect(event.exceptions.map(\.message) == ["GET /?token=REDACTED"])
        #expect(event.jobId == "J")
        #expect(event.droppedNotes == nil)
    }

    @Test("an exception makes an event an error even if a response was sent, unless the client disconnected")
    func exceptions() {
        struct Failure: Error {}
        let activity = Activity(Self.trace)
        activity.note(Failure())
        #expect(request(activity).outcome == .error)
        let left = Activity(Self.trace)
        left.note(Failure())
        #expect(request(outcome: .canceled, left).outcome == .canceled)
    }

    @Test("a tail with a minimum level omits log lines below it")
    func levels() {
        let activity = Activity(Self.trace)
        for level in Logger.Level.allCases {
            activity.note(LoggedLine(time: 0, level: level, message: level.rawValue, metadata: [:]))
        }
        let entry = TailEntry(.rpc(.init(method: "m", peerPID: 1, code: nil)), of: activity, .ok)
        #expect(TailEvent(entry, level: .warning).logs.map(\.message) == ["warning", "error", "critical"])
        #expect(TailEvent(entry).logs.count == 7)
    }

    @Test("a log line outside any request is a separate event, which is an error if its level is error or higher")
    func ownLines() throws {
        let line = LoggedLine(time: 1_700, level: .error, message: "disk full", metadata: ["path": "/d"])
        let event = TailEvent(TailEntry(line))
        #expect(
            try json(event)
                == #"{"eventTimestamp":1700,"exceptions":[],"kind":"log","logs":[{"level":"error","message":"disk full","#
                + #""metadata":{"path":"/d"},"timestamp":1700}],"outcome":"error"}"#)
        #expect(TailEvent(TailEntry(LoggedLine(time: 0, level: .warning, message: "", metadata: [:]))).outcome == .ok)
    }

    @Test("an event from another version with additional members can be decoded, and an event without a kind cannot")
    func otherVersions() throws {
        let text = #"{"kind":"log","outcome":"ok","eventTimestamp":1,"logs":[],"exceptions":[],"mood":"good"}"#
        let event = try JSONDecoder().decode(TailEvent.self, from: Data(text.utf8))
        #expect(event.kind == .log)
        #expect(event.jobId == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(TailEvent.self, from: Data(text.replacing("\"kind\":\"log\",", with: "").utf8))
        }
    }
}
