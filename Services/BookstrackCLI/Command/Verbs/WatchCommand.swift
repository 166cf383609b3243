import ArgumentParser
import BookstrackContract
import ProgressClient

/// `bookstrack watch JOB`
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Shows a job's progress until its end.")

    @Argument(help: "The job.")
    var job: JobID

    @OptionGroup var options: APIOptions

    @Flag(help: "Print the frames as JSON, one per line.")
    var json = false

    func run() async throws {
        try await runVerb {
            let output = ProgressOutput.standard(json: json)
            let watch = WatchRun(
                address: try options.address(of: job), job: job, token: try options.token(of: job), output: output)
            let interrupt = InterruptHandler { [job] in WatchRun.leaving(job) }
            defer { interrupt.cancel() }
            var count = ProgressCount(total: 0)
            let ending = try await watch.run(&count)
            output.finish()
            switch ending {
            case .completed(let payload):
                output.note("\(payload.userMessage)\nRead the results with: bookstrack results \(job)")
                return payload.failureCount == 0 ? .success : .incomplete
            case .failed(let payload): throw CommandFailure(.jobFailed, payload.userMessage)
            case .cancelled: throw CommandFailure(.jobFailed, "the job was cancelled")
            }
        }
    }
}
