import Foundation
import SuiteMethods

/// Turns what the tiers of the cache answered into text.
enum CacheText {
    /// A row per process that answered.
    static func table(_ outcomes: [CacheCalls.Outcome<ReadCacheStatistics.Result>], width: Int) -> String {
        let rows = answers(outcomes).map { outcome, use in
            [
                outcome.keeper.name, "\(use.entries)", ByteCount.text(use.bytes), ByteCount.text(use.limit),
                "\(use.hits)", "\(use.staleHits)", "\(use.misses)", rate(use).map { "\(Int($0 * 100)) %" } ?? "-",
                outcome.tier.content,
            ]
        }
        guard !rows.isEmpty else { return "" }
        var table = TextTable(
            header: ["Process", "Entries", "Size", "Limit", "Hits", "Stale", "Misses", "Hit rate", "Keeps"], rows: rows)
        table.figures = ["Entries", "Size", "Limit", "Hits", "Stale", "Misses", "Hit rate"]
        table.dispense("Keeps", least: 12)
        return table.lines(width: width).joined(separator: "\n") + "\n"
    }

    /// An array with an object per process that answered; `hitRate` is from 0 to 1, and absent before the first question.
    static func json(_ outcomes: [CacheCalls.Outcome<ReadCacheStatistics.Result>]) throws -> String {
        try text(
            of: answers(outcomes).map { outcome, use in
                Row(
                    process: outcome.keeper.name, entries: use.entries, bytes: use.bytes, limitBytes: use.limit,
                    hits: use.hits, staleHits: use.staleHits, misses: use.misses, hitRate: rate(use))
            })
    }

    /// A line per process that was emptied.
    static func lines(_ outcomes: [CacheCalls.Outcome<PurgeCache.Result>]) -> String {
        answers(outcomes).map { outcome, purged in
            "\(outcome.keeper.name): \(purged.removed) \(purged.removed == 1 ? "entry" : "entries") removed\n"
        }.joined()
    }

    /// An array with an object per process that was emptied.
    static func json(_ outcomes: [CacheCalls.Outcome<PurgeCache.Result>]) throws -> String {
        try text(of: answers(outcomes).map { Purged(process: $0.keeper.name, removed: $1.removed) })
    }

    /// A line per process that did not answer.
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

    /// Share of the questions that any entry answered; nil before the first.
    private static func rate(_ use: ReadCacheStatistics.Result) -> Double? {
        let questions = use.hits + use.staleHits + use.misses
        return questions == 0 ? nil : Double(use.hits + use.staleHits) / Double(questions)
    }

    private static func text(of rows: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return String(decoding: try encoder.encode(rows), as: UTF8.self) + "\n"
    }

    private struct Row: Encodable {
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
