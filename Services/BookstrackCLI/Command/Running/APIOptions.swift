import ArgumentParser
import BookstrackContract
import Foundation
import ProgressClient
import ServiceKit

/// Options of the verbs that talk to the API.
struct APIOptions: ParsableArguments {
    @Option(help: "The API's address (default: BOOKSTRACK_URL, else http://127.0.0.1:8787).")
    var url: String?

    @Option(help: "The job's token (default: kept from the start of the job on this account).")
    var token: String?

    func address() throws -> ServerAddress {
        let settings = try Settings.load(arguments: url.map { ["--url", $0] } ?? [])
        return try ServerAddress(settings[.url])
    }

    /// The token given, else the one that was kept when the job was started.
    func token(of job: JobID) throws -> String {
        if let token { return token }
        if let kept = try TokenStore.standard.token(of: job) { return kept }
        throw CommandFailure(
            .notPermitted, "job \(job) was not started from this account, or long ago; give its token with --token")
    }
}
