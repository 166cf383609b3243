import Foundation
import Logging
import Observability
import ProviderClient
import Testing
import TestSupport
import Transfer

@Suite("Lasting refusals and common parameters", .timeLimit(.minutes(1)))
struct LastingRefusalTests {
    private static let refusal = LastingRefusal(.key, setting: "BOOKSTRACK_TEST_API_KEY")

    private let clock = ManualClock(uptime: .seconds(1_000))
    private let log = RecordingLog()
    private let store = MemoryBudgetStore()

    private func client(_ server: FaultServer) async throws -> ProviderClient {
        let configuration = ProviderConfiguration(
            name: "test", baseURL: try #require(BaseURL(server.baseURL)), commonQuery: "country=DE"
        ) { status, _ in
            status == 400 ? .refused(Self.refusal) : .ordinary
        }
        let budget = try await RequestBudget(
            provider: "test", limits: BudgetLimits(requestsPerDay: 10), store: store, clock: clock, logger: log.logger)
        return ProviderClient(
            configuration: configuration,
            engine: try TransferEngine(userAgent: #require(UserAgent(version: "1.0", contact: nil))), budget: budget,
            clock: clock,
            logger: log.logger)
    }

    private func failure(_ client: ProviderClient) async -> ProviderFailure? {
        do throws(ProviderFailure) {
            _ = try await client.get("/", priority: .bulk, deadline: clock.after(.seconds(60)))
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "after a refusal, calls are paused, one warning names the setting, and refused requests do not count toward the daily budget"
    )
    func toldOnce() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer(400)
        } _: { server in
            let client = try await client(server)
            #expect(await failure(client) == .refused(Self.refusal))
            for _ in 0..<5 {
                #expect(await failure(client) == .breakerOpen(retryAfter: .seconds(60), cause: .refusal(Self.refusal)))
            }
            clock.move(by: .seconds(60))
            #expect(await failure(client) == .refused(Self.refusal), "a probe")
            #expect(
                await failure(client) == .breakerOpen(retryAfter: .seconds(120), cause: .refusal(Self.refusal)))
            #expect(server.arrivals.count == 2)
            #expect(client.budget.snapshot.leftToday == 10)
            #expect(try await store.usage(provider: "test")?.used == 0)
            let warnings = log.texts(at: .warning)
            #expect(warnings == ["test refuses the key; calls are paused until BOOKSTRACK_TEST_API_KEY is corrected"])
        }
    }

    @Test("a refusal that follows an accepted request is reported again")
    func toldAgain() async throws {
        try await FaultServer.with { _, earlier in
            FaultStep.answer(earlier == 1 ? 200 : 400)
        } _: { server in
            let client = try await client(server)
            _ = await failure(client)
            clock.move(by: .seconds(60))
            #expect(await failure(client) == nil)
            #expect(client.snapshot.breaker == .closed)
            _ = await failure(client)
            #expect(log.texts(at: .warning).count == 2)
            #expect(client.budget.snapshot.leftToday == 9)
        }
    }

    @Test("parameters common to all requests are added to the query")
    func commonQuery() async throws {
        try await FaultServer.with { _, _ in
            FaultStep.answer()
        } _: { server in
            let client = try await client(server)
            for path in ["/volumes", "/volumes?q=1"] {
                _ = try await client.get(path, priority: .bulk, deadline: clock.after(.seconds(60)))
            }
            #expect(server.arrivals.map(\.path) == ["/volumes?country=DE", "/volumes?q=1&country=DE"])
        }
    }
}
