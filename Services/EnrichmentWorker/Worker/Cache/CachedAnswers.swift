import BookMetadata
import Foundation
import GRDB
import JSON
import NIOCore

/// The cached answers to a set of questions at one point in time.
struct CachedAnswers: Sendable {
    private var answers: [Question: CachedAnswer?] = [:]

    /// Adds the cached answer to a question, or nil if there is none.
    mutating func note(_ answer: CachedAnswer?, to question: Question) {
        answers.updateValue(answer, forKey: question)
    }

    /// Only the answers to these questions.
    func only(_ questions: [Question]) -> CachedAnswers {
        var some = CachedAnswers()
        for question in questions { if let answer = answers[question] { some.note(answer, to: question) } }
        return some
    }

    /// Whether the cache was searched for this question.
    func covers(_ question: Question) -> Bool { answers[question] != nil }

    subscript(question: Question) -> CachedAnswer? { answers[question] ?? nil }
}

/// A provider's earlier answer.
struct CachedAnswer: Sendable {
    let records: ProviderRecords
    /// Time since the answer was received.
    let age: Duration
    /// Time until the answer expires; zero or negative if it has expired.
    let freshFor: Duration

    /// Whether the answer has not expired (metadata.md "Cache").
    var isFresh: Bool { freshFor > .zero }
}

/// Hits and misses since the process started.
struct CacheUses: Sendable {
    private(set) var hits = 0
    private(set) var staleHits = 0
    private(set) var misses = 0

    /// Counts the answers found for a set of questions; nil means a miss.
    mutating func count(_ answers: [CachedAnswer?]) {
        for answer in answers {
            switch answer {
            case nil: misses += 1
            case let answer?: if answer.isFresh { hits += 1 } else { staleHits += 1 }
            }
        }
    }
}

/// How far the clock that dates the cache's entries is trusted.
enum ClockSkew {
    /// How far ahead of the clock a stored time may be, in seconds. A later one was stored before the clock was set back, and counts as long past.
    static let tolerance = 300
}

/// Reads answers from the database one by one and collects them.
struct CacheReading {
    /// Resolution in seconds at which the last use is stored; it is coarse so that reads seldom require a write.
    private static let useResolution = 3_600

    /// The current time, in seconds since 1970.
    let now: Int
    private(set) var answers = CachedAnswers()
    /// Keys whose last use must be stored.
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
        // A record in the format of another version counts as a miss.
        guard
            let records = json.map({ try? JSONCoding.decode(ProviderRecords.self, from: ByteBuffer(bytes: $0)) })
                ?? ProviderRecords.none
        else { return answers.note(nil, to: question) }
        let isFromFuture = storedAt > now + ClockSkew.tolerance
        let answer = CachedAnswer(
            records: records, age: .seconds(max(0, now - storedAt)),
            freshFor: isFromFuture ? .zero : .seconds(expiresAt - now))
        answers.note(answer, to: question)
        if now - usedAt >= Self.useResolution || usedAt > now + ClockSkew.tolerance { used.append(key) }
    }
}
