public import ArgumentParser
public import BookstrackContract
import Observability
import ServiceKit
import SuiteMethods

/// `bookstrack jobs`
struct JobsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs", abstract: "List jobs, newest first.",
        discussion: """
            Asks progress-host through its socket in BOOKSTRACK_RUNTIME_DIR, so the jobs of all clients are listed, for as long as their \
            results are kept.
            """)

    private static let interval = Duration.seconds(1)

    @Option(
        name: .customLong("status"),
        help: ArgumentHelp("Only jobs in this state; repeat it for several.", valueName: "status"))
    var statuses: [JobStatus] = []

    @Option(
        name: .customLong("pipeline"),
        help: ArgumentHelp("Only jobs of this kind; repeat it for several.", valueName: "pipeline"))
    var pipelines: [Pipeline] = []

    @Option(help: ArgumentHelp("Only jobs created since then: 90s, 10m, 2h, 1d, or a time.", valueName: "when"))
    var since: PointInPast?

    @Option(help: ArgumentHelp("Only jobs created before then.", valueName: "when"))
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
            try await follow(calls)
            return .success
        }
    }

    private func follow(_ calls: JobCalls) async throws {
        let signals = StopSignals()
        let screen = LiveScreen.standard
        let draws = output.format == .table
        if draws { screen.begin() }
        defer { if draws { screen.end() } }
        try await signals.repeating(every: Self.interval) { [self] in
            let now = Activity.now
            let list = try await calls.jobs(parameters(now: now), limit: limit)
            guard !Task.isCancelled else { return }
            if draws {
                let time = ISO8601Milliseconds.string(fromMilliseconds: now)
                screen.draw(
                    ["bookstrack jobs  \(time)", ""] + OutputStyle.standard.lines(list, now: now),
                    rows: StandardStreams.outputRows)
            } else {
                StandardStreams.writeOutput(try OutputOptions.jsonLine(list) + "\n")
            }
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
