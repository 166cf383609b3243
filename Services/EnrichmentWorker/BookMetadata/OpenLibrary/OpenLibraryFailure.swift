/// What an error status of Open Library means.
package enum OpenLibraryFailure: Hashable, Sendable {
    /// The address sent more than the provider allows, or no contact in its `User-Agent` (403).
    case rateLimited
    /// There is no such record.
    case notFound
    /// The provider failed; another try may succeed.
    case unavailable
    /// Any other refusal.
    case refused

    /// Reads the status; Open Library's error bodies are web pages and say nothing more.
    package init(status: Int) {
        switch status {
        case 403, 429: self = .rateLimited
        case 404, 410: self = .notFound
        case 500...: self = .unavailable
        default: self = .refused
        }
    }
}
