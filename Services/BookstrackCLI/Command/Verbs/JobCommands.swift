public import ArgumentParser
import BookstrackClient
public import BookstrackContract
import Observability
import ServiceKit
import SuiteMethods

/// `bookstrack jobs`
struct JobsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs", abstract: "List jobs, newest first.",
        discussion: """
            Queries progress-host through its socket in BOOKSTRACK_RUNTIME_DIR, so the jobs of all clients are listed, for as long as their \
            results are kept.
            """)

    @Option(
        name: .customLong("status"),
        help: ArgumentHelp("Only jobs in this state; repeatable.", valueName: "status"))
    var statuses: [JobStatus] = []

    @Option(
        name: .customLong("pipeline"),
        help: ArgumentHelp("Only jobs of this kind; repeatable.", valueName: "pipeline"))
    var pipelines: [Pipeline] = []

    @Option(
        help: ArgumentHelp(
            "Only jobs created since this time: 90s, 10m, 2h or 1d ago, or a date and time.", valueName: "when"))
    var since: PointInPast?

    @Option(help: ArgumentHelp("Only jobs created before this time.", valueName: "when"))
    var before: PointInPast?

    @Option(help: ArgumentHelp("Maximum number of jobs.", valueName: "count"))
    var limit = 20

    @Flag(name: .shortAndLong, help: "Refresh every second until Ctrl-C; with --json, one object per line.")
    var watch = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
        guard !watch || output.format != .csv else { throw ValidationError("--watch prints a table or JSON, not CSV.") }
    }

    func run() async throws {
        try await runVerb {
            let calls = JobCalls(
                socket: try ServiceSocket(.progressHost, in: CommandSettings.load().directories))
            guard watch else {
                let list = try await calls.jobs(parameters(now: Activity.now), limit: limit)
                try output.show(csv: list.csv, document: list) { $0.lines(list, now: Activity.now).text }
                return .success
            }
            try await output.watch("jobs") { [self] in
                try await calls.jobs(parameters(now: Activity.now), limit: limit)
            } lines: {
                OutputStyle.standard.lines($0, now: Activity.now)
            } document: {
                $0
            }
            return .success
        }
    }

    private func parameters(now: Int64) -> ListJobs.Parameters {
        var parameters = ListJobs.Parameters()
        parameters.statuses = statuses
        parameters.pipelines = pipelines
        parameters.createdFrom = since?.milliseconds(now: now)
        parameters.createdBefore = before?.milliseconds(now: now)
        return parameters
    }
}

extension JobStatus: ExpressibleByArgument {}
extension Pipeline: ExpressibleByArgument {}

/// `bookstrack watch JOB…`
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show the progress of jobs until they end.",
        discussion: "With --json, prints progress frames as they arrive, one object per line. There is no CSV.")

    @Argument(
        help: "Job IDs, or their first eight characters.", completion: JobCompletion.kind)
    var jobs: [JobReference]

    @OptionGroup var options: APIOptions

    @OptionGroup var formats: FormatOptions

    func validate() throws {
        guard formats.format != .csv else {
            throw ValidationError(
                "Progress cannot be printed as CSV; for results, use bookstrack results --format csv.")
        }
    }

    func run() async throws {
        try await runVerb {
            var ids: [JobID] = []
            for job in jobs { ids.append(try await job.job()) }
            let interrupt = InterruptHandler { [ids] in RunState.interruptMessage(to: ids) }
            defer { withExtendedLifetime(interrupt) {} }
            let isJSON = formats.format == .json
            let output = ProgressOutput.standard(json: isJSON)
            for id in ids { _ = try options.token(of: id) }
            var policy = FollowPolicy.commandLine
            // Polling returns no frames, which are what JSON output consists of.
            if isJSON { policy.transports = [.webSocket, .eventStream] }
            let client = try await options.client(of: ids, policy: policy)
            let reports = await JobsWatch(client: client, output: output).run(ids.map { .init(id: $0) })
            for report in reports {
                output.note(Self.ending(report, hasResults: await hasResults(report, client)))
            }
            return reports.exitStatus
        }
    }

    /// Whether to point to the job's results: an enrichment has results however it ended, an import or a scan usually only if it completed.
    private func hasResults(_ report: JobReport, _ client: BookstrackClient) async -> Bool {
        if report.status == .completed { return true }
        return (try? await client.state(of: report.job).pipeline) == .batchEnrichment
    }

    /// How a job ended, and what to do next.
    static func ending(_ report: JobReport, hasResults: Bool) -> String {
        let name = report.job.short
        if let failure = report.failure { return "Job \(name): \(failure.message)" }
        guard hasResults else { return "Job \(name): \(report.message)" }
        return "Job \(name): \(report.message)\nRead the results with: bookstrack results \(name)"
    }
}

