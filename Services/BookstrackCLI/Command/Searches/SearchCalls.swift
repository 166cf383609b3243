import BookstrackContract
import ProgressClient

/// Sends searches, and waits where the server asks a client to slow down. What fails for another reason fails at once: a person waits.
struct SearchCalls {
    /// A little above the deadline of a search (http-api.md "Searches").
    private static let timeout = Duration.seconds(12)

    let api: APIClient
    var calls = PatientCalls()

    /// Throws `CommandFailure` and what `APIClient` throws; refusals only where they mean "nothing found".
    func answer<Found: Codable & Sendable>(
        to request: SearchRequest, limit: Int?, explained: Bool = false, as type: Found.Type = Found.self
    ) async throws -> APIAnswer<Found> {
        return try await calls.make(.lines) {
            do {
                return try await api.read(
                    request.path(limit: limit, explained: explained), timeout: Self.timeout, as: type)
            } catch let refusal as APIRefusal where refusal.code == .serviceUnavailable {
                throw CommandFailure(refusal).adding("find out what is missing with: bookstrack health api-proxy")
            } catch let refusal as APIRefusal where ![.rateLimitExceeded, .notFound].contains(refusal.code) {
                throw CommandFailure(refusal)
            }
        }
    }
}
