import BookstrackClient
import BookstrackContract
import Foundation

@testable import BookstrackCLI

extension BookstrackError {
    /// An error response from the server, or, if it has no code, from a proxy in front of the server.
    static func refusal(
        status: Int, code: APIErrorCode?, message: String = "m", details: [String: DetailValue] = [:],
        retryAfterSeconds: Int? = nil
    ) -> BookstrackError {
        guard let code else { return BookstrackError(ClientAnswer(status: status)) }
        return BookstrackError(
            Code(code), message, status: status, details: details,
            retryAfter: retryAfterSeconds.map { .seconds($0) })
    }

    /// A connection failure.
    static func failure(_ failure: TransportFailure) -> BookstrackError { BookstrackError(failure) }
}

extension BookstrackClient {
    /// A client of a server on this machine, with pauses of at most 2 ms.
    static func loopback(port: Int, tokens: any TokenStore = MemoryTokenStore()) throws -> BookstrackClient {
        var policy = FollowPolicy.commandLine
        (policy.firstPause, policy.longestPause) = (.milliseconds(1), .milliseconds(2))
        return BookstrackClient(try ServerAddress(host: "127.0.0.1", port: port), tokens: tokens, policy: policy)
    }
}
