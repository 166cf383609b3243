import ArgumentParser
import Observability
import ServiceKit
import SuiteMethods

/// `bookstrack analytics`
struct AnalyticsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analytics",
        abstract: "Show the quality of results and what each provider contributed.",
        discussion: """
            Totals of the jobs accepted on each day (UTC), by kind of job and by provider, compared with the targets of the API contract. A \
            day's figures keep changing while its results are being completed. Queries progress-host through its socket in \
            BOOKSTRACK_RUNTIME_DIR; 400 days are kept. With --failing, queries enrichment-worker.
            """)

    @Option(help: "First day to include: 7d or 30d ago, or a time such as 2026-11-21T10:00:00Z (default: 7d).")
    var since: PointInPast?

    @Flag(help: "Instead, list ISBNs that failed or were reported by readers.")
    var failing = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !failing || since == nil else {
            throw ValidationError("--failing is not limited to a period; omit --since.")
        }
    }

    func run() async throws {
        try await runVerb {
            let directories = try CommandSettings.load().directories
            guard !failing else { return try await listFailing(directories) }
            let start = (since ?? .ago(seconds: 7 * 86_400)).milliseconds(now: Activity.now)
            let answer = try await ServiceSocket(.progressHost, in: directories).call(
                QueryAnalytics.self, .init(since: start))
            let report = AnalyticsReport(days: answer.days)
            try output.show(csv: report.csv, document: report.document) { style in
                report.lines(style).joined(separator: "\n") + "\n"
            }
            return .success
        }
    }

    /// Shows the list of failing ISBNs, which all workers with the same data directory share.
    private func listFailing(_ directories: SuiteDirectories) async throws -> ExitStatus {
        let worker = directories.workers.first ?? .enrichmentWorker
        let answer = try await ServiceSocket(worker, in: directories).call(
            ReadFailingISBNs.self, .init(limit: ReadFailingISBNs.maxCount))
        let report = FailingReport(answer: answer, now: Activity.now)
        try output.show(csv: report.csv, document: answer) { style in
            report.lines(style).joined(separator: "\n") + "\n"
        }
        return .success
    }
}
