import BookstrackClient
import BookstrackContract
import Foundation

/// The results of one or more jobs in one report, read and written job by job; only a table needs all results at once, for its column widths.
struct ResultsReport {
    /// The totals of a run, printed at the end of JSON output.
    struct Summary: Encodable {
        var total = 0
        var found = 0
        var notFound = 0
        var invalid = 0
        var limited = 0
        var down = 0
        var busy = 0
        var cancelled = 0
        /// Books that were not submitted to the server.
        var notSubmitted = 0
        /// The command that submits the remaining books; nil if there are none, or if the list is not stored.
        var resume: String?
        var laterRetries: JobState.LaterRetries?

        mutating func take(_ book: EnrichedBook) {
            total += 1
            guard !book.success else { return found += 1 }
            switch book.reason {
            case .notFound: notFound += 1
            case .invalid: invalid += 1
            case .limited: limited += 1
            case .down: down += 1
            case .busy: busy += 1
            case .cancelled: cancelled += 1
            }
        }
    }

    /// A job in JSON output.
    private struct Job: Encodable {
        var jobId: JobID
        /// The final state of the job; nil if it is unknown.
        var status: JobStatus?
        var expiresAt: String?
        var resultsRevision: Int?
        /// Why the job's outcome or results are unknown.
        var error: String?
    }

    /// A row of JSON output: the API's row and, if the book has no result, the reason in one word.
    private struct Row: Encodable {
        var book: EnrichedBook

        private enum CodingKeys: String, CodingKey { case reason }

        func encode(to encoder: any Encoder) throws {
            try book.encode(to: encoder)
            guard !book.success else { return }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(book.reason.rawValue, forKey: .reason)
        }
    }

    let format: OutputFormat
    let style: OutputStyle
    let write: (String) -> Void
    private(set) var summary = Summary()
    private var books: [EnrichedBook] = []
    private var jobs: [Job] = []
    private var isOpen = false

    init(_ format: OutputFormat, _ style: OutputStyle = .standard, write: @escaping (String) -> Void) {
        self.format = format
        self.style = style
        self.write = write
    }

    /// Adds a job's results, or only how it ended.
    mutating func add(_ report: JobReport, _ results: EnrichmentResults?) throws {
        jobs.append(
            Job(
                jobId: report.job, status: report.status, expiresAt: results?.expiresAt,
                resultsRevision: results?.resultsRevision, error: report.failure?.message))
        guard let rows = results?.enrichedBooks else { return }
        open()
        switch format {
        case .table: books += rows
        case .csv: write(ResultsText.csv(rows).csvRows)
        case .json:
            for row in rows.enumerated() {
                let comma = summary.total + row.offset == 0 ? "\n" : ",\n"
                write(comma + "    " + (try OutputOptions.jsonLine(Row(book: row.element))))
            }
        }
        for row in rows { summary.take(row) }
    }

    /// Writes the rest of the report: the table, the end of the JSON document, or the header of a CSV without results. Before that, `complete` adds
    /// what only the caller knows to the summary.
    mutating func finish(_ complete: (inout Summary) -> Void = { _ in }) throws {
        complete(&summary)
        open()
        switch format {
        case .table: if !books.isEmpty { write(ResultsText.text(books, style)) }
        case .csv: break
        case .json:
            let jobs = try jobs.map { "    " + (try OutputOptions.jsonLine($0)) }.joined(separator: ",\n")
            write("\n  ],\n  \"jobs\": [\n\(jobs)\n  ],\n  \"summary\": \(try OutputOptions.jsonLine(summary))\n}\n")
        }
    }

    private mutating func open() {
        guard !isOpen else { return }
        isOpen = true
        switch format {
        case .table: break
        case .csv: write(ResultsText.csv([]).csv)
        case .json: write("{\n  \"enrichedBooks\": [")
        }
    }
}

/// Reads the results of jobs, one after the other, into a report.
struct ResultsFetch {
    let client: BookstrackClient
    let output: ProgressOutput
    var calls = RetryingCalls()

