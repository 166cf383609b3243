import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import ServiceKit
import TestSupport
import Testing
@testable import APIProxy

@Suite("Edge rules") struct EdgeRuleTests {
    @Test(
        "by default, only the documented origins are allowed",
        arguments: [
            ("https://bookstrack.app", true), ("https://www.bookstrack.app", true), ("HTTPS://BOOKSTRACK.APP", true),
            ("http://bookstrack.app", false), ("https://bookstrack.app.evil.example", false), ("null", false),
            ("http://localhost", true), ("http://localhost:3000", true), ("http://127.0.0.1:8080", true),
            ("http://localhost:3000.evil.example", false), ("http://localhost:", false), ("https://localhost:1", false),
            ("capacitor://localhost", true), ("ionic://localhost", true), ("", false),
        ])
    func origins(_ origin: String, _ isAllowed: Bool) {
        #expect(OriginList().allows(origin) == isAllowed)
    }

    @Test(
        "an HTTP/1.1 request must have exactly one valid Host",
        arguments: [
            ([], false), (["localhost"], true), (["[::1]:8787"], true), ([""], true), (["a", "a"], false),
            (["a b"], false), (["a/b"], false), (["user@a"], false),
        ])
    func host(_ hosts: [String], _ isFine: Bool) {
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: "/", headers: HTTPHeaders(hosts.map { ("Host", $0) }))
        #expect((HostRule.fault(of: head) == nil) == isFine)
    }

    @Test("an HTTP/1.0 request may omit Host")
    func oldHost() {
        #expect(HostRule.fault(of: HTTPRequestHead(version: .http1_0, method: .GET, uri: "/")) == nil)
    }

    @Test("if the peer is a trusted proxy, the client's address is the rightmost untrusted one in X-Forwarded-For")
    func forwarded() throws {
        var proxies = TrustedProxies()
        let peer = try SocketAddress(ipAddress: "10.0.0.1", port: 1)
        #expect(proxies.clientAddress(peer: peer, forwarded: ["203.0.113.9"]).shareKey == "a:0:0:1")
        proxies.blocks = [try #require(AddressBlock("10.0.0.0/8"))]
        let address = proxies.clientAddress(peer: peer, forwarded: ["198.51.100.1", "203.0.113.9", "10.1.1.1"])
        #expect(address == ClientAddress("203.0.113.9"))
        #expect(proxies.clientAddress(peer: peer, forwarded: ["junk"]) == ClientAddress("10.0.0.1"))
    }

    @Test("IPv6 addresses in one /64 have one share key, and an IPv4-mapped address is treated as its IPv4 address")
    func shareKeys() throws {
        let one = try #require(ClientAddress("2001:db8:1:2::1"))
        let two = try #require(ClientAddress("2001:db8:1:2:ffff::9"))
        let other = try #require(ClientAddress("2001:db8:1:3::1"))
        #expect(one.shareKey == two.shareKey)
        #expect(one.shareKey != other.shareKey)
        #expect(ClientAddress("::ffff:192.0.2.1") == ClientAddress("192.0.2.1"))
    }
}

@Suite("Security headers") struct SecurityFieldTests {
    @Test(
        "by default, a response forbids sniffing, caching, framing and referrers, whichever component creates it",
        arguments: [
            ("GET", "/health", []), ("GET", "/v1/nowhere", []), ("PUT", "/health", []), ("OPTIONS", "/health", []),
            ("GET", "/v1/jobs/job-12345/results", []), ("GET", "*", ["Host: again"]),
            (
                "GET", "/ws/progress?jobId=job-12345",
                ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 12"]
            ),
        ])
    func everywhere(_ method: String, _ path: String, _ fields: [String]) async throws {
        try await RunningProxy.run { proxy in
            let answer = try await proxy.request(method, path, fields: fields)
            #expect(answer["x-content-type-options"] == "nosniff")
            #expect(answer["referrer-policy"] == "no-referrer")
            #expect(answer["cache-control"] == "no-store")
            #expect(answer["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'")
            #expect(answer["vary"] == "Origin")
            #expect(answer["x-api-version"] == "2.1")
            #expect(answer["x-request-id"] != nil)
        }
    }

    @Test("early refusals carry CORS fields for allowed origins, and never allow credentials")
    func connection() async throws {
        try await RunningProxy.run { proxy in
            let upgrade = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 12"]
            for (origin, isAllowed) in [("https://bookstrack.app", true), ("https://evil.example", false)] {
                let answer = try await proxy.request(
                    "GET", "/ws/progress?jobId=job-12345", fields: upgrade + ["Origin: \(origin)"])
                #expect(answer.status == 426)
                #expect(answer["access-control-allow-origin"] == (isAllowed ? origin : nil))
                #expect((answer["access-control-expose-headers"] != nil) == isAllowed)
                #expect(answer["access-control-allow-credentials"] == nil)
            }
        }
    }
}

@Suite("Logged requests") struct LoggedRequestTests {
    private final class AtOnce: LoopWork {
        func start(_ exchange: LoopExchange) { exchange.answer(.ok, [:], ByteBuffer()) }

        func cancel() {}
    }

    @Test(
        "the log contains at most 8 KiB of a path and no query, whether a request is answered or refused",
        arguments: ["Host: a\r\n", ""])
    func path(_ fields: String) throws {
        let long = "/" + String(repeating: "x", count: 12_000)
        for (path, logged) in [("/a", "/a"), (long, String(long.prefix(8_192)))] {
            let log = RecordingLog()
            let connection = try EmbeddedConnection(
                routes: [Route(onLoop: "/{name}", limit: .exempt) { _ in AtOnce() }], logger: log.logger)
            try connection.send("GET \(path)?token=abc HTTP/1.1\r\n\(fields)\r\n")
            #expect(log.metadata(at: .info).compactMap { $0["path"]?.description } == [logged])
        }
    }

    @Test("a query is not logged, even if a combining mark follows its question mark")
    func combiningMark() { #expect(RequestFeed.loggedPath("/a?\u{301}token=b") == "/a") }
}

@Suite("The Date header")
struct HTTPDateTests {
    @Test("the Date header has the form of the example in RFC 9110 §5.6.7")
    func example() {
        let date = HTTPDate()
        #expect(date.text(second: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(date.text(second: 784_111_778) == "Sun, 06 Nov 1994 08:49:38 GMT")
        #expect(date.text(second: 0) == "Thu, 01 Jan 1970 00:00:00 GMT")
    }
}
