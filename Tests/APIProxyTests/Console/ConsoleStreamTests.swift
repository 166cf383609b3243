import BookstrackContract
import Foundation
import Logging
import NIOCore
import NIOPosix
import ServiceKit
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("The console's live job stream") struct ConsoleStreamTests {
    private static let path = "/console/api/jobs/job-12345/events"

    private func run(token: String?, _ body: (RunningProxy) async throws -> Void) async throws {
        try await RunningProxy.runConsole(.read, token: token) {
            $0.timeouts.streamHeartbeat = .milliseconds(5)
        } _: { proxy in
            try await body(proxy)
        }
    }

    @Test("the stream delivers a job's frames without a job token, starting after the page's last event")
    func frames() async throws {
        try await run(token: nil) { proxy in
            let client = try await EventStreamClient(
                port: proxy.adminPort, "\(Self.path)?follow=results", fields: ["last-event-id: 3"])
            let (id, request) = try await proxy.host.nextOpened()
            #expect(request.isOperator == true)
            #expect(request.isOneWay == true)
            #expect(request.followsResults == true)
            #expect(request.token == nil)
            #expect(request.since == 3)
            #expect(try await client.head()["content-type"] == "text/event-stream")
            proxy.host.deliver(#"{"type":"job_progress","seq":4}"#, to: [id], .progress, seq: 4)
            var event = try await client.next()
            while event?.hasPrefix(":") == true { event = try await client.next() }
            #expect(event == "id: 4\nevent: job_progress\ndata: {\"type\":\"job_progress\",\"seq\":4}")
        }
    }

    @Test("a job token does not grant access to the console stream and is not passed on")
    func jobToken() async throws {
        try await run(token: RunningProxy.consoleToken) { proxy in
            for fields in [[], ["Authorization: Bearer t"]] {
                let client = try await EventStreamClient(port: proxy.adminPort, Self.path, fields: fields)
                #expect(try await client.head().status == 401)
            }
        }
        try await run(token: nil) { proxy in
            _ = try await EventStreamClient(port: proxy.adminPort, Self.path, token: "t")
            #expect(try await proxy.host.nextOpened().1.token == nil)
        }
    }

    @Test("a client's own job stream has no operator access, and a console without a token is not served publicly")
    func clients() async throws {
        try await run(token: nil) { proxy in
            _ = try await EventStreamClient(port: proxy.port, "/v1/jobs/job-12345/events", token: "t")
            #expect(try await proxy.host.nextOpened().1.isOperator == nil)
            let console = try await EventStreamClient(port: proxy.port, Self.path)
            #expect(try await console.head().status == 404)
        }
    }

    @Test("requests from a page of another origin, or for another host name as in DNS rebinding, are refused")
    func foreign() async throws {
        try await run(token: nil) { proxy in
            for fields in [["Origin: http://localhost:3000"], ["Sec-Fetch-Site: cross-site"]] {
                let client = try await EventStreamClient(port: proxy.adminPort, Self.path, fields: fields)
                #expect(try await client.head().status == 403, "\(fields)")
            }
            let answer = try await proxy.request("GET", Self.path, port: proxy.adminPort, host: "evil.example")
            #expect(answer.status == 403)
        }
    }

    @Test("a logout ends the session's streams", arguments: [path, "/console/api/tail"])
    func logout(path: String) async throws {
        try await run(token: RunningProxy.consoleToken) { proxy in
            let session = try await proxy.session()
            let client = try await EventStreamClient(port: proxy.adminPort, path, fields: [session.cookie])
            #expect(try await client.head().status == 200)
            let answer = try await proxy.console(
                "POST", "/console/api/logout", fields: session.fields + proxy.ownFields(), body: "")
            #expect(answer.status == 200)
            while try await client.next() != nil {}
        }
    }

    @Test("HEAD returns only the response's head, and does not begin a tail")
    func head() async throws {
        try await run(token: nil) { proxy in
            let connection = try await RawConnection(port: proxy.adminPort)
            try await connection.send("HEAD /console/api/tail HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await connection.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let all = String(decoding: try await connection.readToEnd(), as: UTF8.self)
            let end = try #require(all.range(of: "\r\n\r\n"))
            let head = try HTTPAnswer(Array(all[..<end.upperBound].utf8))
            #expect(head.status == 200)
            #expect(head["content-type"] == "application/x-ndjson")
            #expect(head["content-length"] == nil)
            #expect(head["transfer-encoding"] == nil)
            #expect(all[end.upperBound...].hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test("the list of a job's watchers distinguishes the console from clients")
    func watchers() async throws {
        try await run(token: nil) { proxy in
            let console = try await EventStreamClient(port: proxy.adminPort, Self.path)
            _ = try await console.head()
            let client = try await EventStreamClient(port: proxy.port, "/v1/jobs/job-12345/events", token: "t")
            _ = try await client.head()
            let watchers = try await proxy.services.hub.watchers(of: try job("job-12345"))
            #expect(watchers.filter(\.isOperator).count == 1)
            #expect(watchers.count == 2)
        }
    }

    @Test("tails are counted as soon as they are admitted, not only once their responses are being sent")
    func tailLimit() throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let sockets = SuiteSockets(directory: "/tmp/none")
        let workers = WorkerLinks(sockets: sockets, group: group, logger: Logger(label: "test"))
        let tails = ConsoleTails(sockets: sockets, workers: workers, heartbeat: .seconds(15), group: group)
        let query = QueryItems(uri: "/console/api/tail")
        var answers = try (0..<ConsoleTails.limit).map { _ in try tails.answer(query) { true } }
        #expect(throws: APIFailure.self) { try tails.answer(query) { true } }
        answers.removeLast()
        #expect(throws: Never.self) { try tails.answer(query) { true } }
    }
}
