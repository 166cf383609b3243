import BookstrackContract
import NIOCore
import Observability
import SuiteMethods
import TestSupport
import Testing

@testable import APIProxy

@Suite("Tail events of api-proxy", .timeLimit(.minutes(1)))
struct TailTests {
    /// Waits for the first event that `isMeant` accepts, and returns it.
    private func event(
        of proxy: RunningProxy, _ isMeant: (TailEvent) -> Bool
    ) async throws -> TailEvent {
        var seen = 0
        while true {
            await proxy.tail.more(after: seen)
            let batch = proxy.tail.entries(after: seen, atMost: 100)
            if let found = batch.entries.map({ TailEvent($0) }).first(where: isMeant) { return found }
            seen = batch.last
        }
    }

    @Test("an event contains the request's identifiers, URL, address and status, but not its token")
    func request() async throws {
        try await RunningProxy.run { proxy in
            let fields = ["X-Request-Id: r-1", "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"]
            let answer = try await proxy.request("GET", "/v1/jobs/nobody-knows?token=s3cret", fields: fields)
            #expect(answer["x-request-id"] == "r-1")
            let event = try await event(of: proxy) { $0.requestId == "r-1" }
            #expect(event.kind == .request)
            #expect(event.outcome == .ok)
            #expect(event.traceId == "4bf92f3577b34da6a3ce929d0e0e4736")
            #expect(event.jobId == "nobody-knows")
            #expect(event.event?.request?.url == "/v1/jobs/nobody-knows?token=REDACTED")
            #expect(event.event?.request?.address == "127.0.0.1")
            #expect(event.event?.response?.status == answer.status)
        }
    }

    @Test("requests refused before they reach the router also cause events")
    func refusedUpgrade() async throws {
        try await RunningProxy.run(startsHost: false) { proxy in
            let client = try? await WebSocketClient(
                port: proxy.port, query: "jobId=job-12345&token=t", fields: ["X-Request-Id: r-2"])
            #expect(client == nil)
            let event = try await event(of: proxy) { $0.requestId == "r-2" }
            #expect(event.event?.response?.status == 503)
            #expect(event.outcome == .error)
        }
    }

    @Test(
        "an event for malformed input shows the parts that could be parsed",
        arguments: [
            ("nonsense\r\n\r\n", "-", "-"), ("GET /a?token=s3cret HTTP/1.1\r\n\r\n", "GET", "/a?token=REDACTED"),
            ("GET /a HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 40_000))\r\n\r\n", "-", "-"),
        ])
    func unparsed(_ sent: String, _ method: String, _ target: String) async throws {
        try await RunningProxy.run(startsHost: false) { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(sent)
            let answer = try HTTPAnswer(await connection.readToEnd())
            #expect(answer.status == 400)
            let id = try #require(answer["x-request-id"])
            let event = try await event(of: proxy) { $0.requestId == id }
            #expect(event.kind == .request)
            #expect(event.outcome == .ok)
            #expect(event.event?.request?.method == method)
            #expect(event.event?.request?.url == target)
            #expect(event.event?.response?.status == 400)
        }
    }

    @Test("a client that disconnects before its response causes an event")
    func canceled() async throws {
        try await RunningProxy.run { proxy in
            let worker = try await FakeWorker(at: proxy, answering: nil)
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(
                "GET /v1/search/isbn?isbn=9780441172719 HTTP/1.1\r\nHost: a\r\nX-Request-Id: r-3\r\n\r\n")
            _ = try await worker.questions.take()
            await connection.close()
            _ = try await worker.abandoned.take()
            let event = try await event(of: proxy) { $0.requestId == "r-3" }
            #expect(event.outcome == .canceled)
            #expect(event.event?.response?.status == nil)
            worker.answer(.success(try FakeWorker.found()))
            await worker.stop()
        }
    }

    @Test("opening and closing a socket cause events, and the closing event contains the close code")
    func sockets() async throws {
        try await RunningProxy.run { proxy in
            let client = try await WebSocketClient(port: proxy.port, query: "jobId=job-12345&token=s3cret")
            let (socket, _) = try await proxy.host.nextOpened()
            let upgrade = try await event(of: proxy) { $0.event?.response?.status == 101 }
            #expect(upgrade.jobId == "job-12345")
            #expect(!"\(upgrade)".contains("s3cret"))
            _ = try await event(of: proxy) { $0.event?.job?.step == .socketOpened }
            proxy.host.close([socket], .tryAgainLater)
            _ = try await client.framesToClose()
            let end = try await event(of: proxy) { $0.event?.job?.step == .socketClosed }
            #expect(end.event?.job?.result == "1013")
            #expect(end.jobId == "job-12345")
        }
    }

    @Test("an event stream causes a request event and, like a socket, opening and closing events")
    func eventStreams() async throws {
        try await RunningProxy.run { proxy in
            let client = try await EventStreamClient(port: proxy.port, "/v1/jobs/job-12345/events?token=s3cret")
            let (stream, _) = try await proxy.host.nextOpened()
            let request = try await event(of: proxy) { $0.event?.response?.status == 200 }
            #expect(request.jobId == "job-12345")
            #expect(request.event?.request?.url == "/v1/jobs/job-12345/events?token=REDACTED")
            _ = try await event(of: proxy) { $0.event?.job?.step == .streamOpened }
            proxy.host.close([stream], .goingAway)
            _ = try await client.head()
            #expect(try await client.next() == nil)
            let end = try await event(of: proxy) { $0.event?.job?.step == .streamClosed }
            #expect(end.event?.job?.result == "1001")
        }
    }
}
