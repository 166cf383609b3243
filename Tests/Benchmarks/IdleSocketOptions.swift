import ArgumentParser
import SuiteFixture

/// How many sockets a benchmark holds open, and on how many jobs.
struct IdleSocketOptions: ParsableArguments {
    @Option(help: "Sockets; each process may open 20 000 files.")
    var sockets = 10_000
    @Option(help: "Jobs they are spread over.")
    var jobs = 1_000

    /// Of a suite that takes so many from one address.
    func suite(logLevel: String) -> Suite.Options {
        Suite.Options(settings: [
            "BOOKSTRACK_MAX_SOCKETS_PER_ADDRESS": "20000", "BOOKSTRACK_LOG_LEVEL": logLevel,
        ])
    }
}
