import ArgumentParser
import BookstrackContract
import ProgressClient

/// `bookstrack watch JOB…`
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show the progress of jobs until they end.",
        discussion: "With --json, prints progress frames as they arrive, one object per line.")

    @Argument(
        help: "Job IDs, or their first eight characters.", completion: JobCompletion.kind)
    var jobs: [JobReference]

    @OptionGroup var options: APIOptions

    @OptionGroup var formats: FormatOptions

    func validate() throws {
        guard formats.format != .csv else {
            throw ValidationError("The progress of jobs is no table; bookstrack results has --format csv.")
        }
    }

    func run() async throws {
        try await runVerb {
            var ids: [JobID] = []
            for job in jobs { ids.append(try await job.job()) }
            let interrupt = InterruptHandler { [ids] in RunStanding.farewell(to: ids) }
            defer { withExtendedLifetime(interrupt) {} }
            let output = ProgressOutput.standard(json: formats.format == .json)
            // Jobs of one command are watched at one server: that of the first.
            guard let first = ids.first else { throw CommandFailure(.usage, "name a job") }
            let watch = JobsWatch(address: try options.address(of: first), output: output)
            let reports = await watch.run(try ids.map { .init(id: $0, token: try options.token(of: $0)) })
            for report in reports { output.note(Self.ending(report)) }
            return reports.exitStatus
        }
    }

    /// How a job ended, and what to do now.
    static func ending(_ report: JobReport) -> String {
        let name = report.job.short
        if let failure = report.failure { return "Job \(name): \(failure.message)" }
        return "Job \(name): \(report.message)\nRead the results with: bookstrack results \(name)"
    }
}