/// `bookstrack results JOB…`
struct ResultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "results", abstract: "Print the results of ended jobs.",
        discussion: """
            An import or a scan must be the only job given. The CSV of an import is the library itself, which import can read again \
            without loss.
            """)

    @Argument(
        help: "Job IDs, or their first eight characters.", completion: JobCompletion.kind)
    var jobs: [JobReference]

    @OptionGroup var options: APIOptions

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await runVerb {
            var ids: [JobID] = []
            for job in jobs { ids.append(try await job.job()) }
            let notes = ProgressOutput.standard(json: false)
            var report = ResultsReport(output.format, write: output.write)
            let client = try await options.client(of: ids)
            let read = try await ResultsFetch(client: client, output: notes).read(
                ids.map { JobReport(job: $0) }, into: &report)
            if read.count == 1, let job = ids.first, let pipeline = read.first?.otherPipeline {
                output.write(try await text(of: job, pipeline, client, notes))
                return .success
            }
            // A single unreadable job is an error, not an empty report.
            if read.count == 1, let failure = read.first?.failure { throw failure }
            try report.finish()
            for failure in read.compactMap(\.failure) { notes.note("bookstrack: \(failure.message)") }
            return read.compactMap(\.failure).first?.status ?? .success
        }
    }

    private func text(
        of job: JobID, _ pipeline: Pipeline, _ client: BookstrackClient, _ notes: ProgressOutput
    ) async throws -> String {
        if pipeline == .aiScan {
            let results = try await ScanRun(client: client, output: notes).results(ofEnded: job)
            return try ScanText(style: .standard).text(results, as: output.format)
        }
        let results = try await ImportRun(client: client, output: notes).results(ofEnded: job)
        return try ImportText(style: .standard).text(results, of: job, as: output.format)
    }
}

/// `bookstrack retry JOB`
struct RetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Retry the books without a result in an ended job.",
        discussion: """
            The job keeps its status; its results change as books are found. Photos of a scan that could not be read are read again if they are \
            still stored. Books that cannot be looked up, such as those with neither an ISBN nor a title, are not retried.
            """)

    @Argument(help: "Job ID, or its first eight characters.", completion: JobCompletion.kind)
    var job: JobReference

    @OptionGroup var options: APIOptions

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await runVerb {
            let job = try await job.job()
            _ = try options.token(of: job)
            let client = try await options.client(of: [job])
            let outcome = try await client.retry(job)
            let pipeline = try? await client.state(of: job).pipeline
            let table = TextTable(
                columns: [.init("Job"), .init("Status"), .init("Retrying", .figure)],
                rows: [[outcome.jobId.text, outcome.status.rawValue, "\(outcome.retrying)"]])
            try output.show(csv: table, document: outcome) { _ in Self.text(outcome, of: pipeline) + "\n" }
            return .success
        }
    }

    static func text(_ outcome: RetryOutcome, of pipeline: Pipeline?) -> String {
        guard outcome.status.isTerminal else {
            return "Job \(outcome.jobId) is \(outcome.status.rawValue); only an ended job can be retried."
        }
        // For a scan, the count includes both photos and books.
        let isScan = pipeline == .aiScan
        guard outcome.retrying > 0 else {
            return "Job \(outcome.jobId) has no \(isScan ? "photos or books" : "books") to retry."
        }
        let (one, several) = isScan ? ("photo or book", "photos and books") : ("book", "books")
        let items = outcome.retrying == 1 ? "1 \(one) is" : "\(outcome.retrying) \(several) are"
        return "\(items) being retried. Read the results later with:\nbookstrack results \(outcome.jobId.short)"
    }
}

/// `bookstrack cancel JOB`
struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel a job; unfinished items are discarded.")

    @Argument(help: "Job ID, or its first eight characters.", completion: JobCompletion.kind)
    var job: JobReference

    @OptionGroup var options: APIOptions

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await runVerb {
            let job = try await job.job()
            _ = try options.token(of: job)
            let outcome = try await options.client(of: [job]).cancel(job)
            let table = TextTable(
                columns: [.init("Job"), .init("Status"), .init("Items discarded", .figure)],
                rows: [[outcome.jobId.text, outcome.status.rawValue, "\(outcome.cleanup.itemsDiscarded)"]])
            try output.show(csv: table, document: outcome) { _ in outcome.message + "\n" }
            return .success
        }
    }
}
