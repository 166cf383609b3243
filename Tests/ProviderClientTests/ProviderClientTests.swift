import Foundation
import Logging
import NIOCore
import Observability
import ProviderClient
import Testing
import TestSupport
import Transfer

@Suite("Provider client", .timeLimit(.minutes(1)))
struct ProviderClientTests {
    let clock = ManualClock(uptime: .seconds(1_000))
    let logger = Logger(label: "test")

    func client(
        _ server: FaultServer, limits: BudgetLimits = BudgetLimits(), credential: ProviderCredential = .none,
        timeouts: TransferTimeouts = TransferTimeouts(
            connect: .seconds(60), firstByte: .seconds(60), total: .seconds(60)),
        judge: @escaping @Sendable (Int, Data) -> ProviderVerdict = { _, _ in .ordinary }
    ) throws -> ProviderClient {
        let configuration = ProviderConfiguration(
            name: "test", baseURL: try #require(BaseURL(server.baseURL)), credential: credential, timeouts: timeouts,
            retry: CallRetryPolicy(random: { 0 }), judge: judge)
        return ProviderClient(
            configuration: configuration,
            engine: try TransferEngine(userAgent: #require(UserAgent(version: "1.0", contact: nil))),
            budget: RequestBudget(limits: limits, clock: clock), clock: clock,
            logger: logger)
    }

    func get(
        _ client: ProviderClient, _ path: String, priority: CallPriority = .bulk, seconds: Int = 60
    ) async -> Result<ProviderAnswer, ProviderFailure> {
        do throws(ProviderFailure) {
            return .success(try await client.get(path, priority: priority, deadline: clock.after(.seconds(seconds))))
        } catch {
            return .failure(error)
        }
    }

    func failure(_ client: ProviderClient, _ path: String, seconds: Int = 60) async -> ProviderFailure? {
        if case .failure(let failure) = await get(client, path, seconds: seconds) { failure } else { nil }
    }

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

    @Test(
        "a replacement key is used immediately and ends the pause in calls",
        arguments: [
            (ProviderCredential.query("key", key: "old"), "/?key=a%20new%20key"),
            (.header(HeaderField(name: "Authorization", value: "Bearer old")!), "/"),
        ])
    func otherKey(credential: ProviderCredential, path: String) async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer(500)
        } _: { server in
            let client = try client(server, credential: credential)
            for _ in 0..<5 { _ = await failure(client, "/", seconds: 1) }
            #expect(client.snapshot.breaker != .closed)
            #expect(!client.snapshot.isKeyReplaced)
            #expect(client.use(key: "a new key"))
            #expect(client.snapshot.breaker == .closed)
            #expect(client.snapshot.isKeyReplaced)
            #expect(await failure(client, "/") == .httpStatus(500))
            #expect(server.arrivals.last?.path == path)
        }
    }

    @Test("a call that waits for its turn while its key is replaced is made with the new key")
    func keyReplacedWhileWaiting() async throws {
        try await FaultServer.with { path, _ in
            FaultStep.answer(path == "/?key=old" ? 400 : 200)
        } _: { server in
            let client = try client(
                server, limits: BudgetLimits(requestsPerSecond: 1), credential: .query(name: "key", value: "old")
            ) { status, _ in
                status == 400 ? .refused(LastingRefusal(.key, setting: "KEY")) : .ordinary
            }
            _ = await failure(client, "/")
            client.resume()
            let waiting = Task { await get(client, "/") }
            await clock.sleeperArrives()
            #expect(client.use(key: "new"))
            clock.move(by: .seconds(2))
            #expect(try await waiting.value.get().status == 200)
            #expect(client.snapshot.breaker == .closed)
            #expect(server.arrivals.map(\.path) == ["/?key=old", "/?key=new"])
        }
    }

    @Test("a key is rejected if the provider uses none or if it cannot be sent in a header")
    func unusableKey() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer()
        } _: { server in
            #expect(try !client(server).use(key: "key"))
            let header = try #require(HeaderField(name: "x-key", value: "old"))
            let client = try client(server, credential: .header(header))
            #expect(!client.use(key: "one\r\nX: two"))
            #expect(!client.snapshot.isKeyReplaced)
            #expect(client.snapshot.hasKey)
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
            let client = try client(server)
            let first: ProviderFailure = status == 429 ? .rateLimited(retryAfter: .seconds(20)) : .httpStatus(503)
            #expect(await failure(client, "/first", seconds: 9) == first)
            #expect(await failure(client, "/other", seconds: 9) == first)
            #expect(server.arrivals.map(\.path) == ["/first"])
            #expect(client.snapshot.budget.pausedUntil == clock.after(.seconds(20)))
            let patient = Task { await failure(client, "/patient", seconds: 39) }
            while client.snapshot.budget.waiting == 0 { await Task.yield() }
            await clock.sleeperArrives()
            clock.move(by: .seconds(20))
            _ = await patient.value
            #expect(server.arrivals.map(\.path) == ["/first", "/patient"])
        }
    }

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
            while client.snapshot.budget.waiting < 1 { await Task.yield() }
            let last = Task { await failure(client, "/2") }
            while client.snapshot.budget.waiting < 2 { await Task.yield() }
            clock.move(by: .milliseconds(1030))
            #expect(await first.value == .failure(.quotaExhausted(retryAfter: nil)))
            clock.move(by: .milliseconds(1030))
            #expect(await last.value == .breakerOpen(retryAfter: .milliseconds(58_970), cause: .quota))
            #expect(server.arrivals.map(\.path) == ["/1", "/1"])
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

    @Test("redirects within the provider are followed with the key, and each one uses a turn")
    func redirects() async throws {
        try await FaultServer.with { path, _ in
            path.hasPrefix("/isbn") ? FaultStep.redirect("/books/OL1M") : FaultStep.answer()
        } _: { server in
            let key = try #require(HeaderField(name: "X-Key", value: "s3cret"))
            let client = try client(server, limits: BudgetLimits(requestsPerDay: 10), credential: .header(key))
            #expect(try await get(client, "/isbn/1").get().status == 200)
            #expect(server.arrivals.map(\.path) == ["/isbn/1", "/books/OL1M"])
            #expect(server.arrivals.allSatisfy { $0.head.contains("X-Key: s3cret") })
            #expect(client.snapshot.budget.leftToday == 8)
        }
    }

    @Test("a redirect loop ends after three redirects")
    func redirectLoop() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.redirect("/again")
        } _: { server in
            let client = try client(server)
            #expect(await failure(client, "/") == .redirectRefused(.tooMany))
            #expect(server.arrivals.count == 4)
        }
    }

    @Test(
        "a redirect to a private address, or to plain http at another origin, is refused, and its target not contacted")
    func redirectAway() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer()
        } _: { other in
            let port = other.port
            try await FaultServer.with { path, _ in
                FaultStep.redirect("\(path == "/http" ? "http" : "https")://127.0.0.1:\(port)/")
            } _: { server in
                let client = try client(server)
                #expect(await failure(client, "/http") == .redirectRefused(.insecure))
                #expect(await failure(client, "/https") == .redirectRefused(.privateAddress))
                #expect(other.connections == 0)
            }
        }
    }

    @Test("the client adds its key to the query, and refuses a redirect that would send the key to another host")
    func queryKey() async throws {
        try await FaultServer.with { path, _ in
            path.hasPrefix("/leak") ? FaultStep.redirect("https://example.org\(path)") : FaultStep.answer()
        } _: { server in
            let client = try client(server, credential: .query(name: "key", value: "s3cret"))
            _ = try await get(client, "/volumes?q=1").get()
            #expect(server.arrivals.map(\.path) == ["/volumes?q=1&key=s3cret"])
            #expect(await failure(client, "/leak") == .redirectRefused(.leaksCredential))
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
        "oversized, malformed and truncated responses are distinguished",
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
            while client.snapshot.budget.waiting == 0 { await Task.yield() }
            for call in [backingOff, waiting] {
                call.cancel()
                #expect(await call.value == .cancelled)
            }
            #expect(server.arrivals.count == 1)
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
