import ProviderClient
import Testing
import TestSupport
import Transfer

@Suite("Redirects of a provider", .timeLimit(.minutes(1)))
struct RedirectTests: ProviderClientSuite {
    let clock = ManualClock(uptime: .seconds(1_000))

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
        "a redirect to a private address, or to plain http at another origin, is refused without contacting the target")
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
}
