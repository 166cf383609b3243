import BookstrackContract
import ServiceKit
import Testing

@testable import APIProxy

@Suite("Requests from web pages") struct OriginRuleTests {
    private static let start = #"{"isbns":["9780441172719"]}"#

    private func expect(_ status: Int, of proxy: RunningProxy, host: String, _ fields: [String]) async throws {
        let connection = try await RawConnection(port: proxy.port)
        let head = ["POST /v1/enrichment/batch HTTP/1.1", "Host: \(host)", "Connection: close"] + fields
        try await connection.send(
            (head + ["Content-Length: \(Self.start.utf8.count)", "", Self.start]).joined(separator: "\r\n"))
        let answer = try HTTPAnswer(try await connection.readToEnd())
        #expect(answer.status == status, "\(host) \(fields)")
    }

    @Test(
        "a state-changing request is accepted from listed pages, the listener's own pages, and clients other than browsers"
    )
    func allowed() async throws {
        try await RunningProxy.run {
            $0.publicHosts = [HostName("books.example.org")].compactMap { $0 }
        } _: { proxy in
            let own = "127.0.0.1:\(proxy.port)"
            for (host, fields) in [
                ("localhost", []), ("localhost", ["Origin: https://bookstrack.app"]),
                ("evil.example", ["Origin: capacitor://localhost"]), (own, ["Origin: http://\(own)"]),
                ("books.example.org", ["Origin: http://books.example.org"]),
                ("books.example.org:80", ["Origin: http://books.example.org"]),
                ("Books.Example.org:8080", ["Origin: http://books.example.org:8080"]),
                ("localhost", ["Sec-Fetch-Site: same-origin"]), ("localhost", ["Sec-Fetch-Site: none"]),
            ] {
                try await expect(202, of: proxy, host: host, fields)
            }
        }
    }

    @Test(
        "a page from another origin is refused, even if its host name was rebound to this machine",
        arguments: [
            ("localhost", ["Origin: https://evil.example"]), ("localhost", ["Origin: null"]),
            ("localhost", ["Origin: https://bookstrack.app, https://evil.example"]),
            ("localhost", ["Origin: https://bookstrack.app", "Origin: https://evil.example"]),
            ("evil.example", ["Origin: http://evil.example"]), ("0.0.0.0", ["Origin: http://0.0.0.0"]),
            ("192.0.2.1", ["Origin: http://192.0.2.1"]),
            ("books.example.org", ["Origin: https://books.example.org"]),
            ("books.example.org", ["Origin: http://books.example.org:8080"]),
            ("evil.example", ["Origin: http://books.example.org", "X-Forwarded-Host: books.example.org"]),
            ("localhost", ["Sec-Fetch-Site: cross-site"]),
        ])
    func refused(host: String, fields: [String]) async throws {
        try await RunningProxy.run {
            $0.publicHosts = [HostName("books.example.org")].compactMap { $0 }
        } _: { proxy in
            try await expect(403, of: proxy, host: host, fields)
        }
    }

    @Test("the scheme and host of the client's request are taken from a trusted proxy's header fields")
    func forwarded() async throws {
        try await RunningProxy.run {
            $0.publicHosts = [HostName("books.example.org")].compactMap { $0 }
            $0.trustedProxies.blocks = [AddressBlock("127.0.0.1/32")].compactMap { $0 }
        } _: { proxy in
            let page = ["Origin: https://books.example.org"]
            let scheme = ["X-Forwarded-Proto: https"]
            try await expect(403, of: proxy, host: "books.example.org", page)
            try await expect(202, of: proxy, host: "books.example.org", page + scheme)
            try await expect(403, of: proxy, host: "inner:8787", page + scheme)
            let host = ["X-Forwarded-Host: evil.example, books.example.org"]
            try await expect(202, of: proxy, host: "inner:8787", page + scheme + host)
        }
    }

    @Test("a page from another origin is refused before its body arrives, and the connection ends")
    func beforeBody() async throws {
        try await RunningProxy.run { proxy in
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(
                "POST /v1/enrichment/batch HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n"
                    + "Content-Length: 16000000\r\n\r\n{")
            let answer = try HTTPAnswer(try await connection.readToEnd())
            #expect(answer.status == 403)
            #expect(answer["connection"] == "close")
            #expect(try answer.failure.code == .forbidden)
            #expect(answer["access-control-allow-origin"] == nil)
        }
    }

    @Test("a read request from an origin that is not allowed is answered, but without Access-Control-Allow-Origin")
    func reading() async throws {
        try await RunningProxy.run { proxy in
            for method in ["GET", "HEAD", "OPTIONS"] {
                let answer = try await proxy.request(method, "/health", fields: ["Origin: https://evil.example"])
                #expect(answer.status < 300)
                #expect(answer["access-control-allow-origin"] == nil)
            }
        }
    }

    @Test("the listener's own page may open a WebSocket, and a cross-site page may not, even without Origin")
    func sockets() async throws {
        try await RunningProxy.run { proxy in
            let own = try await WebSocketClient(port: proxy.port, fields: ["Origin: http://localhost"])
            for field in ["Origin: https://evil.example", "Sec-Fetch-Site: cross-site"] {
                do {
                    _ = try await WebSocketClient(port: proxy.port, fields: [field])
                    Issue.record("\(field) was accepted")
                } catch let refused as WebSocketClient.Refused {
                    #expect(refused.answer.status == 403)
                }
            }
            #expect(proxy.services.hub.socketLimiter.total == 1)
            await own.connection.close()
        }
    }

    @Test("the admin listener serves requests only under its own host names, and the public listener under any name")
    func adminHosts() async throws {
        try await RunningProxy.run {
            $0.adminHosts = ["api-proxy", "2001:db8::1"].compactMap { HostName($0) }
        } _: { proxy in
            for (host, status) in [
                ("localhost", 200), ("localhost:\(proxy.adminPort)", 200), ("127.0.0.1:\(proxy.adminPort)", 200),
                ("LOCALHOST.", 200), ("[::1]:9787", 200), ("api-proxy:9787", 200), ("[2001:db8::1]", 200), ("", 200),
                ("evil.example", 403), ("localhost.evil.example", 403), ("api-proxy.evil.example:9787", 403),
                ("192.0.2.1", 403), ("0.0.0.0:9787", 403), ("localhost:x", 403),
            ] {
                for (port, expected) in [(proxy.adminPort, status), (proxy.port, 200)] {
                    let connection = try await RawConnection(port: port)
                    try await connection.send(
                        "GET /health/ready HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
                    let answer = try HTTPAnswer(try await connection.readToEnd())
                    #expect(answer.status == expected, "\(host)")
                }
            }
        }
    }
}
