import BookstrackContract
import NIOCore
import SuiteMethods
import TestSupport
import Testing

@testable import APIProxy

@Suite("An event stream whose jobs are in the request body") struct PostedEventStreamTests {
    private static let body =
        #"{"jobs":[{"jobId":"job-one1","token":"t1","since":3},{"token":"t2","jobId":"job-two2"}]}"#

    private static func head(_ length: Int, _ fields: String = "") -> String {
        "POST /v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(length)\r\n\(fields)\r\n"
    }

    private func opened(_ proxy: RunningProxy) async throws -> [(id: SocketID, request: SocketRequest)] {
        var opened: [(id: SocketID, request: SocketRequest)] = []
        for _ in 0..<2 { opened.append(try await proxy.host.nextOpened()) }
        return opened.sorted { $0.request.jobId.text < $1.request.jobId.text }
    }

    @Test("frames arrive even if the body comes in pieces and after another request")
    func parts() async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send("OPTIONS /v1/jobs HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try await connection.answers(1)
            try await connection.send(Self.head(Self.body.utf8.count) + Self.body.prefix(40))
            try await connection.send(String(Self.body.dropFirst(40)))
            let client = EventStreamClient(on: connection)
            let opened = try await opened(proxy)
            #expect(opened.map(\.request.token) == ["t1", "t2"])
            #expect(opened.map(\.request.since) == [3, nil])
            #expect(try await client.head()["content-type"] == "text/event-stream")
            proxy.host.deliver(#"{"seq":9}"#, to: [opened[1].id], .event, seq: 9)
            #expect(try await client.next() == "id: job-one1=3,job-two2=9\ndata: {\"seq\":9}")
        }
    }

    @Test("the Last-Event-ID overrides the body's position for the jobs that it contains")
    func lastEvent() async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(Self.head(Self.body.utf8.count, "Last-Event-ID: job-two2=8\r\n") + Self.body)
            #expect(try await opened(proxy).map(\.request.since) == [3, 8])
        }
    }

    @Test("a client that waits for 100 Continue before sending the body receives it")
    func expects() async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(Self.head(Self.body.utf8.count, "Expect: 100-continue\r\n"))
            #expect(try await connection.arrivals.take() == .bytes(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)))
            try await connection.send(Self.body)
            #expect(try await EventStreamClient(on: connection).head().status == 200)
        }
    }

    @Test("a request with unacceptable header fields is refused before its body is sent")
    func refusedByHead() async throws {
        try await RunningProxy.run { proxy in
            for (fields, length, status) in [
                ("Content-Type: text/plain\r\n", 10, 415), ("", 65_537, 413),
                ("Origin: https://evil.example\r\n", 10, 403),
            ] {
                let connection = try await RawConnection(port: proxy.port)
                try await connection.send(Self.head(length, fields + "Expect: 100-continue\r\n"))
                #expect(try HTTPAnswer(try await connection.readToEnd()).status == status)
            }
        }
    }

    @Test(
        "an invalid value is refused with a 400 that names its field",
        arguments: [
            ("{}", "jobs"), (#"{"jobs":[]}"#, "jobs"), (#"{"jobs":{}}"#, "jobs"), (#"{"jobs":[1]}"#, "jobs[0]"),
            (#"{"jobs":[{"token":"t"}]}"#, "jobs[0].jobId"), (#"{"jobs":[{"jobId":"x"}]}"#, "jobs[0].jobId"),
            (#"{"jobs":[{"jobId":"job-one1"},{"jobId":"job-one1"}]}"#, "jobs[1].jobId"),
            (#"{"jobs":[{"jobId":"job-one1","since":-1}]}"#, "jobs[0].since"),
            (#"{"jobs":[{"jobId":"job-one1","since":1.5}]}"#, "jobs[0].since"),
            (#"{"jobs":[\#((0...100).map { #"{"jobId":"job-\#($0 + 1_000)"}"# }.joined(separator: ","))]}"#, "jobs"),
        ])
    func malformed(body: String, place: String) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.post("/v1/events", body)
            #expect(answer.status == 400)
            #expect(try answer.failure.details?["field"] == .text(place))
            #expect(proxy.services.hub.socketLimiter.total == 0)
        }
    }

    @Test(
        "a body that is not JSON causes a 400 that states the line, and a body with invalid framing also ends the connection"
    )
    func broken() async throws {
        try await RunningProxy.run { proxy in
            #expect(try await proxy.post("/v1/events", "{\n x").failure.details?["line"] == .integer(2))
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(
                "POST /v1/events HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
            #expect(try HTTPAnswer(try await connection.readToEnd()).status == 400)
        }
    }

    @Test("the body bytes of closed connections no longer count toward the client's body limit")
    func budget() async throws {
        try await RunningProxy.run { proxy in
            let body = #"{"jobs":[{"jobId":"job-one1","token":"t"}]}"# + String(repeating: " ", count: 60_000)
            // Together, these bodies would exceed the client's body limit if their bytes remained counted.
            for _ in 0..<600 {
                let connection = try await RawConnection(port: proxy.port)
                try await connection.send(Self.head(body.utf8.count) + body.dropLast())
                await connection.close()
            }
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(Self.head(body.utf8.count) + body)
            #expect(try await EventStreamClient(on: connection).head().status == 200)
        }
    }
}
