import JSONRPC
import ServiceKit
import SuiteMethods

/// Asks the tiers of the cache, each through its service's socket; one that does not answer stops no other.
struct CacheCalls {
    /// What one process answered of a tier.
    struct Outcome<Answer: Sendable>: Sendable {
        let tier: CacheTier
        let keeper: ServiceInstance
        let answer: Result<Answer, CommandFailure>
    }

    let directories: SuiteDirectories

    /// How full each tier is.
    func statistics() async -> [Outcome<ReadCacheStatistics.Result>] { await ask(ReadCacheStatistics.self) }

    /// Empties each tier.
    func purge() async -> [Outcome<PurgeCache.Result>] { await ask(PurgeCache.self) }

    private func ask<Method: RPCMethod>(_ method: Method.Type) async -> [Outcome<Method.Result>]
    where Method.Parameters == Nothing {
        var outcomes: [Outcome<Method.Result>] = []
        for tier in CacheTier.allCases {
            for keeper in tier.keepers(in: directories) {
                let answer: Result<Method.Result, CommandFailure>
                do {
                    answer = .success(try await ServiceSocket(keeper, in: directories).call(method, Nothing()))
                } catch {
                    answer = .failure(CommandFailure(error))
                }
                outcomes.append(Outcome(tier: tier, keeper: keeper, answer: answer))
            }
        }
        return outcomes
    }
}

extension [CacheCalls.Outcome<ReadCacheStatistics.Result>] {
    /// Unavailable when no tier answered.
    var status: ExitStatus { contains { (try? $0.answer.get()) != nil } ? .success : .unavailable }
}

extension [CacheCalls.Outcome<PurgeCache.Result>] {
    /// Incomplete when a tier may still be full, unavailable when no tier answered.
    var status: ExitStatus {
        let emptied = count { (try? $0.answer.get()) != nil }
        return emptied == count ? .success : emptied == 0 ? .unavailable : .incomplete
    }
}
