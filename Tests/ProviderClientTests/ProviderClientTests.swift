import Foundation
import ProviderClient
import Testing
import TestSupport
import Transfer

@Suite("Provider client", .timeLimit(.minutes(1)))
struct ProviderClientTests: ProviderClientSuite {
    let clock = ManualClock(uptime: .seconds(1_000))

    @Test("a 404 is a valid response, and calls are counted")
    func notFound() async throws {
        try await FaultServer.with { path, _ in
            FaultStep.answer(path == "/404" ? 404 : 200)
        } _: { server in
            let client = try client(server)
            #expect(try await get(client, "/404").get().status == 404)
            #expect(try await get(client, "/200").get().body == Data("ok".utf8))
            #expect(client.snapshot.calls == [.ok: 2])
            #expect(client.snapshot.requests == 2)
            #expect(client.snapshot.inFlight == 0)
        }
    }

    @Test(
        "a failed connection is counted by cause",
        arguments: [
            (ConnectionFault.name, "dns"), (.unreachable, "unreachable"), (.tls, "tls"), (.proxy, "proxy"),
            (.broken, "connection"),
        ])
    func connectionFaults(fault: ConnectionFault, outcome: String) {
        #expect(ProviderFailure.connection(fault).outcome.rawValue == outcome)
    }

    @Test("an error status counts as a valid response if the provider's configuration says so")
    func judgedAnswer() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer(503)
        } _: { server in
            let client = try client(server) { status, _ in status == 503 ? .answer : .ordinary }
            #expect(try await get(client, "/").get().status == 503)
            #expect(server.arrivals.count == 1)
        }
    }

    @Test("a call with a turn of its own takes no other turn, and gives back a turn that it cannot use")
    func turn() async throws {
        try await FaultServer.with { path, _ in
            FaultStep.answer(path == "/bad" ? 403 : 200)
        } _: { server in
            let client = try client(
                server, limits: BudgetLimits(requestsPerSecond: 1),
                judge: { status, _ in status == 403 ? .quotaExhausted(.unknown) : .ordinary })
            let (start, deadline) = (clock.now, clock.after(.seconds(60)))
            let turn = try #require(client.budget.takeTurn(client: nil))
            #expect(client.budget.takeTurn(client: nil) == nil)
            let answer = try await client.get("/good", priority: .bulk, deadline: deadline, turn: turn)
            #expect(answer.status == 200)
            #expect(client.budget.nextTurn(now: start) == start.advanced(by: .milliseconds(1_030)))
            clock.move(by: .seconds(2))
            let second = try #require(client.budget.takeTurn(client: nil))
            await #expect(throws: ProviderFailure.quotaExhausted(retryAfter: nil)) {
                try await client.get("/bad", priority: .bulk, deadline: deadline, turn: second)
            }
            clock.move(by: .seconds(2))
            let third = try #require(client.budget.takeTurn(client: nil))
            await #expect(throws: ProviderFailure.self) {
                try await client.get("/good", priority: .bulk, deadline: deadline, turn: third)
            }
            #expect(client.snapshot.requests == 2)
            #expect(client.budget.nextTurn(now: clock.now) == clock.now)
        }
    }

    @Test(
        "oversized, malformed and truncated responses are distinguished, and only a truncated one is requested again",
        arguments: ["/large", "/garbage", "/truncated"])
    func badBodies(path: String) async throws {
        try await FaultServer.with { path, _ in
            switch path {
            case "/large": [.send(FaultStep.head()), .sendZeros(20_000_000), .close]
            case "/garbage": [.send(Array("nonsense\r\n\r\n".utf8)), .close]
            default: [.send(FaultStep.head(headers: ["Content-Length: 9"])), .send([1]), .close]
            }
        } _: { server in
            let client = try client(server)
            let expected: [String: ProviderFailure] = [
                "/large": .tooLarge, "/garbage": .malformed, "/truncated": .connection(.broken),
            ]
            #expect(await failure(client, path) == expected[path])
            #expect(server.arrivals.count == (path == "/truncated" ? 3 : 1))
        }
    }

    @Test("a cancelled call ends immediately, whatever it is waiting for")
    func cancels() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer(429, headers: ["Retry-After: 5"])
        } _: { server in
            let client = try client(server, limits: BudgetLimits(requestsPerSecond: 1))
            let backingOff = Task { await failure(client, "/1") }
            await clock.sleeperArrives()
            let waiting = Task { await failure(client, "/2") }
            try await until { client.snapshot.budget.waiting > 0 }
            for call in [backingOff, waiting] {
                call.cancel()
                #expect(await call.value == .cancelled)
            }
            #expect(server.arrivals.count == 1)
        }
    }

    @Test("a path that is not percent-encoded is rejected as malformed and not sent")
    func badPath() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer()
        } _: { server in
            let client = try client(server)
            for path in ["x", "/a b", "/銀河鉄道の夜"] { #expect(await failure(client, path) == .malformed) }
            #expect(server.connections == 0)
        }
    }
}
