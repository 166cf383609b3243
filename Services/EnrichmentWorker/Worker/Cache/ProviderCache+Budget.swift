import GRDB
import ProviderHTTP

extension DailyUsage {
    /// What every provider's budget has used.
    static func all(_ db: Database) throws -> [(provider: String, usage: DailyUsage)] {
        try Row.fetchAll(db, sql: "SELECT provider, day, used FROM daily_usage").map {
            ($0[0], DailyUsage(day: $0[1], used: $0[2]))
        }
    }
}

extension ProviderCache: DailyBudgetStore {
    func usage(provider: String) async throws -> DailyUsage? {
        try await pool.read { db in
            try Row.fetchOne(
                db, sql: "SELECT day, used FROM daily_usage WHERE provider = ?", arguments: [provider]
            ).map { DailyUsage(day: $0[0], used: $0[1]) }
        }
    }

    func save(_ usage: DailyUsage, provider: String) async throws {
        try await pool.write { db in
            try db.execute(
                sql: """
                    INSERT INTO daily_usage(provider, day, used) VALUES (?, ?, ?)
                    ON CONFLICT(provider) DO UPDATE SET day = excluded.day, used = excluded.used
                    WHERE excluded.day > day OR (excluded.day = day AND excluded.used > used)
                    """, arguments: [provider, usage.day, usage.used])
        }
    }
}
