import BookstrackContract
import Foundation
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import APIProxy

@Suite("Malformed and unusual requests") struct HTTPFramingTests {
    private func answer(_ proxy: RunningProxy, _ text: String) async throws -> HTTPAnswer {
        let connection = try await RawConnection(port: proxy.port)
        try await connection.send(text)
        return try HTTPAnswer(try await connection.readToEnd())
    }

    @Test(
        "malformed requests, CONNECT and violations of the Host rule are answered with a 400 in the error envelope",
        arguments: [
            "nonsense\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "GET / HTTP/9.9\r\nHost: a\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
            "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
        ])
    func garbage(_ text: String) async throws {
        try await RunningProxy.run { proxy in
            let refused = try await answer(proxy, text)
            #expect(refused.status == 400)
            #expect(try refused.failure.code == .invalidRequest)
            #expect(refused["connection"] == "close")
        }
    }

    @Test("garbage after a valid request is answered after that request")
    func garbageLater() async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n")
            let all = String(decoding: try await connection.readToEnd(), as: UTF8.self)
            let first = try #require(all.range(of: "HTTP/1.1 200"))
            let second = try #require(all.range(of: "HTTP/1.1 400"))
            #expect(first.lowerBound < second.lowerBound)
            #expect(all.contains("\"INVALID_REQUEST\""))
        }
    }

    @Test(
        "a response to HEAD ends with its head, whether the request fails or its response would be compressed",
        arguments: [
            "/nope", "/", "/v1/search/title", "/v1/token/refresh", "/ws/progress?jobId=job-12345", "/health/live",
            "/openapi.json", "/docs", "/v1/jobs/job-12345",
        ])
    func head(target: String) async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(
                "HEAD \(target) HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n"
                    + "GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let all = String(decoding: try await connection.readToEnd(), as: UTF8.self)
            let end = try #require(all.range(of: "\r\n\r\n"))
            #expect(!all[..<end.lowerBound].lowercased().contains("transfer-encoding"))
            #expect(all[end.upperBound...].hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test("a HEAD request that violates HTTP is refused without a body")
    func refusedHead() async throws {
        try await RunningProxy.run { proxy in
            let refused = try await answer(proxy, "HEAD / HTTP/1.1\r\n\r\n")
            #expect(refused.status == 400)
            #expect(refused["content-length"] != nil)
            #expect(refused.body.isEmpty)
        }
    }

    @Test(
        "a connection ends after an HTTP/1.0 request, even if the client asks to keep it", .timeLimit(.minutes(1)),
        arguments: ["/health/live", "/v1/jobs/job-12345"])
    func oldVersion(target: String) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await answer(proxy, "GET \(target) HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            #expect(answer["connection"] == "close")
        }
    }

    @Test("pipelined requests are all answered")
    func pipelined() async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            let one = "GET /health/live HTTP/1.1\r\nHost: a\r\n"
            try await connection.send(one + "\r\n" + one + "\r\n" + one + "Connection: close\r\n\r\n")
            let all = String(decoding: try await connection.readToEnd(), as: UTF8.self)
            #expect(all.components(separatedBy: "HTTP/1.1 200").count == 4)
        }
    }

    @Test(
        "a request sent after one that waits for progress-host is answered, even if both arrive together"
    )
    func pipelinedBehindLoop() async throws {
        try await RunningProxy.run { proxy in
            let state = "GET /v1/jobs/job-12345 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer t\r\n\r\n"
            let live = "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(state + live)
            #expect(try await connection.answers(2).map(\.status) == [200, 200])
            let release = Inbox<Void>()
            proxy.host.script.withLockedValue { $0.stateRelease = release }
            try await connection.send(state)
            _ = try await proxy.host.events.take { if case .access = $0 { true } else { false } }
            try await connection.send(live)
            release.append(())
            #expect(try await connection.answers(2).map(\.status) == [200, 200])
        }
    }

    @Test("a request with Connection: close is answered, and later requests are not")
    func behindClose() async throws {
        try await RunningProxy.run { proxy in
            let last = "GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            for following in ["nonsense\r\n\r\n", last, "\u{0}", String(repeating: "x", count: 100_000)] {
                let connection = try await RawConnection(port: proxy.port)
                try await connection.send(last + following)
                let all = String(decoding: try await connection.readToEnd(), as: UTF8.self)
                #expect(all.components(separatedBy: "HTTP/1.1 ").count == 2)
                #expect(all.hasPrefix("HTTP/1.1 200"))
            }
        }
    }

    @Test("a body without a declared length can be read")
    func chunked() async throws {
        try await RunningProxy.run { proxy in
            let body = #"{"isbns":["1"]}"#
            let head =
                "POST /v1/enrichment/batch HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n"
            let chunks = body.map { "1\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
            let started = try await answer(proxy, head + "Transfer-Encoding: chunked\r\n\r\n" + chunks)
            #expect(started.status == 202)
        }
    }

    @Test(
        "a body above 16 MiB is refused with a 413: immediately if its length is declared, otherwise at the limit"
    )
    func tooLarge() async throws {
        try await RunningProxy.run { proxy in
            let head = "POST /v1/enrichment/batch HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            let declared = try await answer(proxy, head + "Content-Length: 16777217\r\n\r\n")
            #expect(declared.status == 413)
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(head + "Transfer-Encoding: chunked\r\n\r\n")
            let chunk = Array("100000\r\n".utf8) + [UInt8](repeating: 0x20, count: 1 << 20) + Array("\r\n".utf8)
            for _ in 0..<17 { try? await connection.send(chunk) }
            let streamed = try HTTPAnswer(try await connection.readToEnd())
            #expect(streamed.status == 413)
            #expect(try streamed.failure.code == .fileTooLarge)
        }
    }

    @Test("a client that waits for 100 Continue receives it")
    func expects() async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(
                "POST /v1/enrichment/batch HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n"
                    + "Expect: 100-continue\r\nContent-Length: 15\r\n\r\n")
            guard case .bytes(let bytes) = try await connection.arrivals.take() else {
                Issue.record("the connection ended without a 100 Continue")
                return
            }
            #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 100 Continue\r\n"))
            try await connection.send(#"{"isbns":["1"]}"#)
            let answer = try HTTPAnswer(try await connection.readToEnd())
            #expect(answer.status == 202)
        }
    }

    @Test("a body that ends before its declared length starts no job")
    func cutOff() async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(
                "POST /v1/enrichment/batch HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n"
                    + #"{"isbns":["1"]}"#)
            await connection.close()
            #expect(try await proxy.request("GET", "/health/live").status == 200)
            #expect(proxy.host.events.elements.isEmpty)
        }
    }
}
