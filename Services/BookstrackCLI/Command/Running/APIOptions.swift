import ArgumentParser
import BookstrackContract
import Foundation
import ProgressClient
import ServiceKit

/// Options of verbs for jobs.
struct APIOptions: ParsableArguments {
    @OptionGroup var server: ServerOptions

    @Option(help: "Token of the job (default: the one saved when the job was started from this account).")
    var token: String?

    /// The address for new jobs.
    func address() throws -> ServerAddress { try server.address() }

    /// The address of a job's API.
    func address(of job: JobID) throws -> ServerAddress {
        try Self.address(server.settings(), kept: try? tokens.entry(of: job))
    }

    /// Calls the API of a job.
    func callAPI<Value>(of job: JobID, _ call: (APIClient) async throws -> Value) async throws -> Value {
        let client = HTTPClient(address: try address(of: job))
        do {
            let value = try await call(APIClient(client))
            await client.shutdown()
            return value
        } catch {
            await client.shutdown()
            throw error
        }
    }

    /// The address from the settings, otherwise the one at which the job was started from this account.
    static func address(_ settings: Settings, kept: SavedTokens.Entry?) throws -> ServerAddress {
        let isDefault = settings.effective.contains { $0.name == SettingKey.url.name && $0.source == .fallback }
        return try ServerAddress(isDefault ? kept?.url ?? settings[.url] : settings[.url])
    }

    /// The given token, else the one stored when the job was started.
    func token(of job: JobID) throws -> String {
        if let token { return token }
        if let kept = try tokens.entry(of: job) { return kept.token }
        throw CommandFailure(
            .notPermitted, "no saved token for job \(job); pass it with --token")
    }

    private var tokens: SavedTokens { .standard }
}

/// Options of verbs that call the API.
struct ServerOptions: ParsableArguments {
    @Option(help: "Address of the API (default: BOOKSTRACK_URL, then http://127.0.0.1:8787).")
    var url: String?

    /// The address of the API.
    func address() throws -> ServerAddress { try ServerAddress(settings()[.url]) }

    /// The settings, overridden by the option.
    func settings() throws -> Settings {
        try Settings.load(arguments: url.map { ["--url", $0] } ?? [])
    }
}
