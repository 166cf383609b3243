import BookstrackContract
import SuiteMethods

/// Reads lists of jobs from progress-host, page by page.
struct JobCalls: Sendable {
    let socket: ServiceSocket

    /// The newest matching jobs, at most `limit`.
    func jobs(_ parameters: ListJobs.Parameters, limit: Int) async throws -> JobList {
        var parameters = parameters
        var list = JobList(jobs: [], hasMore: true)
        while list.hasMore, list.jobs.count < limit {
            parameters.limit = min(limit - list.jobs.count, ListJobs.maxPageSize)
            let page = try await socket.call(ListJobs.self, parameters)
            list.jobs += page.jobs
            list.hasMore = page.next != nil
            parameters.cursor = page.next
        }
        return list
    }
}

/// A list of jobs, as printed by `bookstrack jobs`.
struct JobList: Encodable {
    private static let columns: [TextTable.Column] = [
        .init("Job"), .init("Status"), .init("Found", .figure), .init("Age"), .init("No result", .prose),
        .init("Pipeline", least: 16),
    ]

    /// The jobs, newest first.
    var jobs: [ListedJob]
    /// Whether older jobs match as well.
    var hasMore: Bool

    private enum CodingKeys: String, CodingKey { case jobs, hasMore }

    /// A job in JSON. The members have the API's names, except `reasons`, which counts the books without a result by reason.
    private struct Entry: Encodable {
        var jobId: JobID
        var pipeline: Pipeline
        var source: JobSource?
        var status: JobStatus
        var totalCount: Int
        var processedCount: Int
        var successCount: Int
        var failureCount: Int
        var reasons: [String: Int]
        var createdAt: String
        var startedAt: String?
        var endedAt: String?
        var expiresAt: String?

        init(_ job: ListedJob) {
            jobId = job.jobId
            pipeline = job.pipeline
            source = job.source
            status = job.status
            totalCount = job.counts.total
            processedCount = job.counts.processed
            successCount = job.counts.succeeded
            failureCount = job.counts.withoutResult
            reasons = Dictionary(uniqueKeysWithValues: job.reasons.map { ($0.key.rawValue, $0.value) })
            createdAt = ISO8601Milliseconds.string(fromMilliseconds: job.createdAt)
            startedAt = job.startedAt.map(ISO8601Milliseconds.string(fromMilliseconds:))
            endedAt = job.endedAt.map(ISO8601Milliseconds.string(fromMilliseconds:))
            expiresAt = job.expiresAt.map(ISO8601Milliseconds.string(fromMilliseconds:))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(jobs.map(Entry.init), forKey: .jobs)
        try container.encode(hasMore, forKey: .hasMore)
    }

    /// The whole list as CSV; times are ISO 8601.
    var csv: TextTable {
        let keys = [
            "job", "pipeline", "status", "total", "found", "without_result", "created_at", "ended_at", "expires_at",
        ]
        return TextTable(
            columns: keys.map { .init($0) },
            rows: jobs.map(Entry.init).map { job in
                [
                    job.jobId.text, job.pipeline.rawValue, job.status.rawValue, "\(job.totalCount)",
                    "\(job.successCount)",
                    "\(job.failureCount)", job.createdAt, job.endedAt ?? "", job.expiresAt ?? "",
                ]
            })
    }

    fileprivate func table(now: Int64) -> TextTable {
        TextTable(
            columns: Self.columns,
            rows: jobs.map { job in
                [
                    .init(job.jobId.text), .init(job.status.rawValue, job.status.meaning),
                    .init("\(job.counts.succeeded)/\(job.counts.total)"),
                    .init(TimeSpanText.roughly(milliseconds: now - job.createdAt)),
                    .init(job.reasonTexts.joined(separator: ", ")), .init(job.pipeline.rawValue, .faint),
                ]
            })
    }
}

extension OutputStyle {
    /// A list of jobs as a table.
    func lines(_ list: JobList, now: Int64) -> [String] {
        guard !list.jobs.isEmpty else { return ["No jobs."] }
        let more = list.hasMore ? ["", paint("There are older jobs; show more with --limit.", .faint)] : []
        return list.table(now: now).lines(self) + more
    }
}

extension [String] {
    /// The lines as one text.
    var text: String { map { $0 + "\n" }.joined() }
}

extension ListedJob {
    /// Books without a result, by reason; for an import, rows that could not be used.
    fileprivate var reasons: [FailureReason: Int] {
        guard pipeline != .csvImport else { return counts.failed > 0 ? [.invalid: counts.failed] : [:] }
        return FailureReason.counts(counts.failures.ifAny, of: counts.withoutResult)
    }

    fileprivate var reasonTexts: [String] {
        FailureReason.allCases.compactMap { reason in reasons[reason].map { "\($0) \(reason.word)" } }
    }

}

extension JobStatus {
    /// The meaning of a state in a table.
    var meaning: OutputMeaning {
        switch self {
        case .completed: .ok
        case .failed: .problem
        case .cancelled, .cancelling: .warning
        case .pending, .processing: .plain
        }
    }
}
