import BookstrackContract
import ProgressClient

/// The results of one or more jobs as one report, which is read and written job by job: only a table holds them all, for its columns.
struct ResultsReport {
    /// What a run came to in numbers, at the end of JSON output.
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
        /// How to submit them.
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
        /// Nil when only its results are known.
        var status: JobStatus?
        var expiresAt: String?
        var resultsRevision: Int?
        /// Why its end or its results could not be seen.
        var error: String?
    }

    /// A row of JSON output: the API's, and the reason in one word.
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

    /// Ends the report.
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
