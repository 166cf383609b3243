import BookstrackClient
import BookstrackContract
import Foundation

/// The tokens that a command needs: those saved for the account, and those of the jobs that it starts itself.
///
/// A token that cannot be saved does not end the run: it is kept in memory, and a warning is printed.
actor RunTokens: TokenStore {
    private let saved: SavedTokens
    private let address: ServerAddress
    private let warn: @Sendable (String) -> Void
    private var tokens: [JobID: String] = [:]

    /// - Parameter address: The address of the API that starts the jobs of the run.
    init(_ saved: SavedTokens, at address: ServerAddress, warn: @escaping @Sendable (String) -> Void) {
        self.saved = saved
        self.address = address
        self.warn = warn
    }

    func token(of job: JobID) -> String? { tokens[job] ?? (try? saved.entry(of: job))?.token }

    func save(_ token: String, of job: JobID) {
        tokens[job] = token
        do {
            try saved.keep(.init(jobId: job, token: token, url: "\(address)", startedAt: Date.now.ISO8601Format()))
        } catch {
            warn(SavedTokens.warning(of: job, CommandFailure(error)))
        }
    }

    func remove(_ job: JobID) { tokens[job] = nil }

    func removeAll() { tokens = [:] }
}

extension BookstrackClient {
    /// The client of a command. By default, it follows jobs as an interactive user expects: a server that cannot be reached at the start is reported
    /// immediately; one that does not answer, or cannot be reached later, is reported after a few minutes.
    init(_ address: ServerAddress, tokens: any TokenStore, policy: FollowPolicy = .commandLine) {
        self.init(
            transport: NetworkTransport(baseURL: address.url, userAgent: "bookstrack"), tokens: tokens, policy: policy)
    }
}

extension FollowPolicy {
    /// Gives up immediately if the server is unreachable at the start, and otherwise once more than 20 consecutive attempts have brought no event. If
    /// the server has become unreachable, this takes about four minutes.
    static var commandLine: FollowPolicy {
        var policy = FollowPolicy()
        policy.waitsForServer = false
        policy.attemptLimit = 20
        return policy
    }
}
