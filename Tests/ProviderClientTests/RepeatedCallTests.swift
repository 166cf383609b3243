import ProviderClient
import Testing
import TestSupport
import Transfer

@Suite("Repeated calls, and pauses that a provider requests", .timeLimit(.minutes(1)))
struct RepeatedCallTests: ProviderClientSuite {
    let clock = ManualClock(uptime: .seconds(1_000))

    @Test("transient failures are retried up to twice, and other failures are not retried")
    func retries() async throws {
        try await FaultServer.with { path, earlier in
            switch (path, earlier) {
            case ("/reset", 0), ("/reset", 1): [.reset]
            case ("/503", _): FaultStep.answer(503)
            case ("/400", _): FaultStep.answer(400)
            default: FaultStep.answer()
            }
        } _: { server in
            let client = try client(server)
            #expect(try await get(client, "/reset").get().status == 200)
            #expect(await failure(client, "/503") == .httpStatus(503))
            #expect(await failure(client, "/400") == .httpStatus(400))
            #expect(server.arrivals.count { $0.path == "/503" } == 3)
            #expect(server.arrivals.count { $0.path == "/400" } == 1)
            #expect(client.snapshot.calls == [.ok: 1, .httpStatus: 2])
        }
    }

    @Test("a provider that hangs is called three times")
    func hangs() async throws {
        try await FaultServer.with { _, _ in
            [.hang]
        } _: { server in
            let client = try client(server, timeouts: TransferTimeouts(firstByte: .milliseconds(50)))
            #expect(await failure(client, "/") == .timeout)
            #expect(client.snapshot.requests == 3)
        }
    }

    @Test("the client waits for as long as Retry-After requests, measured with the injected clock")
    func waitsRetryAfter() async throws {
        try await FaultServer.with { _, earlier in
            earlier == 0 ? FaultStep.answer(429, headers: ["Retry-After: 3"]) : FaultStep.answer()
        } _: { server in
            let client = try client(server)
            let call = Task { await get(client, "/") }
            await clock.sleeperArrives()
            clock.move(by: .milliseconds(2999))
            #expect(server.arrivals.count == 1)
            clock.move(by: .milliseconds(1))
            #expect(try await call.value.get().status == 200)
            #expect(server.arrivals.count == 2)
        }
    }

    @Test("a pause requested only in the response body holds back every call")
    func waitsBody() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer(429)
        } _: { server in
            let client = try client(server) { status, _ in
                status == 429 ? .rateLimited(retryAfter: .seconds(60)) : .ordinary
            }
            for _ in 0..<2 {
                #expect(await failure(client, "/", seconds: 9) == .rateLimited(retryAfter: .seconds(60)))
            }
            #expect(server.arrivals.count == 1)
        }
    }

    @Test("a Retry-After beyond the deadline fails the call immediately")
    func retryAfterTooLong() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer(429, headers: ["Retry-After: 60"])
        } _: { server in
            let client = try client(server)
            let failure = try #require(await failure(client, "/", seconds: 9))
            #expect(failure == .rateLimited(retryAfter: .seconds(60)))
            #expect(failure.isQuota)
            #expect(server.arrivals.count == 1)
        }
    }

    @Test("a Retry-After holds back every call to the provider", arguments: [429, 503])
    func retryAfterHoldsAll(status: Int) async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer(status, headers: ["Retry-After: 20"])
        } _: { server in
            let client = try client(server, jitter: 0.5)
            let first: ProviderFailure = status == 429 ? .rateLimited(retryAfter: .seconds(20)) : .httpStatus(503)
            #expect(await failure(client, "/first", seconds: 9) == first)
            // The clock stands still, so this would not return if the call waited before it failed.
            #expect(await failure(client, "/other", seconds: 9) == first)
            #expect(server.arrivals.map(\.path) == ["/first"])
            #expect(client.snapshot.budget.pausedUntil == clock.after(.seconds(20)))
            let patient = Task { await failure(client, "/patient", seconds: 39) }
            try await until { client.snapshot.budget.waiting > 0 }
            await clock.sleeperArrives()
            clock.move(by: .seconds(20))
            _ = await patient.value
            #expect(server.arrivals.map(\.path) == ["/first", "/patient"])
        }
    }
}
