import ArgumentParser
import ProgressClient
import ServiceKit

/// Options of the verbs that talk to the API.
struct ServerOptions: ParsableArguments {
    @Option(help: "Address of the API (default: BOOKSTRACK_URL, then http://127.0.0.1:8787).")
    var url: String?

    /// Where the API answers.
    func address() throws -> ServerAddress { try ServerAddress(settings()[.url]) }

    /// The settings with the option over them.
    func settings() throws -> Settings {
        try Settings.load(arguments: url.map { ["--url", $0] } ?? [])
    }
}
