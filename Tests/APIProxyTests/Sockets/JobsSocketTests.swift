import BookstrackContract
import Foundation
import NIOCore
import Observability
import SuiteMethods
import TestSupport
import Testing

@testable import APIProxy

@Suite("A multi-job WebSocket", .timeLimit(.minutes(2))) struct JobsSocketTests {
    private func connect(_ proxy: RunningProxy, receiveBuffer: Int? = nil) async throws -> WebSocketClient {
        let connection = try await RawConnection(port: proxy.port, receiveBuffer: receiveBuffer)
        return try await WebSocketClient(on: connection, asking: WebSocketClient.request(path: "/ws/jobs", query: ""))
    }

    private static func watch(_ jobs: String...) -> String {
        #"{"type":"watch","jobs":[\#(jobs.joined(separator: ","))]}"#
    }
    private static let one = #"{"jobId":"job-one1","token":"t1"}"#
    private static let two = #"{"jobId":"job-two2","token":"t2","since":7}"#
    private static func notice(_ type: String, _ job: String) -> String { #"{"jobId":"\#(job)","type":"\#(type)"}"# }

    /// Watches both jobs, and returns their sockets.
    private func watchBoth(_ proxy: RunningProxy, _ client: WebSocketClient) async throws -> [SocketID] {
        try await client.send(Self.watch(Self.one, Self.two))
        var opened: [(id: SocketID, request: SocketRequest)] = []
        for _ in 0..<2 { opened.append(try await proxy.host.nextOpened()) }
        opened.sort { $0.request.jobId.text < $1.request.jobId.text }
        #expect(opened.map(\.request.token) == ["t1", "t2"])
        #expect(opened.map(\.request.since) == [nil, 7])
        #expect(opened.map(\.request.isOneWay) == [true, true])
        let notices = [try await client.next().text, try await client.next().text]
        #expect(notices.sorted() == [Self.notice("watched", "job-one1"), Self.notice("watched", "job-two2")])
        return opened.map(\.id)
    }

    @Test("frames of every watched job arrive unchanged and exactly once")
    func frames() async throws {
        try await RunningProxy.run { proxy in
            let client = try await connect(proxy)
            let ids = try await watchBoth(proxy, client)
            proxy.host.deliver(#"{"seq":1}"#, to: [ids[0]], .event, seq: 1)
            #expect(try await client.next().text == #"{"seq":1}"#)
            proxy.host.deliver(#"{"seq":8}"#, to: [ids[1]], .event, seq: 8)
            #expect(try await client.next().text == #"{"seq":8}"#)
            proxy.host.deliver(#"{"seq":8}"#, to: [ids[1]], .event, seq: 8)
            proxy.host.deliver(#"{"seq":2}"#, to: [ids[0]], .event, seq: 2)
            #expect(try await client.next().text == #"{"seq":2}"#)
        }
    }

    @Test("the client is notified that a job is watched before the job's first frame arrives")
    func order() async throws {
        try await RunningProxy.run(script: .init(earlyFrame: #"{"seq":1}"#)) { proxy in
            let client = try await connect(proxy)
            try await client.send(Self.watch(Self.one))
            #expect(try await client.next().text == Self.notice("watched", "job-one1"))
            #expect(try await client.next().text == #"{"seq":1}"#)
        }
    }

    @Test("after a job's end, the connection stays open for other watched jobs and for new ones")
    func ends() async throws {
        try await RunningProxy.run { proxy in
            let client = try await connect(proxy)
            let ids = try await watchBoth(proxy, client)
            proxy.host.deliver(#"{"seq":2}"#, to: [ids[0]], .terminal, seq: 2)
            proxy.host.close([ids[0]], .normal)
            #expect(try await client.next().text == #"{"seq":2}"#)
            #expect(try await client.next().text == Self.notice("unwatched", "job-one1"))
            proxy.host.close([ids[1]], .policyViolation)
            #expect(
                try await client.next().text == #"{"code":"UNAUTHORIZED","jobId":"job-two2","type":"unwatched"}"#)
            #expect(proxy.services.hub.socketLimiter.total == 1)
            try await client.send(Self.watch(Self.one))
            #expect(try await client.next().text == Self.notice("watched", "job-one1"))
        }
    }

    @Test("if a job may not be watched, the refusal contains the job's identifier, and the connection stays open")
    func refused() async throws {
        try await RunningProxy.run(script: .init(refusedTokens: ["wrong"])) { proxy in
            let client = try await connect(proxy)
            try await client.send(Self.watch(#"{"jobId":"job-bad3","token":"wrong"}"#))
            #expect(
                try await client.next().text == #"{"code":"UNAUTHORIZED","jobId":"job-bad3","type":"watch_refused"}"#)
            try await client.send(Self.watch(Self.one))
            #expect(try await client.next().text == Self.notice("watched", "job-one1"))
        }
    }

    @Test("a list that cannot be parsed is refused with the name of the invalid field, and the connection stays open")
    func unreadable() async throws {
        try await RunningProxy.run { proxy in
            let client = try await connect(proxy)
            for (list, place) in [(#""jobs":[{}]"#, "jobs[0].jobId"), (#""jobs":7"#, "jobs"), (#""x":1"#, "jobs")] {
                try await client.send(#"{"type":"watch",\#(list)}"#)
                let text = try await client.next().text
                #expect(text.hasPrefix(#"{"code":"INVALID_REQUEST","message":"\#(place) "#), "\(text)")
            }
            try await client.send(Self.watch(Self.one))
            #expect(try await client.next().text == Self.notice("watched", "job-one1"))
        }
    }

    @Test("a job that the client unwatches delivers no more frames and no longer counts toward the socket limit")
    func unwatch() async throws {
        try await RunningProxy.run { proxy in
            let client = try await connect(proxy)
            let ids = try await watchBoth(proxy, client)
            try await client.send(#"{"type":"unwatch","jobs":[{"jobId":"job-one1"}]}"#)
            #expect(try await client.next().text == Self.notice("unwatched", "job-one1"))
            _ = try await proxy.host.events.take(where: { if case .closed(ids[0]) = $0 { true } else { false } })
            proxy.host.deliver(#"{"seq":1}"#, to: [ids[0]], .event, seq: 1)
            proxy.host.deliver(#"{"seq":8}"#, to: [ids[1]], .event, seq: 8)
            #expect(try await client.next().text == #"{"seq":8}"#)
            #expect(proxy.services.hub.socketLimiter.total == 2)
        }
    }

    @Test("a message about a watched job reaches progress-host as it would from that job's own socket")
    func concerning() async throws {
        try await RunningProxy.run { proxy in
            let client = try await connect(proxy)
            let ids = try await watchBoth(proxy, client)
            try await client.send(#"{"type":"cancel","jobId":"job-none"}"#)
            let text = #"{"type":"cancel","jobId":"job-two2"}"#
            try await client.send(text)
            let event = try await proxy.host.events.take(where: { if case .message = $0 { true } else { false } })
            guard case .message(let socket, let forwarded) = event else { return }
            #expect(socket == ids[1])
            #expect(forwarded == text)
        }
    }

    @Test("messages about a job that is not watched yet reach progress-host in order once the job is watched")
    func early() async throws {
        let release = Inbox<Void>()
        try await RunningProxy.run(script: .init(openRelease: release)) { proxy in
            let client = try await connect(proxy)
            try await client.send(Self.watch(Self.one))
            let (socket, _) = try await proxy.host.nextOpened()
            let texts = ["ready", "cancel"].map { #"{"type":"\#($0)","jobId":"job-one1"}"# }
            for text in texts { try await client.send(text) }
            // The connection itself answers the ping, so the messages before the ping have been read.
            try await client.send(#"{"type":"ping"}"#)
            #expect(try await client.next().text.contains("pong"))
            release.append(())
            #expect(try await client.next().text == Self.notice("watched", "job-one1"))
            for text in texts {
                let (receiver, message) = try await proxy.host.nextMessage()
                #expect(receiver == socket)
                #expect(message == text)
            }
        }
    }

    @Test("a client that sends too many messages about a job before it is watched is disconnected")
    func tooManyEarly() async throws {
        try await RunningProxy.run(script: .init(openRelease: Inbox())) { proxy in
            let client = try await connect(proxy)
            try await client.send(Self.watch(Self.one))
            for _ in 0...SocketShard.keptMessages {
                try await client.send(#"{"type":"cancel","jobId":"job-one1"}"#)
            }
            #expect(try await client.next().closeCode == 1013)
        }
    }

    @Test("a ping is answered by the connection itself")
    func ping() async throws {
        try await RunningProxy.run { proxy in
            let client = try await connect(proxy)
            try await client.send(#"{"type":"ping","payload":{"clientTime":5}}"#)
            let frame = try #require(
                try JSONSerialization.jsonObject(with: Data(try await client.next().payload)) as? [String: Any])
            #expect(frame["type"] as? String == "pong")
            #expect((frame["payload"] as? [String: Any])?["clientTime"] as? Int == 5)
        }
    }

    @Test("input that is not a message closes the connection with 1002", arguments: ["x", "[]", "{}"])
    func malformed(text: String) async throws {
        try await RunningProxy.run { proxy in
            let client = try await connect(proxy)
            try await client.send(text)
            #expect(try await client.next().closeCode == 1002)
        }
    }

    @Test("each list of jobs to watch counts as one request toward the client's rate limit")
    func rateLimit() async throws {
        try await RunningProxy.run {
            $0.rateLimits = RateLimits()
        } _: { proxy in
            let client = try await connect(proxy)
            // Each list is sent after the notice for the previous one, so requests for the job never overlap.
            for _ in 0..<49 {
                try await client.send(Self.watch(Self.one))
                #expect(try await client.next().text == Self.notice("watched", "job-one1"))
            }
            let answer = try await proxy.request("GET", "/v1/jobs/job-one1", fields: ["Authorization: Bearer t"])
            #expect(answer["x-ratelimit-remaining"] == "190")
        }
    }

    @Test("above the rate limit, further jobs are refused, and jobs that are already watched are acknowledged")
    func rateLimitExceeded() async throws {
        try await RunningProxy.run {
            $0.rateLimits = RateLimits(jobReads: .init(requests: 1, period: .minute))
        } _: { proxy in
            let client = try await connect(proxy)
            try await client.send(Self.watch(Self.one))
            #expect(try await client.next().text == Self.notice("watched", "job-one1"))
            try await client.send(Self.watch(Self.one, Self.two))
            #expect(try await client.next().text == Self.notice("watched", "job-one1"))
            let refusal = try await client.next().text
            #expect(refusal.contains("watch_refused"))
            #expect(refusal.contains("job-two2"))
        }
    }

    @Test("the connection and each of its jobs count toward the socket limits until the connection closes")
    func limits() async throws {
        try await RunningProxy.run {
            $0.socketLimits = SocketLimits(total: 200, perJob: 20, perAddress: 2)
        } _: { proxy in
            let client = try await connect(proxy)
            try await client.send(Self.watch(Self.one, Self.two))
            #expect(
                try await [client.next().text, client.next().text].sorted() == [
                    #"{"code":"TOO_MANY_CONNECTIONS","jobId":"job-two2","type":"watch_refused"}"#,
                    Self.notice("watched", "job-one1"),
                ])
            await client.connection.close()
            await proxy.services.hub.socketLimiter.emptied(within: .seconds(10), on: proxy.listener.eventLoop)
            #expect(proxy.services.hub.socketLimiter.total == 0)
        }
    }

    @Test("when the service stops, the client is notified only once, with close code 1012")
    func stops() async throws {
        try await RunningProxy.run { proxy in
            let unused = try await connect(proxy)
            let client = try await connect(proxy)
            _ = try await watchBoth(proxy, client)
            try await proxy.shutdown()
            #expect(try await client.next().closeCode == 1012)
            #expect(try await unused.next().closeCode == 1012)
        }
    }

    /// Stops the service while the last frames of the job `one` wait for the client, which does not read. Returns the frames that the client receives
    /// once it reads after `body`.
    ///
    /// - Parameter other: Another job that the client watches, for which nothing is waiting.
    private func framesWhileStopping(
        besides other: String? = nil,
        _ body: (RunningProxy, WebSocketClient) async throws -> Void = { _, _ in }
    ) async throws -> [WebSocketClient.Frame] {
        var frames: [WebSocketClient.Frame] = []
        try await RunningProxy.run {
            ($0.timeouts.drain, $0.timeouts.closeReply) = (.seconds(60), .seconds(60))
        } _: { proxy in
            let client = try await connect(proxy, receiveBuffer: 4_096)
            try await client.send(Self.watch(Self.one))
            let (id, _) = try await proxy.host.nextOpened()
            #expect(try await client.next().text == Self.notice("watched", "job-one1"))
            if let other {
                try await client.send(Self.watch(other))
                _ = try await proxy.host.nextOpened()
                #expect(try await client.next().text.contains("watched"))
            }
            try await client.connection.stopReading()
            proxy.pushTooMuch(to: id)
            try await until { await proxy.isDraining(id) }
            async let stopped: Void = proxy.shutdown()
            try await proxy.listener.closeFuture.get()
            try await body(proxy, client)
            try await client.connection.startReading()
            frames = try await client.framesToClose()
            await client.connection.close()
            try await stopped
        }
        return frames
    }

    @Test("when the service stops, a slow client receives the last frames of its ended job, and then close code 1012")
    func stopsAfterLastFrames() async throws {
        let frames = try await framesWhileStopping()
        #expect(frames[frames.count - 2].text == Self.notice("unwatched", "job-one1"))
        #expect(frames.last?.closeCode == 1012)
    }

    @Test("when the service stops, an open job does not cut off the last frames of an ended job on the same connection")
    func stopsAfterLastFramesOfOthers() async throws {
        let frames = try await framesWhileStopping(besides: Self.two)
        #expect(frames.contains { $0.text == Self.notice("unwatched", "job-one1") })
        #expect(frames.last?.closeCode == 1012)
    }

    @Test("a job that a client begins to watch while the service stops does not delay close code 1012")
    func watchesWhileStopping() async throws {
        let frames = try await framesWhileStopping { proxy, client in
            try await client.send(Self.watch(Self.two))
            _ = try await proxy.host.nextOpened()
        }
        #expect(frames.last?.closeCode == 1012)
    }

    @Test("an ended job that a client unwatches while the service stops does not delay close code 1012")
    func unwatchesWhileStopping() async throws {
        let frames = try await framesWhileStopping(besides: Self.two) { proxy, client in
            try await client.send(#"{"type":"unwatch","jobs":[{"jobId":"job-one1"}]}"#)
            _ = try await proxy.host.events.take { if case .closed = $0 { true } else { false } }
        }
        #expect(frames.last?.closeCode == 1012)
    }

    @Test("a client that reads too slowly is disconnected with 1013, even if no single job exceeds the queue limit")
    func slowReader() async throws {
        try await RunningProxy.run { proxy in
            let client = try await connect(proxy, receiveBuffer: 4_096)
            let jobs = (0..<20).map { #"{"jobId":"job-\#($0 + 1_000)","token":"t"}"# }
            try await client.send(#"{"type":"watch","jobs":[\#(jobs.joined(separator: ","))]}"#)
            var ids: [SocketID] = []
            for _ in jobs { ids.append(try await proxy.host.nextOpened().0) }
            for _ in jobs { #expect(try await client.next().text.contains("watched")) }
            let text = String(repeating: "x", count: 60_000)
            for seq in 1...4 {
                proxy.host.deliver(#"{"seq":\#(seq),"text":"\#(text)"}"#, to: ids, .event, seq: seq)
            }
            #expect(try await client.framesToClose().last?.closeCode == 1013)
            await proxy.services.hub.socketLimiter.emptied(within: .seconds(10), on: proxy.listener.eventLoop)
            #expect(proxy.services.hub.metrics.waiting.value == 0)
        }
    }

    @Test("an upgrade from a page of another origin is refused")
    func origin() async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            let request = WebSocketClient.request(path: "/ws/jobs", query: "", fields: ["Origin: https://evil.example"])
            await #expect(throws: WebSocketClient.Refused.self) {
                try await WebSocketClient(on: connection, asking: request)
            }
            #expect(proxy.services.hub.socketLimiter.total == 0)
        }
    }
}

@Suite("Silence on a multi-job WebSocket") struct SocketLivenessTests {
    private static let start = NIODeadline.uptimeNanoseconds(0)
    private var liveness = SocketLiveness(openedAt: start, PeerTimeouts())

    @Test("a connection that watches no job within 5 s is closed")
    mutating func unused() {
        #expect(liveness.deadline == Self.start + .seconds(5))
        #expect(liveness.poll(at: liveness.deadline, watchesJobs: false) == .endUnused)
    }

    @Test(
        "a connection whose job is still being requested stays open, and is closed at the next check if the job was refused"
    )
    mutating func asking() {
        #expect(liveness.poll(at: liveness.deadline, watchesJobs: true) == .nothing)
        #expect(liveness.poll(at: liveness.deadline, watchesJobs: false) == .endUnused)
    }

    @Test("a connection that has watched a job stays open even without jobs")
    mutating func idle() {
        liveness.isUsed = true
        #expect(liveness.poll(at: liveness.deadline, watchesJobs: false) == .nothing)
    }

    @Test("a silent client is pinged after 30 and 60 s and disconnected after 90 s")
    mutating func silent() {
        liveness.isUsed = true
        var actions: [SocketLiveness.Action] = []
        for _ in 0..<4 { actions.append(liveness.poll(at: liveness.deadline, watchesJobs: true)) }
        #expect(actions == [.nothing, .ping, .ping, .endSilent])
        #expect(liveness.deadline == Self.start + .seconds(120))
    }

    @Test("a client that responds is pinged again 30 s after its last response")
    mutating func alive() {
        liveness.isUsed = true
        _ = liveness.poll(at: liveness.deadline, watchesJobs: true)
        #expect(liveness.poll(at: liveness.deadline, watchesJobs: true) == .ping)
        liveness.heard(at: Self.start + .seconds(31))
        #expect(liveness.poll(at: Self.start + .seconds(60), watchesJobs: true) == .nothing)
        #expect(liveness.deadline == Self.start + .seconds(61))
    }
}
