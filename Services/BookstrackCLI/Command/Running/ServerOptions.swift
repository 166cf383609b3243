import ArgumentParser
import ProgressClient
import ServiceKit

/// Options of the verbs that talk to the API.
struct ServerOptions: ParsableArguments {
    @Option(help: "The API's address (default: BOOKSTRACK_URL, else http://127.0.0.1:8787).")
    var url: String?

    /// Where the API answers.
    func address() throws -> ServerAddress { try ServerAddress(settings()[.url]) }

    /// The settings with the option over them.
    func settings() throws -> Settings {
        try Settings.load(arguments: url.map { ["--url", $0] } ?? [])
    }
}
