import ArgumentParser
import BookstrackClient
import BookstrackContract
import Foundation
import ServiceKit

/// Options of commands that work on jobs.
struct APIOptions: ParsableArguments {
    @OptionGroup var server: ServerOptions

    @Option(help: "Token of the job (default: the one saved when the job was started from this account).")
    var token: String?

    /// A client of the jobs' API, with the jobs' known tokens.
    func client(of jobs: [JobID], policy: FollowPolicy = .commandLine) async throws -> BookstrackClient {
        let known = MemoryTokenStore()
        for job in jobs { if let token = try? token(of: job) { await known.save(token, of: job) } }
        let kept = ((try? tokens.entries()) ?? []).filter { jobs.contains($0.jobId) }
        return BookstrackClient(try Self.address(server.settings(), kept: kept), tokens: known, policy: policy)
    }

    /// The address in the settings or, if that is the default, the address at which this account started the jobs, as far as known. Throws
    /// `CommandFailure` if there are several, because one server must not receive the tokens of another.
    static func address(_ settings: Settings, kept: [SavedTokens.Entry]) throws -> ServerAddress {
        let isDefault = settings.effective.contains { $0.name == SettingKey.url.name && $0.source == .fallback }
        guard isDefault, let first = kept.first else { return try ServerAddress(settings[.url]) }
        if let other = kept.first(where: { $0.url != first.url }) {
            throw CommandFailure(
                .usage,
                """
                job \(first.jobId.short) was started at \(first.url) and job \(other.jobId.short) at \(other.url): use a separate command \
                for each, or --url if both addresses are the same server's
                """)
        }
        return try ServerAddress(first.url)
    }

    /// The token given on the command line, otherwise the one saved when the job was started. Throws `CommandFailure` if there is none, or if the
    /// saved tokens cannot be read.
    func token(of job: JobID) throws -> String {
        if let token { return token }
        if let kept = try tokens.entry(of: job) { return kept.token }
        throw CommandFailure(
            .notPermitted, "no saved token for job \(job); pass its token with --token")
    }

    private var tokens: SavedTokens { .standard }
}

/// Options of commands that call the API.
struct ServerOptions: ParsableArguments {
    @Option(
        help: """
            Address of the API (default: BOOKSTRACK_URL, then the address at which a given job was started, then \
            http://127.0.0.1:8787).
            """)
    var url: String?

    /// The address of the API.
    ///
    /// - Parameter resumed: The server to which the list being resumed was submitted; used unless the option names another.
    func address(resumed: ServerAddress? = nil) throws -> ServerAddress {
        if url == nil, let resumed { return resumed }
        return try ServerAddress(settings()[.url])
    }

    /// A client of the API that saves the tokens of the jobs that it starts.
    ///
    /// - Parameter resumed: See ``address(resumed:)``.
    func client(_ output: ProgressOutput, resumed: ServerAddress? = nil) throws -> BookstrackClient {
        let address = try address(resumed: resumed)
        return BookstrackClient(address, tokens: RunTokens(.standard, at: address) { output.note($0) })
    }

    /// The settings, overridden by the option.
    func settings() throws -> Settings {
        try Settings.load(arguments: url.map { ["--url", $0] } ?? [])
    }
}
