import ArgumentParser
import BookstrackContract
import ProgressClient

/// `bookstrack results JOB…`
struct ResultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "results", abstract: "Print the results of finished jobs.")

    @Argument(
        help: "Job IDs, or their first eight characters.", completion: JobCompletion.kind)
    var jobs: [JobReference]

    @OptionGroup var options: APIOptions

    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await runVerb {
            var ids: [JobID] = []
            for job in jobs { ids.append(try await job.job()) }
            guard let first = ids.first else { throw CommandFailure(.usage, "name a job") }
            let notes = ProgressOutput.standard(json: false)
            var report = ResultsReport(output.format, write: output.write)
            let read = try await options.callAPI(of: first) { api in
                try await ResultsReading(api: api, output: notes).read(ids.map { JobReport(job: $0) }, into: &report)
            }
            // A single job that cannot be read is an error, not an empty report.
            if read.count == 1, let failure = read.first?.failure { throw failure }
            try report.finish()
            for failure in read.compactMap(\.failure) { notes.note("bookstrack: \(failure.message)") }
            return read.compactMap(\.failure).first?.status ?? .success
        }
    }
}
