import BookstrackContract
import HTTPTypes
import NIOCore
import Observability
import SuiteMethods
import TestSupport
import Testing

@testable import APIProxy

@Suite("Metrics of api-proxy", .timeLimit(.minutes(1)))
struct MetricsTests {
    @Test(
        "requests are counted by method, declared route and status, and requests that match no declared route share one label"
    )
    func requests() async throws {
        try await RunningProxy.run { proxy in
            _ = try await proxy.request("GET", "/health/live")
            _ = try await proxy.request("POST", "/health/live")
            for path in ["/a", "/b?token=secret", "/v1/nothing"] { _ = try await proxy.request("GET", path) }
            let requests = proxy.readings("bookstrack_http_requests_total")
            #expect(requests[["GET", "/health/live", "200"]] == 1)
            #expect(requests[["other", "unknown", "405"]] == 1)
            #expect(requests[["other", "unknown", "404"]] == 3)
            #expect(requests.count == 3)
        }
    }

    @Test("the number of series stays bounded for any methods, paths and statuses")
    func strangers() async throws {
        try await RunningProxy.run(startsHost: false) { proxy in
            let routes = proxy.services.routes + proxy.services.adminRoutes
            let registry = MetricRegistry()
            let metrics = HTTPMetrics(registry, paths: routes.map(\.path))
            let table = RouteTable(routes, labels: metrics.routes)
            let methods = ["GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH", "TRACE", "BREW", "X-1"]
            var generator = SystemRandomNumberGenerator()
            for _ in 0..<20_000 {
                let path = routes.randomElement(using: &generator)?.path ?? "/"
                let asked = Bool.random(using: &generator) ? path : "/\(UInt32.random(in: 0...999, using: &generator))"
                metrics.answered(
                    try #require(HTTPRequest.Method(methods.randomElement(using: &generator) ?? "GET")),
                    table.entry(at: asked), .init(code: .random(in: 100...599, using: &generator)), after: .zero)
            }
            metrics.refusedUnparsed(.badRequest)
            let declared = Set(routes.map { "\($0.method) \($0.path)" }).count
            let counters = (declared + 2) * (StatusLabel.codes.count + 1)
            let histograms = (declared + 2) * StatusClass.allCases.count
            let families = registry.families().filter { $0.name.hasPrefix("bookstrack_http_request") }
            #expect(families.first { $0.kind == .counter }.map { $0.samples.count <= counters } == true)
            #expect(families.first { $0.kind == .histogram }.map { $0.samples.count <= histograms } == true)
        }
    }

