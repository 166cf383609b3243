import BookstrackClient
import BookstrackContract

/// What to search for.
enum SearchRequest: Equatable {
    case isbn(String)
    /// Words of the title; without an author, they may include words of an author's name.
    case title(String, author: String?)
    case author(String)
    case editions(title: String, author: String)

    /// Path and query of the request; without a `limit`, the route uses its default. Searches by ISBN and by title alone take no limit.
    ///
    /// - Parameter explained: Whether a search by title also requests an explanation of how each book matches.
    func path(limit: Int?, explained: Bool = false) -> String {
        let (limit, explain) = (limit.map(String.init), explained ? "true" : nil)
        return switch self {
        case .isbn(let isbn): BookstrackClient.target("/v1/search/isbn", ["isbn": isbn])
        case .title(let title, nil): BookstrackClient.target("/v1/search/title", ["q": title, "explain": explain])
        case .title(let title, let author):
            BookstrackClient.target(
                "/v1/search/advanced", ["title": title, "author": author, "maxResults": limit, "explain": explain])
        case .author(let author):
            BookstrackClient.target("/v1/search/advanced", ["author": author, "maxResults": limit])
        case .editions(let title, let author):
            BookstrackClient.target("/v1/editions/search", ["workTitle": title, "author": author, "limit": limit])
        }
    }

    /// The request, as part of a sentence.
    var phrase: String {
        switch self {
        case .isbn(let isbn): "the ISBN \(isbn)"
        case .title(let title, nil): "the title \"\(title)\""
        case .title(let title, let author?): "the title \"\(title)\" by \(author)"
        case .author(let author): "the author \(author)"
        case .editions(let title, let author): "the editions of \"\(title)\" by \(author)"
        }
    }
}

/// Sends searches. Waits if the server asks the client to slow down, and repeats a search whose response was lost. Any other failure is reported
/// immediately, because a user is waiting.
struct SearchCalls {
    /// Longer than the deadline of a search (http-api.md "Searches"), so that the response to an expired search still arrives.
    private static let timeout = Duration.seconds(12)

    let client: BookstrackClient
    var calls = RetryingCalls()

    /// Makes a search. Throws `CommandFailure` or `BookstrackError`; a `BookstrackError` with the code `NOT_FOUND` means that nothing was found.
    func answer<Found: Codable & Sendable>(
        to request: SearchRequest, limit: Int?, explained: Bool = false, as type: Found.Type = Found.self
    ) async throws -> APIAnswer<Found> {
        return try await calls.make(.lines) {
            do {
                return try await client.answer(
                    to: ClientRequest(
                        "GET", request.path(limit: limit, explained: explained), timeout: Self.timeout), as: type)
            } catch let error as BookstrackError where error.serverCode == .serviceUnavailable {
                throw CommandFailure(error).adding("see which service is unavailable with: bookstrack health api-proxy")
            } catch let error as BookstrackError
                where error.isRefusal && ![.rateLimitExceeded, .notFound].contains(error.serverCode)
            {
                throw CommandFailure(error)
            }
        }
    }
}
