import BookstrackClient
import BookstrackContract

/// Why a book has no result or a request failed. Progress, results, exit statuses and JSON use the same words, except that JSON has `notFound`
/// instead of "not found".
enum FailureReason: String, Sendable, CaseIterable {
    /// The server is overloaded, or the job's deadline has passed.
    case busy
    /// A request limit or a provider's quota is exhausted.
    case limited
    /// A service is down or cannot process the request, or a provider failed or did not respond in time.
    case down
    /// The book was not found, or no reason is known.
    case notFound
    /// The request is unusable, for example because it has neither a valid ISBN nor a title.
    case invalid
    /// The job was cancelled, or failed with its import, before the book was processed.
    case cancelled

    /// The reason as shown to users.
    var word: String { self == .notFound ? "not found" : rawValue }

    /// Whether the same request may succeed later.
    var isPassing: Bool {
        switch self {
        case .busy, .limited, .down: true
        case .notFound, .invalid, .cancelled: false
        }
    }

    /// The reason that an item's code stands for.
    init(_ code: ItemErrorCode) {
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

extension BookstrackError {
    /// The code that the server sent; nil if it sent none that is known, or if the response came from something else, such as a proxy.
    var serverCode: APIErrorCode? { isCodeOfStatus ? nil : APIErrorCode(rawValue: code.rawValue) }

    /// Whether the server, or a proxy in front of it, answered with an error status.
    var isRefusal: Bool { status != nil }

    /// Whether the server may have carried out the request although no response arrived.
    var mayHaveArrived: Bool {
        switch cause {
        case .lost, .timedOut: true
        default: false
        }
    }

    /// Why the server refused the request; nil if none of the reasons applies, for example because the request is malformed.
    var reason: FailureReason? {
        switch (serverCode, status) {
        case (.invalidISBN, _), (.invalidQuery, _): .invalid
        case (.quotaExhausted, _), (.rateLimitExceeded, _), (.tooManyConnections, _), (_, 429): .limited
        case (.providerError, _), (.providerTimeout, _), (_, 502), (_, 504): .down
        case (_, 503): details["service"] == nil ? .busy : .down
        default: nil
        }
    }

    /// The service that is down; nil if there is none. A service that states a reason, for example a full disk, is running and does not count.
    var service: String? {
        guard case .text(let name)? = details["service"], details["reason"] == nil else { return nil }
        return name
    }

    /// Seconds to wait before the next attempt; nil if the server does not say.
    var retryAfterSeconds: Int? { retryAfter.map { Int($0.components.seconds) } }

    /// The exhausted limit, in words; nil if the server does not state it.
    private var limit: String? {
        guard case .integer(let requests)? = details["limit"], case .text(let window)? = details["window"] else {
            return nil
        }
        return "at most \(requests) requests per \(window.hasPrefix("1 ") ? String(window.dropFirst(2)) : window)"
    }

    /// The obstacle in a few words, as the start of a sentence about the next step.
    var obstacle: String {
        guard isRefusal else { return message }
        return switch reason {
        case .limited?: "limited: \(limit ?? message)"
        case .down? where details["service"] == nil: "down: \(message)"
        case .down?: service.map { "\($0) is down" } ?? message
        case .busy?: "the server is busy"
        case .invalid?, .notFound?, .cancelled?, nil: description
        }
    }
}