    @Test("unparsable requests and refused upgrades are counted")
    func refusals() async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send("nonsense\r\n\r\n")
            _ = try await connection.readToEnd()
            _ = try? await WebSocketClient(port: proxy.port, query: "jobId=job")
            #expect(proxy.readings("bookstrack_http_requests_total")[["other", "unparsed", "400"]] == 1)
            #expect(proxy.readings("bookstrack_socket_refusals_total") == [["INVALID_REQUEST"]: 1])
        }
    }

    @Test("closed sockets are counted by the closing side and the close code")
    func closes() async throws {
        try await RunningProxy.run { proxy in
            let leaving = try await WebSocketClient(port: proxy.port)
            _ = try await proxy.host.nextOpened()
            try await leaving.send(opcode: 8, [0x0F, 0xA0])
            _ = try await leaving.next()
            let told = try await WebSocketClient(port: proxy.port)
            let (id, _) = try await proxy.host.nextOpened()
            proxy.host.close([id], .tryAgainLater)
            _ = try await told.framesToClose()
            let lost = try await WebSocketClient(port: proxy.port)
            let (lostID, _) = try await proxy.host.nextOpened()
            await lost.connection.close()
            _ = try await proxy.host.events.take { if case .closed(lostID) = $0 { true } else { false } }
            #expect(
                proxy.readings("bookstrack_socket_closes_total")
                    == [["other", "client"]: 1, ["1013", "server"]: 1, ["1006", "none"]: 1])
            #expect(proxy.readings("bookstrack_sockets_opened_total") == [[]: 3])
        }
    }

    @Test("PING round trips, socket lifetimes and client messages are measured")
    func lives() async throws {
        try await RunningProxy.run { proxy in
            let client = try await WebSocketClient(port: proxy.port)
            let (id, _) = try await proxy.host.nextOpened()
            proxy.host.deliver(#"{"type":"ping"}"#, to: [id], .ping, seq: 0)
            while try await client.next().opcode != 9 {}
            #expect(proxy.observations("bookstrack_socket_ping_duration_seconds") == 0)
            try await client.connection.send(
                WebSocketClient.frame(opcode: 10, []) + WebSocketClient.frame(opcode: 10, []))
            for _ in 1...3 { try await client.send("{}") }
            for _ in 1...3 { _ = try await proxy.host.nextMessage() }
            #expect(proxy.observations("bookstrack_socket_ping_duration_seconds") == 1)
            #expect(proxy.observations("bookstrack_socket_duration_seconds") == 0)
            try await client.send(opcode: 8, [])
            _ = try await client.framesToClose()
            #expect(proxy.observations("bookstrack_socket_duration_seconds") == 1)
            #expect(proxy.distribution("bookstrack_socket_messages")?.sum == 3)
        }
    }

    @Test("frames for a slow client are counted as sent, coalesced or dropped")
    func frames() async throws {
        let padding = String(repeating: "x", count: 60_000)
        try await RunningProxy.run {
            $0.timeouts.closeReply = .seconds(60)
        } _: { proxy in
            let client = try await WebSocketClient(port: proxy.port, receiveBuffer: 4_096)
            let (id, _) = try await proxy.host.nextOpened()
            try await client.connection.stopReading()
            for seq in 1...200 {
                let frame = ByteBuffer(string: "{\"seq\":\(seq),\"p\":\"\(padding)\"}")
                let kind: SocketDelivery.Kind = seq <= 100 ? .progress : .event
                proxy.sockets.deliver(.init(sockets: [id], kind: kind, seq: seq, frame: frame))
            }
            try await client.connection.startReading()
            let received = try await client.framesToClose().count { $0.opcode == 1 }
            let frames = proxy.readings("bookstrack_socket_frames_total")
            #expect(frames[["progress", "coalesced"]].map { $0 > 0 } == true)
            #expect(frames[["event", "dropped"]].map { $0 > 0 } == true)
            let sent = frames.filter { $0.key[1] == "sent" }.values.reduce(0, +)
            #expect(Int(sent) == received)
            #expect(proxy.readings("bookstrack_socket_frames_waiting") == [[]: 0])
        }
    }

    @Test("a label distinguishes the metrics of several workers")
    func severalWorkers() async throws {
        try await RunningProxy.run {
            $0.scrapeLimit = .seconds(50)
        } _: { proxy in
            let main = try await FakeWorker(at: proxy, answering: nil)
            let second = try await FakeWorker(at: proxy, named: WorkerName("second")!, answering: nil)
            let answer = try await proxy.request("GET", "/metrics", port: proxy.adminPort)
            let text = String(decoding: answer.body, as: UTF8.self)
            for worker in ["main", "second"] {
                let labels = "{service=\"enrichment-worker\",worker=\"\(worker)\"}"
                #expect(text.contains("\nbookstrack_service_up\(labels) 1\n"))
                #expect(text.contains("\nbookstrack_outbox_outcomes\(labels) 3\n"))
            }
            #expect(text.contains("peer=\"enrichment-worker-second\"} 1\n"))
            await second.stop()
            await main.stop()
        }
    }

    @Test("a scrape in the Prometheus format shows which services did not respond")
    func scrape() async throws {
        try await RunningProxy.run { proxy in
            // The proxy may not have searched for workers yet.
            proxy.services.workers.look()
            let answer = try await proxy.request("GET", "/metrics", port: proxy.adminPort)
            #expect(answer["content-type"] == PrometheusText.contentType)
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(text.contains("\nbookstrack_service_up{service=\"api-proxy\"} 1\n"))
            #expect(text.contains("\nbookstrack_service_up{service=\"enrichment-worker\",worker=\"main\"} 0\n"))
            #expect(text.contains("\nbookstrack_sockets_open{service=\"api-proxy\"} 0\n"))
            let hidden = try await proxy.request("GET", "/metrics")
            #expect(hidden.status == 404)
        }
    }
}
