import Testing

@testable import APIProxy

@Suite("Security fields") struct SecurityFieldTests {
    @Test(
        "every answer forbids sniffing, storing, framing and referrers, wherever it was made",
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
            #expect(answer["x-api-version"] == "2.1" && answer["x-request-id"] != nil)
        }
    }

    @Test("what the gate refuses carries CORS fields for allowed origins, and never credentials")
    func gate() async throws {
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
