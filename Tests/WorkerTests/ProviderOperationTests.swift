import BookstrackContract
import JSONRPC
import Observability
import ProviderClient
import SuiteMethods
import Testing

@testable import EnrichmentWorker

@Suite("Operators' provider actions", .timeLimit(.minutes(1)))
struct ProviderOperationTests {
    private func figure(_ name: String, at rig: WorkerRig) async throws -> ProviderFigure {
        let figures = try await rig.methods().figures.figures()
        return try #require(figures.providers.first { $0.name == name })
    }

    private func refusal(_ parameters: OperateProvider.Parameters, at rig: WorkerRig) async -> String? {
        do {
            _ = try await rig.methods().operations.perform(parameters)
            return nil
        } catch let error as RPCApplicationError {
            return error.detail.code
        } catch {
            return "\(error)"
        }
    }

    @Test("requests can be added to a budget up to its daily limit, and the figures show when it is reset")
    func allow() async throws {
        try await WorkerRig.run(.init(googleBudget: 100)) { rig in
            let day = DailyBudget(limit: 1).usage(at: rig.clock.date).day
            _ = try await rig.cache.add(100, on: day, provider: "google-books")
            #expect(try await figure("google-books", at: rig).leftToday == 0)
            let operations = rig.methods().operations
            let some = try await operations.perform(.init(provider: "google-books", action: .allow, requests: 20))
            #expect(some.outcome == "20 requests are left today")
            let all = try await operations.perform(.init(provider: "google-books", action: .allow, requests: 500))
            #expect(all.outcome == "100 requests are left today")
            let google = try await figure("google-books", at: rig)
            #expect(google.leftToday == 100)
            #expect(google.dailyBudget == 100)
            #expect((1...25 * 3_600_000).contains(try #require(google.resetsInMilliseconds)))
        }
    }

    @Test("a key can be replaced, and the figures show where the current key comes from")
    func key() async throws {
        try await WorkerRig.run(.init(hasISBNdb: true)) { rig in
            #expect(try await figure("isbndb", at: rig).key == .settings)
            let result = try await rig.methods().operations.perform(
                .init(provider: "isbndb", action: .useKey, key: "another"))
            #expect(result.outcome == "The key is used until the worker restarts")
            #expect(!result.outcome.contains("another"))
            #expect(try await figure("isbndb", at: rig).key == .operator)
            #expect(try await figure("openlibrary", at: rig).key == nil)
        }
    }

    @Test("resuming calls succeeds even if the provider's calls are not paused")
    func resume() async throws {
        try await WorkerRig.run { rig in
            let result = try await rig.methods().operations.perform(.init(provider: "openlibrary", action: .resume))
            #expect(result.outcome == "Calls have resumed")
            #expect(try await figure("openlibrary", at: rig).breaker == .closed)
        }
    }

    @Test(
        "an action is refused for an unknown provider, with an invalid value, or if the provider does not support it")
    func refusals() async throws {
        try await WorkerRig.run(.init(hasISBNdb: true)) { rig in
            #expect(await refusal(.init(provider: "amazon", action: .resume), at: rig) == "NOT_FOUND")
            for parameters in [
                OperateProvider.Parameters(provider: "openlibrary", action: .allow, requests: 5),
                .init(provider: "google-books", action: .allow),
                .init(provider: "google-books", action: .allow, requests: 0),
                .init(provider: "openlibrary", action: .useKey, key: "key"),
                .init(provider: "isbndb", action: .useKey), .init(provider: "isbndb", action: .useKey, key: ""),
                .init(provider: "isbndb", action: .useKey, key: " \t "),
                .init(provider: "isbndb", action: .useKey, key: "one\r\ntwo"),
                .init(provider: "isbndb", action: .useKey, key: String(repeating: "k", count: 501)),
            ] {
                #expect(await refusal(parameters, at: rig) == "INVALID_REQUEST", "\(parameters)")
            }
            let key = try await figure("isbndb", at: rig).key
            #expect(key == .settings)
        }
    }
}
