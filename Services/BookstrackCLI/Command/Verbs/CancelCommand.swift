import ArgumentParser
import BookstrackContract
import ProgressClient

/// `bookstrack cancel JOB`
struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Stops a job; what it has not done yet is discarded.")

    @Argument(help: "The job.")
    var job: JobID

    @OptionGroup var options: APIOptions

    func run() async throws {
        try await runVerb {
            let client = HTTPClient(address: try options.address(of: job))
            let outcome = try await APIClient(client).cancel(job, token: options.token(of: job))
            await client.shutdown()
            StandardStreams.writeOutput(outcome.message + "\n")
            return .success
        }
    }
}
