import BookstrackContract
import JSONRPC
import NIOCore
import SuiteMethods
import TestSupport
import Testing

@testable import APIProxy

@Suite("An event stream", .timeLimit(.minutes(2))) struct EventStreamTests {
    private static let path = "/v1/jobs/job-12345/events"

    @Test("frames arrive as events with their sequence number, their type, and the unchanged frame on one line")
    func events() async throws {
        try await RunningProxy.run { proxy in
            let client = try await EventStreamClient(port: proxy.port, "\(Self.path)?token=t")
            let (id, request) = try await proxy.host.nextOpened()
            #expect(request.isOneWay == true)
            #expect(request.token == "t")
            let head = try await client.head()
            #expect(head.status == 200)
            #expect(head["content-type"] == "text/event-stream")
            #expect(head["cache-control"] == "no-store")
            #expect(head["x-accel-buffering"] == "no")
            #expect(head["last-event-id"] == nil)
            proxy.host.deliver(#"{"type":"job_progress","seq":4}"#, to: [id], .progress, seq: 4)
            #expect(
                try await client.next() == "id: 4\nevent: job_progress\ndata: {\"type\":\"job_progress\",\"seq\":4}")
            proxy.host.deliver(#"{"type":"error","seq":5}"#, to: [id], .terminal, seq: 5)
            #expect(try await client.next() == "id: 5\nevent: job_error\ndata: {\"type\":\"error\",\"seq\":5}")
        }
    }

    @Test("one delivery reaches sockets and event streams with the same frame, and an old event reaches neither")
    func bothTransports() async throws {
        try await RunningProxy.run { proxy in
            let socket = try await WebSocketClient(port: proxy.port)
            let (first, _) = try await proxy.host.nextOpened()
            let stream = try await EventStreamClient(port: proxy.port, Self.path, token: "t")
            let (second, _) = try await proxy.host.nextOpened()
            _ = try await stream.head()
            for seq in [7, 7, 6, 8] {
                proxy.host.deliver("{\"seq\":\(seq)}", to: [first, second], .event, seq: seq)
            }
            for seq in [7, 8] {
                #expect(try await socket.next().text == "{\"seq\":\(seq)}")
                #expect(try await stream.next() == "id: \(seq)\ndata: {\"seq\":\(seq)}")
            }
        }
    }

    @Test(
        "a reconnecting EventSource's Last-Event-ID overrides the query, and the response states where the stream continues"
    )
    func reconnects() async throws {
        try await RunningProxy.run(script: .init(replaysAfter: 41)) { proxy in
            let client = try await EventStreamClient(
                port: proxy.port, "\(Self.path)?since=3", token: "t", fields: ["last-event-id: 41"])
            let (_, request) = try await proxy.host.nextOpened()
            #expect(request.since == 41)
            #expect(try await client.head()["last-event-id"] == "41")
        }
    }

    @Test("a stream that follows the results reports this to progress-host again after progress-host restarts")
    func follows() async throws {
        try await RunningProxy.run { proxy in
            let stream = try await EventStreamClient(port: proxy.port, "\(Self.path)?follow=results", token: "t")
            let (id, request) = try await proxy.host.nextOpened()
            #expect(request.followsResults == true)
            _ = try await stream.head()
            proxy.host.deliver(#"{"type":"job_complete","seq":5}"#, to: [id], .terminal, seq: 5)
            proxy.host.deliver(#"{"type":"results_updated","seq":5}"#, to: [id], .control, seq: 5)
            #expect(try await stream.next()?.hasPrefix("id: 5\nevent: job_complete\n") == true)
            #expect(try await stream.next()?.hasPrefix("id: 5\nevent: results_updated\n") == true)
            await proxy.host.stop()
            try await until { !proxy.isConnectedToHost }
            try await proxy.host.start()
            #expect(try await proxy.host.nextResumed().map(\.followsResults) == [true])
        }
    }

    @Test("only results can be followed, and shipped apps' streams cannot follow them")
    func followsNothingElse() async throws {
        try await RunningProxy.run { proxy in
            #expect(try await proxy.request("GET", "\(Self.path)?follow=authors&token=t").status == 400)
            _ = try await EventStreamClient(
                port: proxy.port, "/api/v2/imports/job-12345/stream?follow=results", token: "t")
            #expect(try await proxy.host.nextOpened().1.followsResults == nil)
        }
    }

    @Test("a client that has received the terminal event receives a 204 and no stream", arguments: ["GET", "HEAD"])
    func isOver(method: String) async throws {
        try await RunningProxy.run(script: .init(isOver: true)) { proxy in
            let answer = try await proxy.request(method, "\(Self.path)?since=9&token=t")
            #expect(answer.status == 204)
            #expect(answer["content-length"] == nil)
            #expect(answer.body == [])
            await proxy.services.hub.socketLimiter.emptied(within: .seconds(10), on: proxy.listener.eventLoop)
            #expect(proxy.services.hub.socketLimiter.total == 0)
        }
    }

    @Test("the stream ends with the job, and its connection accepts the next request")
    func keepsAlive() async throws {
        try await RunningProxy.run { proxy in
            let client = try await EventStreamClient(port: proxy.port, Self.path, token: "t")
            let (id, _) = try await proxy.host.nextOpened()
            _ = try await client.head()
            proxy.host.deliver("{\"seq\":1}", to: [id], .terminal, seq: 1)
            proxy.host.close([id], .normal)
            #expect(try await client.next() == "id: 1\ndata: {\"seq\":1}")
            #expect(try await client.next() == nil)
            try await client.connection.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.connection.answers(1)[0].status == 200)
            #expect(proxy.readings("bookstrack_event_stream_ends_total")[["1000"]] == 1)
            #expect(proxy.readings("bookstrack_event_streams_open")[[]] == 0)
        }
    }

    @Test("HEAD returns only the head of the stream")
    func head() async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request("HEAD", "\(Self.path)?token=t")
            #expect(answer.status == 200)
            #expect(answer["content-type"] == "text/event-stream")
            #expect(answer["transfer-encoding"] == nil)
            #expect(answer.body == [])
        }
    }

    @Test("an HTTP/1.0 client receives events until the connection ends")
    func olderHTTP() async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send("GET \(Self.path)?token=t HTTP/1.0\r\nHost: a\r\n\r\n")
            let (id, _) = try await proxy.host.nextOpened()
            proxy.host.deliver("{\"seq\":1}", to: [id], .terminal, seq: 1)
            proxy.host.close([id], .normal)
            let answer = try HTTPAnswer(try await connection.readToEnd())
            #expect(String(decoding: answer.body, as: UTF8.self) == "id: 1\ndata: {\"seq\":1}\n\n")
        }
    }
}

