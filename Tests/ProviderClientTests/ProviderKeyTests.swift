import ProviderClient
import Testing
import TestSupport
import Transfer

@Suite("The key of a provider client", .timeLimit(.minutes(1)))
struct ProviderKeyTests: ProviderClientSuite {
    let clock = ManualClock(uptime: .seconds(1_000))

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
}
