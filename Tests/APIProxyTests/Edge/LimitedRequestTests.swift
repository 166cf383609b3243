import BookstrackContract
import Testing

@testable import APIProxy

@Suite("Rate-limited requests") struct LimitedRequestTests {
    private static let narrow = RateLimits(
        ordinary: RateLimit(requests: 2, period: .minute), starts: RateLimit(requests: 1, period: .minute),
        jobReads: RateLimit(requests: 1, period: .minute))

    @Test(
        "a request over the limit receives a 429 with Retry-After and details, and other responses state the remaining requests"
    )
    func refused() async throws {
        try await RunningProxy.run {
            $0.rateLimits = Self.narrow
        } _: { proxy in
            let start = ContinuousClock.now
            for left in ["1", "0"] {
                let answer = try await proxy.request("GET", "/v1/nowhere")
                #expect(answer.status == 404)
                #expect(answer["x-ratelimit-limit"] == "2")
                #expect(answer["x-ratelimit-remaining"] == left)
            }
            let refused = try await proxy.request("GET", "/v1/nowhere")
            #expect(refused.status == 429)
            let seconds = try #require(refused["retry-after"].flatMap { Int($0) })
            #expect((59 - Int((.now - start) / .seconds(1))...60).contains(seconds))
            let failure = try refused.failure
            #expect(failure.code == .rateLimitExceeded)
            #expect(failure.retryable)
            #expect(failure.details == ["retryAfter": .integer(seconds), "limit": 2, "window": "1 minute"])
            #expect(refused["x-ratelimit-remaining"] == "0")
            #expect(refused["x-ratelimit-reset"] != nil)
        }
    }

    @Test(
        "OPTIONS, health, the readers' page, the progress socket and the admin listener are never rate-limited"
    )
    func exempt() async throws {
        try await RunningProxy.run {
            $0.rateLimits = Self.narrow
        } _: { proxy in
            for _ in 0..<4 {
                for path in ["/health", "/health/live", "/health/ready"] {
                    let answer = try await proxy.request("GET", path)
                    #expect(answer.status == 200)
                    #expect(answer["x-ratelimit-limit"] == nil)
                }
                #expect(try await proxy.request("GET", "/", fields: ["Accept: text/html"]).status == 200)
                #expect(try await proxy.request("GET", "/page/0/reader.js").status == 200)
                #expect(try await proxy.request("OPTIONS", "/v1/enrichment/batch").status == 204)
                #expect(try await proxy.request("OPTIONS", "*").status == 204)
                #expect(try await proxy.request("GET", "/ws/progress?jobId=job-12345").status == 426)
                #expect(try await proxy.request("GET", "/nowhere", port: proxy.adminPort).status == 404)
            }
            #expect(try await proxy.request("GET", "/v1/nowhere")["x-ratelimit-remaining"] == "1")
        }
    }

    @Test("starting jobs and reading jobs have separate limits")
    func classes() async throws {
        try await RunningProxy.run {
            $0.rateLimits = Self.narrow
        } _: { proxy in
            let body = #"{"isbns":["9780441172719"]}"#
            let started = try await proxy.post("/v1/enrichment/batch", body)
            #expect(started.status == 202)
            #expect(try await proxy.post("/api/enrichment/start", body).status == 429)
            #expect(try await proxy.request("GET", "/v1/jobs/job-12345/results").status == 200)
            #expect(try await proxy.request("HEAD", "/v1/enrichment/results/job-12345").status == 429)
            #expect(try await proxy.request("GET", "/v1/nowhere")["x-ratelimit-remaining"] == "1")
        }
    }

    @Test("the server does not wait for a refused request's body")
    func body() async throws {
        try await RunningProxy.run {
            $0.rateLimits = Self.narrow
        } _: { proxy in
            _ = try await proxy.post("/v1/enrichment/batch", #"{"isbns":["9780441172719"]}"#)
            let connection = try await RawConnection(port: proxy.port)
            try await connection.send(
                "POST /v1/enrichment/batch HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 16000000\r\n\r\n{")
            let answer = try HTTPAnswer(try await connection.readToEnd())
            #expect(answer.status == 429)
            #expect(answer["connection"] == "close")
            await connection.close()
        }
    }
}
