import BookstrackContract
import JSONRPC
import NIOConcurrencyHelpers
import NIOCore
import SuiteMethods
import TestSupport
import Testing

@testable import APIProxy

@Suite("Polling a job's state and results") struct JobStateRouteTests {
    private static let path = "/v1/jobs/job-12345"
    private static let bearer = "Authorization: Bearer tok-1"

    private static func state(seq: Int, _ status: JobStatus = .processing) throws -> JobState {
        var state = JobState(
            jobId: try job("job-12345"), pipeline: .batchEnrichment, totalCount: 2,
            createdAt: "2025-11-15T20:00:00.000Z")
        state.status = status
        state.lastSeq = seq
        state.resultsRevision = 1
        return state
    }

    @Test(
        "a state's entity tag consists of its event number and results revision, and a client that has that state receives a 304"
    )
    func tags() async throws {
        try await RunningProxy.run(script: .init(state: try Self.state(seq: 4))) { proxy in
            let first = try await proxy.request("GET", Self.path, fields: [Self.bearer])
            #expect(first.status == 200)
            #expect(first["etag"] == #"W/"4-1""#)
            for tag in [#"W/"4-1""#, #""4-1""#, #"W/"3-1", W/"4-1""#, "*"] {
                let again = try await proxy.request("GET", Self.path, fields: [Self.bearer, "If-None-Match: \(tag)"])
                #expect(again.status == 304)
                #expect(again["etag"] == #"W/"4-1""#)
                #expect(again.body == [])
            }
            let newer = try await proxy.request("GET", Self.path, fields: [Self.bearer, #"If-None-Match: W/"3-1""#])
            #expect(newer.status == 200)
        }
    }

    @Test("the entity tags of a request may be spread over several lines")
    func tagLines() async throws {
        try await RunningProxy.run(script: .init(state: try Self.state(seq: 4))) { proxy in
            let lines = [#"If-None-Match: W/"3-1""#, #"If-None-Match: W/"4-1", W/"1""#]
            for path in [Self.path, Self.path + "?wait=1", Self.path + "/results"] {
                let answer = try await proxy.request("GET", path, fields: [Self.bearer] + lines)
                #expect(answer.status == 304, "\(path)")
            }
        }
    }

    @Test("a waiting request receives the state after the next event")
    func waits() async throws {
        try await RunningProxy.run(script: .init(state: try Self.state(seq: 4))) { proxy in
            let asked = Task {
                try await proxy.request(
                    "GET", Self.path + "?wait=30", fields: [Self.bearer, #"If-None-Match: W/"4-1""#])
            }
            let (id, request) = try await proxy.host.nextOpened()
            #expect(request.since == 4)
            #expect(request.token == "tok-1")
            #expect(proxy.services.hub.socketLimiter.total == 1)
            proxy.host.deliver(#"{"seq":4}"#, to: [id], .reconnected, seq: 4)
            let next = try Self.state(seq: 5)
            proxy.host.script.withLockedValue { $0.state = next }
            proxy.host.deliver(#"{"seq":5}"#, to: [id], .progress, seq: 5)
            let answer = try await asked.value
            #expect(answer.status == 200)
            #expect(answer["etag"] == #"W/"5-1""#)
            _ = try await proxy.host.events.take(where: { if case .closed(id) = $0 { true } else { false } })
            #expect(proxy.services.hub.socketLimiter.total == 0)
        }
    }

    @Test(
        "a request from a page of any origin may wait for a change, just as it may read the state",
        arguments: ["Origin: https://evil.example", "Sec-Fetch-Site: cross-site"])
    func foreignPage(field: String) async throws {
        try await RunningProxy.run(script: .init(state: try Self.state(seq: 4))) { proxy in
            #expect(try await proxy.request("GET", Self.path, fields: [Self.bearer, field]).status == 200)
            let asked = Task {
                try await proxy.request("GET", Self.path + "?wait=30", fields: [Self.bearer, field])
            }
            let (id, _) = try await proxy.host.nextOpened()
            proxy.host.deliver(#"{"seq":5}"#, to: [id], .progress, seq: 5)
            let answer = try await asked.value
            #expect(answer.status == 200)
            #expect(answer["access-control-allow-origin"] == nil)
        }
    }

    @Test("when the wait ends, a client that sent the state's tag receives a 304, and other clients receive the state")
    func timesOut() async throws {
        try await RunningProxy.run(script: .init(state: try Self.state(seq: 4))) { proxy in
            async let known = proxy.request(
                "GET", Self.path + "?wait=1", fields: [Self.bearer, #"If-None-Match: W/"4-1""#])
            async let unknown = proxy.request("GET", Self.path + "?wait=1", fields: [Self.bearer])
            let statuses = try await [known.status, unknown.status]
            #expect(statuses == [304, 200])
            #expect(proxy.services.hub.socketLimiter.total == 0)
        }
    }

    @Test("the response is immediate if the client has an older state or the job has ended")
    func answersAtOnce() async throws {
        try await RunningProxy.run(script: .init(state: try Self.state(seq: 4))) { proxy in
            let older = try await proxy.request(
                "GET", Self.path + "?wait=30", fields: [Self.bearer, #"If-None-Match: W/"3-1""#])
            #expect(older.status == 200)
            let ended = try Self.state(seq: 5, .completed)
            proxy.host.script.withLockedValue { $0.state = ended }
            let over = try await proxy.request(
                "GET", Self.path + "?wait=30", fields: [Self.bearer, #"If-None-Match: W/"5-1""#])
            #expect(over.status == 304)
        }
    }

    @Test("a wait that is not between 1 and 30 seconds is refused with a 400", arguments: ["0", "31", "x", ""])
    func wrongWait(text: String) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request("GET", Self.path + "?wait=" + text, fields: [Self.bearer])
            #expect(answer.status == 400)
        }
    }

    @Test("a waiting request counts toward the socket limits")
    func limits() async throws {
        try await RunningProxy.run(script: .init(state: try Self.state(seq: 4))) {
            $0.socketLimits = SocketLimits(total: 200, perJob: 1, perAddress: 100)
        } _: { proxy in
            let socket = try await WebSocketClient(port: proxy.port, query: "jobId=job-12345&token=t")
            _ = try await proxy.host.nextOpened()
            let answer = try await proxy.request("GET", Self.path + "?wait=1", fields: [Self.bearer])
            #expect(answer.status == 429)
            await socket.connection.close()
        }
    }

    @Test("a client that closes its sending side before its wait has begun is disconnected")
    func halfClosed() async throws {
        let release = Inbox<Void>()
        try await RunningProxy.run(script: .init(state: try Self.state(seq: 4), stateRelease: release)) { proxy in
            let connection = try await RawConnection(port: proxy.port, sendsOn: true)
            try await connection.send("GET \(Self.path)?wait=30 HTTP/1.1\r\nHost: a\r\n\(Self.bearer)\r\n\r\n")
            _ = try await proxy.host.events.take(where: { if case .access = $0 { true } else { false } })
            await connection.closeOutput()
            release.append(())
            #expect(try await connection.readToEnd().isEmpty)
        }
    }

    @Test("when the server stops, waiting requests are answered immediately")
    func stops() async throws {
        try await RunningProxy.run(script: .init(state: try Self.state(seq: 4))) { proxy in
            let asked = Task { try await proxy.request("GET", Self.path + "?wait=30", fields: [Self.bearer]) }
            _ = try await proxy.host.nextOpened()
            try await proxy.shutdown()
            let answer = try await asked.value
            #expect([200, 503].contains(answer.status))
        }
    }

    @Test("the entity tag of results is their revision")
    func results() async throws {
        try await RunningProxy.run { proxy in
            let first = try await proxy.request("GET", "/v1/enrichment/results/job-12345")
            #expect(first["etag"] == #"W/"1""#)
            let again = try await proxy.request(
                "GET", "/v1/enrichment/results/job-12345", fields: [#"If-None-Match: W/"1""#])
            #expect(again.status == 304)
            #expect(again.body == [])
        }
    }
}
