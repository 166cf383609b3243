import BookstrackContract
import JSONRPC
import NIOCore
import Observability
import SuiteMethods
import TestSupport
import Testing

@testable import APIProxy

@Suite("An event stream of several jobs", .timeLimit(.minutes(2))) struct CombinedEventStreamTests {
    private static let path = "/v1/events?job=job-one1:t1&job=job-two2:t2"

    /// Opens the stream, and returns the sockets of its jobs in order.
    private func open(
        _ proxy: RunningProxy, _ path: String = path, fields: [String] = []
    ) async throws -> (EventStreamClient, [(id: SocketID, request: SocketRequest)]) {
        let client = try await EventStreamClient(port: proxy.port, path, fields: fields)
        var opened: [(id: SocketID, request: SocketRequest)] = []
        for _ in 0..<2 { opened.append(try await proxy.host.nextOpened()) }
        return (client, opened.sorted { $0.request.jobId.text < $1.request.jobId.text })
    }

    @Test(
        "frames of all jobs arrive, and each event ID contains the client's position in every job that has sent a frame"
    )
    func events() async throws {
        try await RunningProxy.run { proxy in
            let (client, opened) = try await open(proxy)
            #expect(opened.map(\.request.token) == ["t1", "t2"])
            #expect(opened.map(\.request.isOneWay) == [true, true])
            #expect(try await client.head()["content-type"] == "text/event-stream")
            proxy.host.deliver(#"{"type":"job_started","seq":4}"#, to: [opened[0].id], .event, seq: 4)
            #expect(
                try await client.next()
                    == "id: job-one1=4\nevent: job_started\ndata: {\"type\":\"job_started\",\"seq\":4}")
            proxy.host.deliver(#"{"seq":9}"#, to: [opened[1].id], .progress, seq: 9)
            #expect(try await client.next() == "id: job-one1=4,job-two2=9\ndata: {\"seq\":9}")
            proxy.host.deliver(#"{"seq":9}"#, to: [opened[1].id], .progress, seq: 9)
            proxy.host.deliver(#"{"seq":5}"#, to: [opened[0].id], .progress, seq: 5)
            #expect(try await client.next() == "id: job-one1=5,job-two2=9\ndata: {\"seq\":5}")
        }
    }

    @Test("operators see that a job of a multi-job stream is watched by an event stream")
    func figures() async throws {
        try await RunningProxy.run { proxy in
            let (client, opened) = try await open(proxy)
            _ = try await client.head()
            #expect(try await proxy.services.hub.watchers(of: opened[0].request.jobId).map(\.form) == [.eventStream])
        }
    }

    @Test("a reconnecting client continues after its last event of each job, and its Last-Event-ID overrides the query")
    func reconnects() async throws {
        try await RunningProxy.run(script: .init(replaysAfter: 41)) { proxy in
            let (client, opened) = try await open(
                proxy, Self.path + "&since=job-one1=3", fields: ["Last-Event-ID: job-two2=7,job-one1=41,job-gone=2"])
            #expect(opened.map(\.request.since) == [41, 7])
            let replayed = try await client.head()["last-event-id"]
            #expect(replayed?.split(separator: ",").sorted() == ["job-one1=41", "job-two2=41"])
            // The second job's position is kept, although none of its events has been sent.
            proxy.host.deliver(#"{"seq":42}"#, to: [opened[0].id], .event, seq: 42)
            #expect(try await client.next() == "id: job-one1=42,job-two2=7\ndata: {\"seq\":42}")
        }
    }

    @Test("frames held until the response begins have event IDs that reflect their order in the stream")
    func earlyFrames() async throws {
        try await RunningProxy.run(script: .init(earlyFrame: #"{"seq":1}"#)) { proxy in
            let (client, opened) = try await open(proxy)
            for (id, _) in opened { proxy.host.deliver(#"{"seq":2}"#, to: [id], .event, seq: 2) }
            _ = try await client.head()
            var places: Set<String> = []
            for _ in 0..<4 {
                let event = try #require(try await client.next())
                let lines = event.split(separator: "\n")
                let seq = try #require(lines[1].dropLast().last)
                #expect(lines[0].contains("=\(seq)"))
                places.insert(String(lines[0].dropFirst("id: ".count)))
            }
            #expect(places.count == 4)
            #expect(places.contains("job-one1=2,job-two2=2"))
        }
    }

    @Test("the stream continues after one job's end, and the connection can be reused after the last job's end")
    func ends() async throws {
        try await RunningProxy.run { proxy in
            let (client, opened) = try await open(proxy)
            _ = try await client.head()
            for (index, name) in ["job-one1", "job-two2"].enumerated() {
                proxy.host.deliver(#"{"seq":1}"#, to: [opened[index].id], .terminal, seq: 1)
                proxy.host.close([opened[index].id], .normal)
                let last = try #require(try await client.next())
                #expect(last.hasSuffix("\(name)=1\ndata: {\"seq\":1}"))
                let notice = try await client.next()
                #expect(notice == "event: unwatched\ndata: {\"jobId\":\"\(name)\",\"type\":\"unwatched\"}")
            }
            #expect(try await client.next() == nil)
            try await client.connection.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.connection.answers(1)[0].status == 200)
            #expect(proxy.services.hub.socketLimiter.total == 0)
            #expect(proxy.readings("bookstrack_event_streams_open")[[]] == 0)
        }
    }

    @Test("a client that has received the end of every job receives a 204")
    func isOver() async throws {
        try await RunningProxy.run(script: .init(isOver: true)) { proxy in
            let answer = try await proxy.request("GET", Self.path)
            #expect(answer.status == 204)
            await proxy.services.hub.socketLimiter.emptied(within: .seconds(10), on: proxy.listener.eventLoop)
            #expect(proxy.services.hub.socketLimiter.total == 0)
        }
    }

    @Test("a client that disconnects releases the sockets of all its jobs")
    func leaves() async throws {
        try await RunningProxy.run { proxy in
            let (client, opened) = try await open(proxy)
            _ = try await client.head()
            #expect(proxy.services.hub.socketLimiter.total == 2)
            await client.connection.close()
            for (id, _) in opened {
                _ = try await proxy.host.events.take(where: { if case .closed(id) = $0 { true } else { false } })
            }
            #expect(proxy.services.hub.socketLimiter.total == 0)
            #expect(proxy.readings("bookstrack_event_stream_ends_total")[["1006"]] == 1)
        }
    }

    @Test("when the service stops, the client receives a single reconnection time rather than one for each job")
    func stops() async throws {
        try await RunningProxy.run { proxy in
            let (client, _) = try await open(proxy)
            _ = try await client.head()
            try await proxy.shutdown()
            let advice = try #require(try await client.next())
            #expect(advice.hasPrefix("retry: "))
            #expect(try await client.next() == nil)
        }
    }

    @Test("when the service stops, an open job does not cut off the last frames of an ended job on the same stream")
    func stopsAfterLastFrames() async throws {
        try await RunningProxy.run {
            $0.timeouts.drain = .seconds(60)
        } _: { proxy in
            let client = try await EventStreamClient(port: proxy.port, Self.path, receiveBuffer: 4_096)
            var opened: [(id: SocketID, request: SocketRequest)] = []
            for _ in 0..<2 { opened.append(try await proxy.host.nextOpened()) }
            let ended = opened[1]
            _ = try await client.head()
            try await client.connection.stopReading()
            proxy.pushTooMuch(to: ended.id)
            try await until { await proxy.isDraining(ended.id) }
            async let stopped: Void = proxy.shutdown()
            try await proxy.listener.closeFuture.get()
            try await client.connection.startReading()
            var events: [String] = []
            while let event = try await client.next() { events.append(event) }
            #expect(events.contains { $0.contains("unwatched") && $0.contains(ended.request.jobId.text) })
            #expect(events.last?.hasPrefix("retry: ") == true)
            try await stopped
        }
    }

    @Test("the jobs of a stream share its queue limit, and a client that reads too slowly is told to reconnect later")
    func slowReader() async throws {
        try await RunningProxy.run { proxy in
            let jobs = (0..<20).map { "job=job-\($0 + 1_000):t" }
            let client = try await EventStreamClient(
                port: proxy.port, "/v1/events?" + jobs.joined(separator: "&"), receiveBuffer: 4_096)
            var ids: [SocketID] = []
            for _ in jobs { ids.append(try await proxy.host.nextOpened().0) }
            _ = try await client.head()
            // The frames of any one job alone are within the queue limit.
            let text = String(repeating: "x", count: 60_000)
            for seq in 1...4 {
                proxy.host.deliver(#"{"seq":\#(seq),"text":"\#(text)"}"#, to: ids, .event, seq: seq)
            }
            var last = ""
            while let event = try await client.next() { last = event }
            #expect(last.hasPrefix("retry: 3"), "\(last.prefix(40))")
            #expect(proxy.services.hub.socketLimiter.total == 0)
            #expect(proxy.services.hub.metrics.waiting.value == 0)
            #expect(proxy.readings("bookstrack_event_stream_ends_total")[["1013"]] == 1)
        }
    }
}

@Suite("Refused event streams of several jobs") struct CombinedEventStreamRefusalTests {
    @Test(
        "an invalid value is refused with a 400 that names its field",
        arguments: [
            ("", "job"), ("job=x:t", "job"), ("job=job-one1:a&job=job-one1:b", "job"),
            ("job=job-one1:t&since=4", "since"), ("job=job-one1:t&since=job-one1=-1", "since"),
            ((0...20).map { "job=job-\($0 + 1_000):t" }.joined(separator: "&"), "job"),
            ("job=job-one1:t&x=" + String(repeating: "y", count: 8_192), "job"),
        ])
    func malformed(query: String, place: String) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request("GET", "/v1/events?\(query)")
            #expect(answer.status == 400)
            #expect(try answer.failure.details?["field"] == .text(place))
            #expect(proxy.services.hub.socketLimiter.total == 0)
        }
    }

    @Test(
        "if no job may be watched, the response is the same as for a single job's stream",
        arguments: [("UNAUTHORIZED", 401), ("TOKEN_EXPIRED", 401), ("SERVICE_UNAVAILABLE", 503)])
    func refused(code: String, status: Int) async throws {
        try await RunningProxy.run(script: .init(openFailure: .init(code: code, message: "no"))) { proxy in
            let answer = try await proxy.request("GET", "/v1/events?job=job-one1:s3cret&job=job-two2:s3cret")
            #expect(answer.status == status)
            #expect(try answer.failure.code.rawValue == code)
            #expect(proxy.readings("bookstrack_event_stream_refusals_total")[[code]] == 1)
            #expect(proxy.services.hub.socketLimiter.total == 0)
        }
    }

    @Test("a job that may not be watched is reported, and the other jobs are streamed")
    func oneRefused() async throws {
        try await RunningProxy.run(script: .init(refusedTokens: ["wrong"])) { proxy in
            let client = try await EventStreamClient(
                port: proxy.port, "/v1/events?job=job-one1:t1&job=job-two2:wrong")
            let (id, _) = try await proxy.host.nextOpened()
            #expect(try await client.head().status == 200)
            #expect(
                try await client.next()
                    == "event: watch_refused\n"
                    + #"data: {"code":"UNAUTHORIZED","jobId":"job-two2","type":"watch_refused"}"#)
            proxy.host.deliver(#"{"seq":3}"#, to: [id], .event, seq: 3)
            #expect(try await client.next() == "id: job-one1=3\ndata: {\"seq\":3}")
            #expect(proxy.services.hub.socketLimiter.total == 1)
        }
    }

    @Test("each job of a stream counts toward the socket limits")
    func limits() async throws {
        try await RunningProxy.run {
            $0.socketLimits = SocketLimits(total: 200, perJob: 20, perAddress: 2)
        } _: { proxy in
            let answer = try await proxy.request("GET", "/v1/events?job=job-one1:t&job=job-two2:t&job=job-six6:t")
            #expect(answer.status == 429)
            #expect(proxy.services.hub.socketLimiter.total == 0)
        }
    }
}
