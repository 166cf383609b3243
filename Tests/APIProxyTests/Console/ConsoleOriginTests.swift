import ServiceKit
import Testing

@testable import APIProxy

@Suite("Hosts and origins of console requests") struct ConsoleOriginTests {
    /// Starts a proxy with a read-only console and with an additional configured name for each listener.
    private func run(
        token: String? = RunningProxy.consoleToken, _ body: (RunningProxy) async throws -> Void
    ) async throws {
        try await RunningProxy.runConsole(.read, token: token) {
            $0.adminHosts = [HostName("api-proxy")].compactMap { $0 }
            $0.publicHosts = [HostName("books.example.org")].compactMap { $0 }
        } _: { proxy in
            try await body(proxy)
        }
    }

    @Test(
        "a request for another host name, as in DNS rebinding, is refused on both listeners",
        arguments: ["evil.example", "localhost.evil.example", "192.0.2.1", "0.0.0.0"])
    func rebinding(host: String) async throws {
        try await run { proxy in
            for port in [proxy.adminPort, proxy.port] {
                for path in ["/console", "/console/api/session", "/console/api/jobs"] {
                    let answered = try await proxy.consoleStatus(path, host: host, port: port)
                    #expect(answered == 403, "\(path)")
                }
            }
        }
    }

    @Test(
        "requests for loopback addresses and configured hosts are served, and scrapers can read metrics and liveness",
        arguments: ["api-proxy", "api-proxy:9787", "127.0.0.1", "[::1]:9787", "books.example.org"])
    func hosts(host: String) async throws {
        try await run { proxy in
            let onPublic = try await proxy.consoleStatus("/console", host: host, port: proxy.port)
            #expect(onPublic == 200)
            guard host != "books.example.org" else { return }
            for path in ["/console", "/metrics", "/health/live"] {
                let onAdmin = try await proxy.consoleStatus(path, host: host)
                #expect(onAdmin == 200, "\(path)")
            }
        }
    }

    @Test(
        "a page from another origin cannot read anything, even if it may call the API",
        arguments: [
            ["Origin: http://localhost:3000"], ["Origin: https://bookstrack.app"], ["Origin: null"],
            ["Origin: https://evil.example"], ["Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: same-site"],
        ])
    func foreignReads(fields: [String]) async throws {
        try await run(token: nil) { proxy in
            for path in proxy.consolePaths(writing: false) {
                let answered = try await proxy.consoleStatus(path, fields: fields)
                #expect(answered == 403, "\(path)")
            }
        }
    }

    @Test("a browser that opens the URL directly and a client other than a browser can read the console")
    func plainReads() async throws {
        try await run(token: nil) { proxy in
            for fields in [[], ["Sec-Fetch-Site: none"], proxy.ownFields()] {
                let answered = try await proxy.consoleStatus("/console/api/overview", fields: fields)
                #expect(answered == 200)
            }
        }
    }
}
