import ArgumentParser
import ServiceKit

/// `bookstrack cache purge`
struct CachePurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge", abstract: "Empties the caches.",
        discussion: """
            Jobs and their results are not touched. Exit status: 0 when every cache is empty, 1 when one was not emptied, 69 when no \
            process answers.
            """)

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await runVerb {
            let calls = try CacheCalls(directories: SuiteDirectories(Settings.load(arguments: [])))
            guard try yes || Confirmation().confirms(Self.question) else {
                StandardStreams.writeError("Nothing was removed.\n")
                return .incomplete
            }
            let outcomes = await calls.purge()
            StandardStreams.writeOutput(json ? try CacheText.json(outcomes) : CacheText.lines(outcomes))
            StandardStreams.writeError(CacheText.failures(outcomes))
            return outcomes.status
        }
    }

    private static let question = "The providers will be asked about every book again. Empty the caches?"
}
