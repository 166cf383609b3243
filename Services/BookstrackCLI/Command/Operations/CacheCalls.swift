import JSONRPC
import ServiceKit
import SuiteMethods

/// Reads the statistics of the caches or empties them, through the sockets of their processes. If a call fails, the others are still made.
struct CacheCalls {
    /// A process's response about its ``CacheTier``, or why there is none.
    struct Outcome<Answer: Sendable>: Sendable {
        let tier: CacheTier
        let process: ServiceInstance
        let answer: Result<Answer, CommandFailure>
    }

    let directories: SuiteDirectories

    /// The size and use of each tier.
    func statistics() async -> [Outcome<ReadCacheStatistics.Result>] { await ask(ReadCacheStatistics.self) }

    /// Empties each tier.
    func purge() async -> [Outcome<PurgeCache.Result>] { await ask(PurgeCache.self) }

    private func ask<Method: RPCMethod>(_ method: Method.Type) async -> [Outcome<Method.Result>]
    where Method.Parameters == Nothing {
        var outcomes: [Outcome<Method.Result>] = []
        for tier in CacheTier.allCases {
            for process in tier.processes(in: directories) {
                let answer: Result<Method.Result, CommandFailure>
                do {
                    answer = .success(try await ServiceSocket(process, in: directories).call(method, Nothing()))
                } catch {
                    answer = .failure(CommandFailure(error))
                }
                outcomes.append(Outcome(tier: tier, process: process, answer: answer))
            }
        }
        return outcomes
    }
}

extension [CacheCalls.Outcome<ReadCacheStatistics.Result>] {
    /// The exit status: `unavailable` if no process answered.
    var status: ExitStatus { contains { (try? $0.answer.get()) != nil } ? .success : .unavailable }
}

extension [CacheCalls.Outcome<PurgeCache.Result>] {
    /// The exit status: `incomplete` if a cache may still have entries, `unavailable` if no process answered.
    var status: ExitStatus {
        let emptied = count { (try? $0.answer.get()) != nil }
        return emptied == count ? .success : emptied == 0 ? .unavailable : .incomplete
    }
}

/// Formats the tiers' responses.
enum CacheText {
    /// Prints a row per process that answered; in JSON, `hitRate` is from 0 to 1, and absent before the first lookup.
    static func show(_ outcomes: [CacheCalls.Outcome<ReadCacheStatistics.Result>], _ output: OutputOptions) throws {
        let rows = rows(outcomes)
        let csv = TextTable(
            columns: [
                .init("process"), .init("entries"), .init("bytes"), .init("limit_bytes"), .init("hits"),
                .init("stale_hits"), .init("misses"), .init("hit_rate"),
            ],
            rows: rows.map {
                [
                    $0.process, "\($0.entries)", "\($0.bytes)", "\($0.limitBytes)", "\($0.hits)", "\($0.staleHits)",
                    "\($0.misses)", $0.hitRate.map { "\($0)" } ?? "",
                ]
            })
        try output.show(csv: csv, document: rows) { style in
            rows.isEmpty ? "" : table(outcomes).lines(style).joined(separator: "\n") + "\n"
        }
    }

    static func rows(_ outcomes: [CacheCalls.Outcome<ReadCacheStatistics.Result>]) -> [Row] {
        answers(outcomes).map { outcome, use in
            Row(
                process: outcome.process.name, entries: use.entries, bytes: use.bytes, limitBytes: use.limit,
                hits: use.hits, staleHits: use.staleHits, misses: use.misses, hitRate: rate(use))
        }
    }

    static func table(_ outcomes: [CacheCalls.Outcome<ReadCacheStatistics.Result>]) -> TextTable {
        TextTable(
            columns: [
                .init("Process"), .init("Entries", .figure), .init("Size", .figure), .init("Limit", .figure),
                .init("Hits", .figure), .init("Stale", .figure), .init("Misses", .figure), .init("Hit rate", .figure),
                .init("Contents", .prose, least: 12),
            ],
            rows: answers(outcomes).map { outcome, use in
                [
                    outcome.process.name, "\(use.entries)", ByteCount.text(use.bytes), ByteCount.text(use.limit),
                    "\(use.hits)", "\(use.staleHits)", "\(use.misses)", rate(use).map { "\(Int($0 * 100)) %" } ?? "-",
                    outcome.tier.content,
                ]
            })
    }

    /// Prints a line for each process whose cache was emptied.
    static func show(_ outcomes: [CacheCalls.Outcome<PurgeCache.Result>], _ output: OutputOptions) throws {
        let rows = answers(outcomes).map { Purged(process: $0.process.name, removed: $1.removed) }
        let csv = TextTable(
            columns: [.init("process"), .init("removed")], rows: rows.map { [$0.process, "\($0.removed)"] })
        try output.show(csv: csv, document: rows) { _ in lines(outcomes) }
    }

    static func lines(_ outcomes: [CacheCalls.Outcome<PurgeCache.Result>]) -> String {
        answers(outcomes).map { outcome, purged in
            "\(outcome.process.name): \(purged.removed) \(purged.removed == 1 ? "entry" : "entries") removed\n"
        }.joined()
    }

    /// A line for each call that failed.
    static func failures(_ outcomes: [CacheCalls.Outcome<some Sendable>]) -> String {
        outcomes.compactMap { outcome in
            guard case .failure(let failure) = outcome.answer else { return nil }
            return "bookstrack: \(failure.message)\n"
        }.joined()
    }

    private static func answers<Answer>(
        _ outcomes: [CacheCalls.Outcome<Answer>]
    ) -> [(CacheCalls.Outcome<Answer>, Answer)] {
        outcomes.compactMap { outcome in (try? outcome.answer.get()).map { (outcome, $0) } }
    }

    /// Fraction of lookups with a hit, fresh or stale; nil before the first lookup.
    private static func rate(_ use: ReadCacheStatistics.Result) -> Double? {
        let questions = use.hits + use.staleHits + use.misses
        return questions == 0 ? nil : Double(use.hits + use.staleHits) / Double(questions)
    }

    /// A process in JSON.
    struct Row: Encodable {
        var process: String
        var entries: Int
        var bytes: Int
        var limitBytes: Int
        var hits: Int
        var staleHits: Int
        var misses: Int
        var hitRate: Double?
    }

    private struct Purged: Encodable {
        var process: String
        var removed: Int
    }
}

/// A cache of responses. The cases are in the order in which they are emptied: if api-proxy's cache were emptied first, it could be refilled from
/// the worker's.
enum CacheTier: CaseIterable {
    case providerAnswers
    case finishedAnswers

    /// The processes that hold a tier's entries. Every worker is included: workers with the same data directory share a file, but each of them
    /// also has unwritten responses in memory.
    func processes(in directories: SuiteDirectories) -> [ServiceInstance] {
        switch self {
        case .providerAnswers: directories.workers
        case .finishedAnswers: [.apiProxy]
        }
    }

    /// The contents and storage of the tier.
    var content: String {
        switch self {
        case .providerAnswers: "provider responses, on disk"
        case .finishedAnswers: "finished responses, in memory"
        }
    }
}
