import Foundation
import ProviderClient
import Testing
import TestSupport

@Suite("Calls to a provider that fails or whose quota is used up", .timeLimit(.minutes(1)))
struct ProviderOutageTests: ProviderClientSuite {
    let clock = ManualClock(uptime: .seconds(1_000))

    @Test("five failed calls open the breaker, nothing is sent while it is open, and one probe closes it")
    func breaker() async throws {
        try await FaultServer.with { path, _ in
            path == "/good" ? FaultStep.answer() : FaultStep.answer(500)
        } _: { server in
            let client = try client(server)
            for _ in 0..<5 { #expect(await failure(client, "/bad") == .httpStatus(500)) }
            let sent = server.arrivals.count
            #expect(await failure(client, "/good") == .breakerOpen(retryAfter: .seconds(10), cause: .failures))
            clock.move(by: .seconds(10))
            #expect(await failure(client, "/bad") == .httpStatus(500))
            #expect(server.arrivals.count == sent + 1, "a probe is not repeated")
            clock.move(by: .seconds(10))
            #expect(try await get(client, "/good").get().status == 200)
            #expect(client.snapshot.breaker == .closed)
        }
    }

    @Test("a call that is waiting when the breaker opens fails at its turn without being sent")
    func breakerOpensMeanwhile() async throws {
        try await FaultServer.with { path, earlier in
            switch (path, earlier) {
            case ("/1", 0): FaultStep.answer(503)
            case ("/1", _): FaultStep.answer(403)
            default: FaultStep.answer()
            }
        } _: { server in
            let client = try client(server, limits: BudgetLimits(requestsPerSecond: 1)) { status, _ in
                status == 403 ? .quotaExhausted(.unknown) : .ordinary
            }
            let first = Task { await get(client, "/1", priority: .interactive) }
            try await until { client.snapshot.budget.waiting >= 1 }
            let last = Task { await failure(client, "/2") }
            try await until { client.snapshot.budget.waiting >= 2 }
            clock.move(by: .milliseconds(1030))
            #expect(await first.value == .failure(.quotaExhausted(retryAfter: nil)))
            clock.move(by: .milliseconds(1030))
            #expect(await last.value == .breakerOpen(retryAfter: .milliseconds(58_970), cause: .quota))
            #expect(server.arrivals.map(\.path) == ["/1", "/1"])
        }
    }

    @Test(
        "after an operator resumes calls, they are sent before the pause ends, and another failure starts the next pause"
    )
    func resumes() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer(500)
        } _: { server in
            let client = try client(server)
            for _ in 0..<5 { #expect(await failure(client, "/") == .httpStatus(500)) }
            #expect(await failure(client, "/") == .breakerOpen(retryAfter: .seconds(10), cause: .failures))
            client.resume()
            #expect(await failure(client, "/") == .httpStatus(500))
            #expect(await failure(client, "/") == .breakerOpen(retryAfter: .seconds(10), cause: .failures))
        }
    }

    @Test("a failed attempt counts toward the breaker even if the call is then cancelled before its retry")
    func cancelledBeforeRetry() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer(500, headers: ["Retry-After: 5"])
        } _: { server in
            let client = try client(server)
            for _ in 0..<5 {
                let call = Task { await failure(client, "/") }
                await clock.sleeperArrives()
                call.cancel()
                #expect(await call.value == .cancelled)
            }
            #expect(client.snapshot.breaker == .open(until: clock.after(.seconds(10)), cause: .failures))
            #expect(server.arrivals.count == 5)
        }
    }

    @Test(
        "a response body that reports an exhausted quota opens the breaker until the daily reset, whatever the status is",
        arguments: [400, 403, 429])
    func quota(status: Int) async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer(status, body: Array("dailyLimit".utf8))
        } _: { server in
            let client = try client(server, limits: BudgetLimits(requestsPerDay: 1000)) { _, body in
                body == Data("dailyLimit".utf8) ? .quotaExhausted(.day) : .ordinary
            }
            let untilMidnight = Duration.seconds(20 * 3600)
            #expect(await failure(client, "/") == .quotaExhausted(retryAfter: untilMidnight))
            #expect(await failure(client, "/") == .breakerOpen(retryAfter: untilMidnight, cause: .quota))
            #expect(server.arrivals.count == 1)
        }
    }

    @Test("if the daily budget is exhausted, nothing is sent, and the breaker stays closed")
    func dailyBudget() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer()
        } _: { server in
            let client = try client(server, limits: BudgetLimits(requestsPerDay: 1))
            _ = try await get(client, "/1").get()
            #expect(await failure(client, "/2") == .quotaExhausted(retryAfter: .seconds(20 * 3600)))
            #expect(server.arrivals.count == 1)
            #expect(client.snapshot.breaker == .closed)
        }
    }
}
