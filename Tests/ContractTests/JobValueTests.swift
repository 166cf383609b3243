import BookstrackContract
import TestSupport
import Testing

/// Job identifiers, counts and estimates (http-api.md "Validation" and "Starting a job", jobs.md).
@Suite("Identifiers, counts and estimates")
struct JobValueTests {
    @Test(
        "an identifier consists of 4 to 64 of the documented characters",
        arguments: [
            "abcd", "ABC-def_019", "____", "----", "0000", String(repeating: "a", count: 64),
            "550e8400-e29b-41d4-a716-446655440000",
        ])
    func identifiers(text: String) throws {
        let id = try #require(JobID(text))
        #expect(id.text == text)
        #expect("\(id)" == text)
        #expect(try WireForm.of(id) == "\"\(text)\"")
        #expect(try WireForm.read(JobID.self, "\"\(text)\"") == id)
    }

    @Test(
        "text with other characters or another length is not an identifier",
        arguments: [
            "", "abc", String(repeating: "a", count: 65), "ab cd", "ab/cd", "../etc", "abc.d", "abcé", "ab\u{0}cd",
            "jobs?x=1", "ａｂｃｄ", "abcd\n",
        ])
    func noIdentifiers(text: String) throws {
        #expect(JobID(text) == nil)
        let json = try WireForm.of(text)
        #expect(throws: DecodingError.self) { try WireForm.read(JobID.self, json) }
    }

    @Test("the error message for an invalid identifier states the rule")
    func rule() {
        #expect(JobID.rule() == "must be 4 to 64 characters from A-Z a-z 0-9 _ -")
        #expect(JobID.rule(shortest: JobID.shortestNew) == "must be 8 to 64 characters from A-Z a-z 0-9 _ -")
    }

    @Test("each generated identifier is a new version 4 UUID")
    func random() {
        let ids = (0..<50).map { _ in JobID.random() }
        #expect(Set(ids).count == 50)
        #expect(ids.allSatisfy { $0.isRandomUUID })
        #expect(ids.allSatisfy { $0.text == $0.text.lowercased() })
    }

    @Test(
        "only a version 4 UUID counts as unguessable",
        arguments: [
            ("550e8400-e29b-41d4-a716-446655440000", true), ("550E8400-E29B-41D4-B716-446655440000", true),
            ("550e8400-e29b-11d4-a716-446655440000", false), ("550e8400-e29b-71d4-a716-446655440000", false),
            ("550e8400-e29b-41d4-c716-446655440000", false), ("550e8400-e29b-41d4-7716-446655440000", false),
            ("550e8400xe29b-41d4-a716-446655440000", false), ("550e8400-e29b-41d4-a716-44665544000g", false),
            ("550e8400-e29b-41d4-a716-4466554400000", false), ("550e8400e29b41d4a716446655440000", false),
            ("job-under-test", false),
        ])
    func guessable(text: String, isRandom: Bool) throws {
        #expect(try #require(JobID(text)).isRandomUUID == isRandom)
    }

    private struct Progress: Sendable {
        var counts: JobCounts
        var processed: Int
        var withoutResult: Int
        var remaining: Int
        var progress: Double
        var percentage: Int
    }

    @Test(
        "counts add up, and the percentage is rounded down, so it is 100 only if every item is finished",
        arguments: [
            Progress(
                counts: JobCounts(total: 10, succeeded: 4, failed: 1), processed: 5, withoutResult: 1, remaining: 5,
                progress: 0.5, percentage: 50),
            Progress(
                counts: JobCounts(total: 1_000, succeeded: 999), processed: 999, withoutResult: 0, remaining: 1,
                progress: 0.999, percentage: 99),
            Progress(
                counts: JobCounts(total: 3, succeeded: 1), processed: 1, withoutResult: 0, remaining: 2,
                progress: 1.0 / 3, percentage: 33),
            Progress(
                counts: JobCounts(total: 8, succeeded: 2, failed: 1, skipped: 5), processed: 3, withoutResult: 6,
                remaining: 5, progress: 0.375, percentage: 37),
            Progress(
                counts: JobCounts(total: 0), processed: 0, withoutResult: 0, remaining: 0, progress: 1,
                percentage: 100),
        ])
    private func counts(row: Progress) {
        #expect(row.counts.processed == row.processed)
        #expect(row.counts.withoutResult == row.withoutResult)
        #expect(row.counts.remaining == row.remaining)
        #expect(row.counts.progress == row.progress)
        #expect(row.counts.percentage == row.percentage)
    }

    @Test("failures are counted by reason, and reasons without failures are omitted")
    func failures() throws {
        var failures = FailureCounts()
        #expect(failures.isEmpty)
        #expect(failures.ifAny == nil)
        #expect(try WireForm.of(failures) == "{}")
        for (number, code) in ItemErrorCode.allCases.enumerated() { failures[code] = number + 1 }
        let text = WireForm.line(
            """
            {"INVALID_ISBN":1,"NOT_FOUND":2,"PROVIDER_TIMEOUT":3,"PROVIDER_ERROR":4,"QUOTA_EXHAUSTED":5,
            "CANCELLED":6,"DEADLINE_EXCEEDED":7}
            """)
        #expect(try WireForm.of(failures) == text)
        #expect(try WireForm.read(FailureCounts.self, text) == failures)
        for code in ItemErrorCode.allCases { failures[code] = 0 }
        #expect(failures.ifAny == nil)
    }

    @Test("counts from a newer version with further reasons can be decoded")
    func furtherReasons() throws {
        let failures = try WireForm.read(FailureCounts.self, #"{"NOT_FOUND":2,"STOLEN":9}"#)
        #expect(failures[.notFound] == 2)
        #expect(failures[.cancelled] == 0)
    }

    @Test(
        "a batch is estimated to take one second plus one second per 25 books, rounded up",
        arguments: [
            (1, 2_000, "1-5s"), (25, 2_000, "1-5s"), (26, 3_000, "1-7s"), (100, 5_000, "2-12s"),
            (500, 21_000, "10-52s"), (1_000, 41_000, "20-102s"), (2_000, 81_000, "1-4min"),
            (10_000, 401_000, "3-17min"),
        ])
    func estimates(books: Int, milliseconds: Int, text: String) {
        let estimate = DurationEstimate(books: books)
        #expect(estimate.milliseconds == milliseconds)
        #expect(estimate.text == text)
    }

    @Test("a photo is estimated to take ten seconds, and a library file one second")
    func otherEstimates() {
        #expect(DurationEstimate.photo.text == "5-25s")
        #expect(DurationEstimate.libraryFile.text == "1-2s")
    }
}
