import BookstrackContract
import Foundation
import NIOHTTP1
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("Messages match their descriptions") struct MessageDescriptionTests {
    @Test("every frame type that the server sends is described exactly once")
    func types() {
        let sent = FrameType.allCases.filter { $0 != .ready }.map(\.rawValue)
        #expect(MessageCatalog.server.map(\.name).sorted() == (sent + ["v1_frame"]).sorted())
    }

    @Test("frames have the described envelope")
    func envelopes() throws {
        let frames = [
            try Self.frame(.jobStarted, JobStartedPayload.self), try Self.frame(.jobProgress, JobProgressPayload.self),
            try Self.frame(.jobComplete, JobCompletePayload.self), try Self.frame(.error, JobErrorPayload.self),
            try Self.frame(.readyAck, ReadyAckPayload.self), try Self.frame(.reconnected, ReconnectedPayload.self),
            try Self.frame(.ping, PingPayload.self), try Self.frame(.pong, PongPayload.self),
            try Self.frame(.batchInit, BatchInitPayload.self),
            try Self.frame(.batchProgress, BatchProgressPayload.self),
            try Self.frame(.batchComplete, BatchCompletePayload.self),
            try Self.frame(.batchCanceling, BatchCancelingPayload.self),
            try Self.frame(.resultsUpdated, ResultsUpdatedPayload.self),
        ]
        #expect(frames.count == MessageCatalog.server.count - 1)
        for frame in frames {
            let example = SchemaExample.make(frame.schema, isFull: true)
            #expect(try frame.pass(example).json == DescribedType.text(example), "\(frame.name)")
        }
    }

    private static func frame<Payload: FramePayload>(
        _ type: FrameType, _ payload: Payload.Type
    ) throws -> DescribedType {
        let message = try #require(MessageCatalog.server.first { $0.name == type.rawValue })
        return DescribedType(message.name, message.payload, ServerFrame<Payload>.self)
    }

    @Test("real frames match their descriptions")
    func frames() throws {
        let counts = JobCounts(total: 10, succeeded: 4, failed: 1)
        let progress = JobProgressPayload(
            counts: counts, status: "Processing book 5 of 10", currentTitle: "Dune",
            currentItemDetails: .init(isbn: "9780441172719", author: nil), userMessage: "…", estimatedTimeRemaining: 2)
        #expect(try SchemaCheck.faults(of: progress, against: .named(.jobProgress)) == [])
        #expect(try SchemaCheck.faults(of: PongPayload(timestamp: 1, clientTime: nil), against: .named(.pong)) == [])
        var scan = JobCompletePayload(
            jobId: try job("job-12345"), pipeline: .aiScan, counts: counts, durationMilliseconds: 1,
            expiresAt: "2026-01-01T00:00:00.000Z", userMessage: "…")
        scan.addScan(detected: 10, approved: 4, modelUsed: "gemini-2.0-flash")
        #expect(try SchemaCheck.faults(of: scan, against: .named(.jobComplete)) == [])
        let v1 = V1Frame(
            type: .progress, jobId: try job("job-12345"), timestamp: 1, data: .init(counts: counts, status: "…"))
        #expect(try SchemaCheck.faults(of: v1, against: .named(.v1Frame)) == [])
    }

    @Test("the server recognizes every described client message", arguments: MessageCatalog.client)
    func clientMessages(_ message: DescribedMessage) throws {
        for isFull in [true, false] {
            let bytes = try JSONSerialization.data(withJSONObject: SchemaExample.make(message.payload, isFull: isFull))
            let read = try ClientMessage(bytes: bytes)
            if case .unknown = read { Issue.record("\(message.name) is unknown") }
            if message.name == "client_ping" { #expect(read == .ping(clientTime: isFull ? 7 : nil)) }
        }
    }

    @Test("server messages on a multi-job socket match their descriptions")
    func jobsMessages() throws {
        let id = try job("job-12345")
        for (name, notice) in [
            ("watched", WatchNotice(.watched, id)), ("unwatched", WatchNotice(endOf: id, .policyViolation)),
            ("watch_refused", WatchNotice(.refused, id, code: .unauthorized)),
            ("watch_refused", WatchNotice(unreadable: .invalid("jobs", "is missing"))),
        ] {
            let message = try #require(JobsMessageCatalog.server.first { $0.name == name })
            #expect(try SchemaCheck.faults(of: notice, against: message.payload) == [])
        }
    }

    @Test("a job list that matches its description can be parsed from a request body")
    func jobSelection() throws {
        let example = SchemaExample.make(SchemaName.jobSelection.schema, isFull: true)
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/v1/events")
        let bytes = Array(try JSONSerialization.data(withJSONObject: example))
        #expect(try JobSelection(body: bytes, head).jobs.first?.since != nil)
    }

    @Test(
        "the described client messages of a multi-job socket can be parsed",
        arguments: JobsMessageCatalog.client)
    func jobsClientMessages(_ message: DescribedMessage) throws {
        let bytes = try JSONSerialization.data(withJSONObject: SchemaExample.make(message.payload, isFull: true))
        switch (message.name, try JobsMessage(String(decoding: bytes, as: UTF8.self))) {
        case ("client_watch", .watch(.success)), ("client_unwatch", .unwatch(.success)): break
        case ("client_concerning", .concerning): break
        case (_, let read): Issue.record("\(message.name) was read as \(read)")
        }
    }

    @Test(
        "every reference in the OpenAPI and AsyncAPI documents has a target",
        arguments: ["/openapi.json", "/asyncapi.json"])
    func references(_ path: String) async throws {
        try await RunningProxy.run { proxy in
            let document = try await proxy.request("GET", path).object
            var references: Set<String> = []
            Self.collect(document, into: &references)
            #expect(references.count > 20)
            for reference in references {
                let target = reference.split(separator: "/").dropFirst().reduce(document as Any?) {
                    ($0 as? [String: Any])?[String($1)]
                }
                #expect(target != nil, "\(reference)")
            }
        }
    }

    @Test("the AsyncAPI document lists each server with its host, protocol and path")
    func servers() throws {
        let document = AsyncAPIDocument(
            parameters: [],
            servers: ["https://books.example.org/api", "http://127.0.0.1:8787"].compactMap(
                AsyncAPIDocument.Server.init))
        let json = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(document)) as? [String: Any])
        let servers = try #require(json["servers"] as? [String: [String: String]])
        #expect(servers["server1"] == ["host": "books.example.org", "protocol": "wss", "pathname": "/api"])
        #expect(servers["server2"] == ["host": "127.0.0.1:8787", "protocol": "ws"])
    }

    private static func collect(_ value: Any, into references: inout Set<String>) {
        if let object = value as? [String: Any] {
            if let reference = object["$ref"] as? String { references.insert(reference) }
            for member in object.values { collect(member, into: &references) }
        } else if let list = value as? [Any] {
            for element in list { collect(element, into: &references) }
        }
    }
}
