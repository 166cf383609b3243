import Foundation
import GRDB
import Observability
import ProviderClient

extension DailyUsage {
    /// The usage of all providers' daily budgets.
    static func all(_ db: Database) throws -> [(provider: String, usage: DailyUsage)] {
        try Row.fetchAll(db, sql: "SELECT provider, day, used FROM daily_usage").map {
            ($0[0], DailyUsage(day: $0[1], used: $0[2]))
        }
    }

    fileprivate static func of(_ provider: String, _ db: Database) throws -> DailyUsage? {
        let statement = try db.cachedStatement(sql: "SELECT day, used FROM daily_usage WHERE provider = ?")
        return try Row.fetchOne(statement, arguments: [provider]).map { DailyUsage(day: $0[0], used: $0[1]) }
    }
}

// Each call is one transaction, so workers with the same data directory share one count and one rate.
extension ProviderCache: BudgetStore {
    /// A stored turn that is more than this number of turns ahead is ignored: a worker reserves only one turn at a time, so such a turn must have
    /// been reserved before the clock was set back.
    private static let maxTurnsAhead = 32

    func usage(provider: String) async throws -> DailyUsage? {
        try await pool.read { try DailyUsage.of(provider, $0) }
    }

    /// A stored day that is more than one day after `day` is replaced: it must have been stored before the clock was set back.
    func add(_ count: Int, on day: String, provider: String) async throws -> DailyUsage {
        try await pool.write { db in
            try db.execute(
                sql: """
                    INSERT INTO daily_usage(provider, day, used) VALUES (?1, ?2, max(0, ?3))
                    ON CONFLICT(provider) DO UPDATE
                    SET used = max(0, CASE WHEN day = ?2 THEN used + ?3 ELSE ?3 END), day = ?2
                    WHERE day <= ?2 OR day > date(?2, '+1 day')
                    """, arguments: [provider, day, count])
            return try DailyUsage.of(provider, db) ?? DailyUsage(day: day, used: 0)
        }
    }

    func reserveTurn(provider: String, spacing: Duration, clock: any SuiteClock) async throws -> MonotonicInstant {
        let step = max(1, Int64((spacing / .milliseconds(1)).rounded(.up)))
        return try await pool.write { db in
            // Processes share only calendar time, because their monotonic clocks start at different times.
            let (instant, now) = (clock.now, Int64(clock.date.timeIntervalSince1970 * 1_000))
            let next = try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT next_at FROM request_turn WHERE provider = ?"), arguments: [provider])
            let turn = next.flatMap { (now...now + step * Int64(Self.maxTurnsAhead)).contains($0) ? $0 : nil } ?? now
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO request_turn(provider, next_at) VALUES (?, ?)")
                .execute(arguments: [provider, turn + step])
            return instant.advanced(by: .milliseconds(turn - now))
        }
    }
}