    /// Adds every job to `report`. Returns the jobs, completed with the reasons why books have no result, or why the results cannot be read; an error
    /// with one job does not affect the others.
    func read(_ jobs: [JobReport], into report: inout ResultsReport) async throws -> [JobReport] {
        var learned: [JobReport] = []
        for var job in jobs {
            var results: EnrichmentResults?
            do {
                results = try await calls.make(output) { () async throws -> EnrichmentResults in
                    try await client.results(of: job.job)
                }
                job.reasons = Set((results?.enrichedBooks ?? []).filter { !$0.success }.map(\.reason))
                // The job has ended, although it could not be watched to its end.
                job.failure = nil
            } catch let refusal as BookstrackError where refusal.otherPipeline != nil {
                job.otherPipeline = refusal.otherPipeline
                let kind = refusal.otherPipeline == .aiScan ? "a scan" : "an import"
                job.failure = CommandFailure(
                    .usage,
                    "job \(job.job) is \(kind); print its results separately: bookstrack results \(job.job.short)")
            } catch {
                // Why a job failed or could not be watched is more useful to know than that its results cannot be read.
                let unread = failure(error, of: job.job)
                let hasNone = [.noInput, .cancelled, .jobFailed].contains(unread.status)
                let later = "once the job has ended, read the results with: bookstrack results \(job.job.short)"
                job.failure =
                    job.failure.map { hasNone ? $0 : $0.adding(later) } ?? (job.status == .failed ? nil : unread)
            }
            try report.add(job, results)
            learned.append(job)
        }
        return learned
    }

    /// How many of the jobs' books the server will retry later, and when the next retry is due; nil if no planned retries are known.
    func laterRetries(of jobs: [JobReport]) async -> JobState.LaterRetries? {
        var sum: JobState.LaterRetries?
        for job in jobs {
            guard !job.reasons.isDisjoint(with: FailureReason.allCases.filter(\.isPassing)),
                let later = try? await client.state(of: job.job).laterRetries
            else { continue }
            sum = .init(
                count: later.count.addingClamped(sum?.count ?? 0),
                nextAt: min(sum?.nextAt ?? later.nextAt, later.nextAt))
        }
        return sum
    }

    /// A message about planned retries.
    static func notice(_ later: JobState.LaterRetries, of jobs: [JobReport], now: Int64) -> String {
        let books = CountText.text(later.count, "book")
        let next = PointInPast(argument: later.nextAt)?.milliseconds(now: now) ?? now
        let names = jobs.map(\.job.short).joined(separator: " ")
        return """
            The server will retry \(books) in \(TimeSpanText.text(milliseconds: next - now)) (\(later.nextAt)). Then read the results with: \
            bookstrack results \(names). To retry now: bookstrack retry \(jobs.count == 1 ? names : "JOB")
            """
    }

    private func failure(_ error: any Error, of job: JobID) -> CommandFailure {
        guard let refusal = error as? BookstrackError, refusal.serverCode == .notFound else {
            return CommandFailure(error, reading: job)
        }
        guard case .text(let status)? = refusal.details["status"] else {
            return CommandFailure(.noInput, "there is no job \(job), or its results have expired")
        }
        switch JobStatus(rawValue: status) {
        case .cancelled: return CommandFailure(.cancelled, "job \(job) was cancelled and has no results")
        case .failed: return CommandFailure(.jobFailed, "job \(job) failed: \(refusal.message)")
        default: break
        }
        return CommandFailure(.tryLater, "job \(job) is \(status); watch it with: bookstrack watch \(job.short)")
    }
}

extension BookstrackError {
    /// The kind of the job if its results are read from another route (imports.md "Routes", scans.md "Routes"); otherwise nil.
    fileprivate var otherPipeline: Pipeline? {
        guard case .text(let name)? = details["pipeline"] else { return nil }
        return Pipeline(rawValue: name)
    }
}
