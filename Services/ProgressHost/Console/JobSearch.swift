import BookstrackContract
import Foundation
import GRDB
import SuiteMethods
import SuiteStorage

/// Searches jobs by identifier, by the request that started them, and by book titles (console.md "Jobs").
///
/// There is no index of titles, because it would cost every start of a job as much as storing the items themselves. Instead, items are scanned for
/// matching titles, starting with those of the newest job, until the page is full or ``limit`` is reached. They are scanned in chunks, each in its
/// own transaction, so no snapshot prevents the write-ahead log from being reused.
struct JobSearch: Sendable {
    /// Time limit of one call; checked after each chunk, but not before one job has been scanned.
    static let limit = Duration.seconds(1)
    /// Maximum length of the search text, in characters.
    static let maxLength = 200
    /// Number of items compared in one transaction.
    static let chunk = 10_000

    let lister: JobLister
    let text: String
    let parameters: ListJobs.Parameters
    /// Number of items compared in one transaction; smaller in tests.
    var chunk = Self.chunk
    /// Whether the time limit has been reached.
    var isOver: @Sendable () -> Bool = {
        let end = ContinuousClock.now + Self.limit
        return { ContinuousClock.now >= end }
    }()

    /// Finds a page of jobs. Throws `invalidRequest` for a text that is too long or a cursor that no job can have.
    func page() async throws -> ListJobs.Result {
        guard text.count <= Self.maxLength else {
            throw HostFailure.invalidRequest("the search text may have at most \(Self.maxLength) characters")
        }
        if let number = parameters.cursor?.number, !Self.cursors.contains(number) {
            throw HostFailure.invalidRequest("the cursor is not valid for this list")
        }
        // If the text matches an identifier of a wanted job, titles are not searched.
        let named = parameters.cursor == nil ? try await byIdentifier() : []
        guard named.isEmpty else { return ListJobs.Result(jobs: named, next: nil) }
        var jobs: [ListedJob] = []
        /// Items below this one have not been compared yet.
        var end = try await start()
        let begin = Self.job(after: end)
        while jobs.count < parameters.limit, end > 0 {
            let step = try await compare(below: end)
            end = step.end
            if let job = step.job { jobs.append(job) }
            // The next call compares the current job again from its newest item, unless one of its titles matched. Each call must therefore get past
            // at least one job.
            let next = Self.job(after: end)
            guard step.end > 0, next < begin, isOver() else { continue }
            return ListJobs.Result(jobs: jobs, next: Self.cursor(next), partial: true)
        }
        return ListJobs.Result(jobs: jobs, next: end > 0 ? Self.cursor(end / ItemNumber.placesPerJob) : nil)
    }

    /// The number of the first job that has no items below `end`.
    private static func job(after end: Int64) -> Int64 { (end + ItemNumber.placesPerJob - 1) / ItemNumber.placesPerJob }

    /// The numbers that a cursor may have: those for which every item's number is an Int64 (``ItemNumber``).
    private static let cursors = 0...(Int64.max / ItemNumber.placesPerJob - 1)

    /// The cursor for continuing with the jobs below this number.
    private static func cursor(_ number: Int64) -> ListJobs.Cursor { .init(createdAt: 0, number: number) }

    /// The jobs whose identifier begins with the text, and the jobs started by the request whose identifier is the text.
    private func byIdentifier() async throws -> [ListedJob] {
        try await lister.pool.read { db in
            let requested = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT created_at, number FROM job INDEXED BY job_request WHERE request_id = ?
                        ORDER BY number DESC LIMIT ?
                        """), arguments: [text, parameters.limit]
            ).map(ListJobs.Cursor.init)
            let named = try lister.named(text, parameters, db)
            let numbers = Set(named.map(\.number))
            let places = (named + requested.filter { !numbers.contains($0.number) }).prefix(parameters.limit)
            return try places.compactMap { try lister.listed($0, db) }.filter(isWanted)
        }
    }

    private func start() async throws -> Int64 {
        if let number = parameters.cursor?.number { return number * ItemNumber.placesPerJob }
        return try await lister.pool.read { try Int64.fetchOne($0, sql: "SELECT max(id) FROM item") ?? -1 } + 1
    }

    /// Compares the next items, down to the first job with a matching title. Returns the item below which to continue (0 if none is left) and that
    /// job, which is nil if no title matched, or if it is no longer stored or does not match the other criteria.
    private func compare(below end: Int64) async throws -> (end: Int64, job: ListedJob?) {
        let patterns = patterns
        let condition = patterns.map { _ in "title LIKE ? ESCAPE '\\'" }.joined(separator: " OR ")
        return try await lister.pool.read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT min(id) AS low, count(*) AS n, max(CASE WHEN \(condition) THEN id END) AS hit
                        FROM (SELECT id, title FROM item WHERE id < ? ORDER BY id DESC LIMIT ?)
                        """), arguments: StatementArguments(patterns) + [end, chunk])
            guard let row = rows.first, let low = row["low"] as Int64? else { return (0, nil) }
            guard let hit = row["hit"] as Int64? else { return ((row["n"] as Int) < chunk ? 0 : low, nil) }
            // The rest of this job need not be compared.
            let number = ItemNumber(rawValue: hit).job
            let job = try lister.listed(.init(createdAt: 0, number: number), db)
            return (number * ItemNumber.placesPerJob, job.flatMap { isWanted($0) ? $0 : nil })
        }
    }

    /// Patterns for titles that contain the text, with LIKE's own characters escaped (sqlite.org/lang_expr.html#like).
    ///
    /// LIKE compares code points, and titles are stored as they were requested: "é" may be one code point, or "e" followed by an accent (Unicode UAX
    /// #15). A string that can be written in only one way, such as ASCII text, costs one comparison.
    private var patterns: [String] {
        let escaped = String(text.flatMap { "%_\\".contains($0) ? ["\\", $0] : [$0] })
        var forms = [escaped.precomposedStringWithCanonicalMapping]
        let decomposed = escaped.decomposedStringWithCanonicalMapping
        // Swift's string equality does not distinguish the two forms.
        if !forms[0].utf8.elementsEqual(decomposed.utf8) { forms.append(decomposed) }
        return forms.map { "%" + $0 + "%" }
    }

    private func isWanted(_ job: ListedJob) -> Bool {
        (parameters.statuses.isEmpty || parameters.statuses.contains(job.status))
            && (parameters.pipelines.isEmpty || parameters.pipelines.contains(job.pipeline))
            && parameters.createdFrom.map { job.createdAt >= $0 } ?? true
            && parameters.createdBefore.map { job.createdAt < $0 } ?? true
            && job.expiresAt.map { $0 > lister.clock.now().settled } ?? true
    }
}