@Suite("Refused event streams", .timeLimit(.minutes(2))) struct EventStreamRefusalTests {
    private static let path = "/v1/jobs/job-12345/events"

    @Test(
        "an invalid value is refused with a 400 that names its field",
        arguments: [("?since=x", "since"), ("?since=-1", "since")])
    func malformed(query: String, place: String) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request("GET", Self.path + query)
            #expect(answer.status == 400)
            #expect(try answer.failure.details?["field"] == .text(place))
        }
    }

    @Test("a Last-Event-ID that is not a number is refused with a 400")
    func malformedField() async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request("GET", Self.path, fields: ["Last-Event-ID: 1,2"])
            #expect(answer.status == 400)
            #expect(try answer.failure.details?["field"] == .text("Last-Event-ID"))
        }
    }

    @Test(
        "refusals by progress-host keep their code and have the same status as for WebSockets",
        arguments: [("UNAUTHORIZED", 401), ("TOKEN_EXPIRED", 401), ("SERVICE_UNAVAILABLE", 503)])
    func refused(code: String, status: Int) async throws {
        try await RunningProxy.run(script: .init(openFailure: .init(code: code, message: "no"))) { proxy in
            let answer = try await proxy.request("GET", "\(Self.path)?token=s3cret")
            #expect(answer.status == status)
            #expect(try answer.failure.code.rawValue == code)
            #expect(proxy.readings("bookstrack_event_stream_refusals_total")[[code]] == 1)
        }
    }

    @Test(
        "a missing token gets the same response as a wrong one",
        arguments: ["/v1/jobs/job-12345/events", "/api/v2/imports/job-12345/stream", "/v1/events"])
    func missingToken(path: String) async throws {
        let queries = path == "/v1/events" ? ["job=job-12345", "job=job-12345:t"] : ["since=1", "since=1&token=t"]
        try await RunningProxy.run(script: .init(openFailure: .init(code: "UNAUTHORIZED", message: "no"))) { proxy in
            for query in queries {
                let answer = try await proxy.request("GET", "\(path)?\(query)")
                #expect(answer.status == 401)
                #expect(try answer.failure.code == .unauthorized)
                #expect(try answer.failure.message == APIFailure.unauthorized.message)
                #expect(try answer.failure.details == nil)
            }
        }
    }

    @Test("a page whose origin is not listed is refused with a 403")
    func origin() async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request("GET", Self.path, fields: ["Origin: https://elsewhere.example"])
            #expect(answer.status == 403)
        }
    }

    @Test("event streams and WebSockets share the socket limits")
    func limits() async throws {
        try await RunningProxy.run {
            $0.socketLimits = SocketLimits(total: 200, perJob: 2, perAddress: 100)
        } _: { proxy in
            let socket = try await WebSocketClient(port: proxy.port, query: "jobId=job-12345&token=t")
            _ = try await proxy.host.nextOpened()
            let stream = try await EventStreamClient(port: proxy.port, Self.path, token: "t")
            _ = try await proxy.host.nextOpened()
            let answer = try await proxy.request("GET", "\(Self.path)?token=t")
            #expect(answer.status == 429)
            #expect(answer["retry-after"] == "30")
            await stream.connection.close()
            await socket.connection.close()
        }
    }

    @Test("opening a stream counts toward the rate limit for reading jobs")
    func rateClass() async throws {
        try await RunningProxy.run(script: .init(isOver: true)) {
            $0.rateLimits = RateLimits()
            $0.rateLimits?.jobReads.requests = 1
        } _: { proxy in
            let answers = [
                try await proxy.request("GET", "\(Self.path)?token=t"),
                try await proxy.request("GET", "\(Self.path)?token=t"),
            ]
            #expect(answers.map(\.status) == [204, 429])
        }
    }
}

