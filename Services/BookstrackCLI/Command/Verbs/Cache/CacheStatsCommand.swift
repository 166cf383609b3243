import ArgumentParser
import ServiceKit

/// `bookstrack cache stats`
struct CacheStatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Shows how full each cache is and how it was used.",
        discussion: "Exit status: 0 when a process answers, 69 when none does.")

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await runVerb {
            let calls = try CacheCalls(directories: SuiteDirectories(Settings.load(arguments: [])))
            let outcomes = await calls.statistics()
            StandardStreams.writeOutput(
                json
                    ? try CacheText.json(outcomes)
                    : CacheText.table(outcomes, width: StandardStreams.outputColumns ?? 120))
            StandardStreams.writeError(CacheText.failures(outcomes))
            return outcomes.status
        }
    }
}
