package import BookstrackContract

/// Why a book has no result, or a request no answer: one word for each, the same in progress, results, exit statuses and JSON.
package enum FailureReason: String, Sendable, CaseIterable {
    /// Too much is going on at the moment, or a book's time ran out.
    case busy
    /// A limit of requests, or a provider's quota, is used up.
    case limited
    /// A service or every provider that counts does not answer.
    case down
    /// Every provider really answered that it has no such book.
    case notFound
    /// There is nothing to look for: no usable ISBN and no title.
    case invalid
    /// The job was cancelled before the book's turn.
    case cancelled

    /// The reason as people read it.
    package var word: String { self == .notFound ? "not found" : rawValue }

    /// Whether the same request may succeed later.
    package var isPassing: Bool {
        switch self {
        case .busy, .limited, .down: true
        case .notFound, .invalid, .cancelled: false
        }
    }

    /// Why a book has no result.
    package init(_ code: ItemErrorCode) {
        switch code {
        case .notFound: self = .notFound
        case .invalidISBN: self = .invalid
        case .quotaExhausted: self = .limited
        case .providerError, .providerTimeout: self = .down
        case .cancelled: self = .cancelled
        case .deadlineExceeded: self = .busy
        }
    }
}

extension APIRefusal {
    /// Why the server did not do what was asked; nil when the request itself is to blame.
    package var reason: FailureReason? {
        switch (code, status) {
        case (.invalidISBN, _), (.invalidQuery, _): .invalid
        case (.quotaExhausted, _), (.rateLimitExceeded, _), (.tooManyConnections, _), (_, 429): .limited
        case (.providerError, _), (.providerTimeout, _), (_, 502), (_, 504): .down
        case (_, 503): service == nil ? .busy : .down
        default: nil
        }
    }

    /// The service that is down, when one is.
    package var service: String? {
        guard case .text(let name)? = details["service"] else { return nil }
        return name
    }

    /// The limit that was reached, in words.
    private var limit: String? {
        guard case .integer(let requests)? = details["limit"], case .text(let window)? = details["window"] else {
            return nil
        }
        return "at most \(requests) requests per \(window.hasPrefix("1 ") ? String(window.dropFirst(2)) : window)"
    }

    /// The obstacle in a few words, as the beginning of a sentence about what is done now.
    package var obstacle: String {
        switch reason {
        case .limited?: "limited: \(limit ?? message)"
        case .down?: service.map { "\($0) is down" } ?? "down: \(message)"
        case .busy?: "the server is busy"
        case .invalid?, .notFound?, .cancelled?, nil: "\(self)"
        }
    }
}