@Suite("Interruptions and ends of event streams", .timeLimit(.minutes(2))) struct EventStreamEndTests {
    private static let path = "/v1/jobs/job-12345/events"

    @Test("a client that disconnects no longer counts toward the socket limits, and progress-host is notified")
    func leaves() async throws {
        try await RunningProxy.run { proxy in
            let client = try await EventStreamClient(port: proxy.port, Self.path, token: "t")
            let (id, _) = try await proxy.host.nextOpened()
            _ = try await client.head()
            await client.connection.close()
            _ = try await proxy.host.events.take(where: { if case .closed(id) = $0 { true } else { false } })
            #expect(proxy.services.hub.socketLimiter.total == 0)
            #expect(proxy.readings("bookstrack_event_stream_ends_total")[["1006"]] == 1)
        }
    }

    @Test(
        "a client that closes its sending side before its stream has begun is disconnected",
        arguments: ["\(path)?token=t", "/v1/events?job=job-12345:t"])
    func halfClosed(target: String) async throws {
        let release = Inbox<Void>()
        try await RunningProxy.run(script: .init(openRelease: release)) { proxy in
            let connection = try await RawConnection(port: proxy.port, sendsOn: true)
            try await connection.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await proxy.host.nextOpened()
            await connection.closeOutput()
            try await until { !proxy.services.aborted.isEmpty }
            release.append(())
            #expect(try await connection.readToEnd().isEmpty)
        }
    }

    @Test("a stream continues after its last event when progress-host restarts")
    func resumes() async throws {
        try await RunningProxy.run { proxy in
            let client = try await EventStreamClient(port: proxy.port, Self.path, token: "t")
            let (id, _) = try await proxy.host.nextOpened()
            _ = try await client.head()
            proxy.host.deliver("{\"seq\":41}", to: [id], .event, seq: 41)
            #expect(try await client.next() == "id: 41\ndata: {\"seq\":41}")
            await proxy.host.stop()
            try await until { !proxy.isConnectedToHost }
            try await proxy.host.start()
            let resumed = try #require(try await proxy.host.nextResumed().first)
            #expect(resumed.lastSeq == 41)
            #expect(resumed.isOneWay == true)
            #expect(resumed.tokenNumber == 7)
            proxy.host.deliver("{\"seq\":42}", to: [id], .event, seq: 42)
            #expect(try await client.next() == "id: 42\ndata: {\"seq\":42}")
        }
    }

    @Test("when the service stops, clients are told to reconnect after different delays, and their connections end")
    func stops() async throws {
        try await RunningProxy.run { proxy in
            var clients: [EventStreamClient] = []
            for _ in 0..<8 {
                clients.append(try await EventStreamClient(port: proxy.port, Self.path, token: "t"))
                _ = try await clients.last?.head()
            }
            try await proxy.shutdown()
            var pauses: Set<Int> = []
            for client in clients {
                let line = try #require(try await client.next())
                pauses.insert(try #require(Int(line.dropFirst("retry: ".count))))
                #expect(try await client.next() == nil)
                #expect(try await client.connection.arrivals.take() == .end)
            }
            #expect(pauses.count > 1)
            #expect(pauses.allSatisfy { (1_000...5_000).contains($0) })
        }
    }

    @Test("a client that reads nothing is disconnected and no longer counts toward the socket limits")
    func readsTooSlowly() async throws {
        try await RunningProxy.run {
            $0.timeouts.drain = .milliseconds(50)
        } _: { proxy in
            let client = try await EventStreamClient(port: proxy.port, Self.path, token: "t", receiveBuffer: 4_096)
            let (id, _) = try await proxy.host.nextOpened()
            _ = try await client.head()
            try await client.connection.stopReading()
            let padding = String(repeating: "x", count: 60_000)
            // More bytes than the kernel's buffers and the queue can hold together.
            for seq in 1...400 { proxy.push("{\"p\":\"\(padding)\"}", to: id, .event, seq: seq) }
            _ = try await proxy.host.events.take(where: { if case .closed(id) = $0 { true } else { false } })
            #expect(proxy.services.hub.socketLimiter.total == 0)
        }
    }
}
