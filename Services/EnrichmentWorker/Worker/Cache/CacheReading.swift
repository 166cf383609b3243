import Foundation
import GRDB

/// One reading of several answers.
struct CacheReading {
    /// Uses are noted this coarsely, so that reading seldom means writing.
    private static let useResolution = 3_600
    private static let decoder = JSONDecoder()

    /// Seconds since 1970.
    let now: Int
    private(set) var answers = CachedAnswers()
    /// Keys whose last use is to be noted.
    private(set) var used: [String] = []

    init(now: Int) { self.now = now }

    mutating func read(_ question: Question, from db: Database) throws {
        let key = question.cacheKey
        let statement = try db.cachedStatement(
            sql: "SELECT expires_at, used_at, stored_at, records FROM answer WHERE key = ?")
        guard let row = try Row.fetchOne(statement, arguments: [key]) else {
            return answers.note(nil, to: question)
        }
        let (expiresAt, usedAt, storedAt, json): (Int, Int, Int, Data?) = (row[0], row[1], row[2], row[3])
        // What an earlier program wrote in another shape is a miss.
        guard
            let records = json.map({ try? Self.decoder.decode(ProviderRecords.self, from: $0) }) ?? ProviderRecords.none
        else { return answers.note(nil, to: question) }
        let answer = CachedAnswer(
            records: records, age: .seconds(max(0, now - storedAt)), freshFor: .seconds(expiresAt - now))
        answers.note(answer, to: question)
        if now - usedAt >= Self.useResolution { used.append(key) }
    }
}
