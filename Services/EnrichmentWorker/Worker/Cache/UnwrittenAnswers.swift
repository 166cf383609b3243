import BookIdentifiers
import BookMetadata
import BookstrackContract
import Foundation
import GRDB
import JSON
import NIOCore

/// What the next transaction will write: new answers, uses of stored answers, and uses of ISBNs.
struct UnwrittenAnswers: Sendable {
    /// Maximum number of waiting answers, and likewise of uses and of ISBNs; further ones are dropped, because the disk is then slower than the
    /// providers.
    private static let limit = 8_192
    /// Parameters: the key, when the answer expires, when it was stored (both in seconds since 1970), and its records as JSON.
    static let insertion = """
        INSERT OR REPLACE INTO answer(key, expires_at, used_at, stored_at, records) VALUES (?1, ?2, ?3, ?3, ?4)
        """

    private var answers: [Question: ProviderRecords] = [:]
    private var used: Set<String> = []
    private var isbns: [ISBN: ISBNUse] = [:]

    var isEmpty: Bool { answers.isEmpty && used.isEmpty && isbns.isEmpty }

    subscript(question: Question) -> ProviderRecords? { answers[question] }

    mutating func note(_ new: [Question: ProviderRecords]) {
        if answers.count + new.count <= Self.limit { answers.merge(new) { $1 } }
    }

    mutating func note(used keys: [String]) {
        if used.count + keys.count <= Self.limit { used.formUnion(keys) }
    }

    mutating func note(_ uses: [ISBN: ISBNUse]) {
        if isbns.count + uses.count <= Self.limit { isbns.merge(uses) { $1 == .returned ? $0 : $1 } }
    }

    /// - Parameter now: Seconds since 1970.
    func write(to db: Database, ttl: CacheTTL, now: Int) throws {
        let insert = try db.cachedStatement(sql: Self.insertion)
        for (question, records) in answers {
            let ttl = Int(ttl.ttl(of: records, to: question).components.seconds)
            guard ttl > 0 else { continue }
            let json = records.isEmpty ? nil : Data(try JSONCoding.encode(records).readableBytesView)
            try insert.execute(arguments: [question.cacheKey, now + ttl, now, json])
        }
        let touch = try db.cachedStatement(sql: "UPDATE answer SET used_at = ? WHERE key = ?")
        for key in used { try touch.execute(arguments: [now, key]) }
        if !isbns.isEmpty { try ISBNHistory(db: db).note(isbns, at: now) }
    }
}

/// A kind of access to the cache, as named in the log.
enum CacheAccess: String {
    case read, written, opened
}
