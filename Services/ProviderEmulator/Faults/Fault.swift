/// A fault that a provider simulates.
enum Fault: Equatable, Sendable {
    /// Answers this much later than usual.
    case slow(Duration)
    /// Answers with this status and, if specified, the number of seconds after which to retry, in `Retry-After`. Gemini states it in the body
    /// instead, and only with 429.
    case status(Int, retryAfter: Int?)
    /// Answers with this status as if the daily quota were exhausted; engines always use 429.
    case quota(status: Int)
    /// Redirects to another location.
    case redirect(location: String)
    /// Answers with status 200 and an HTML page that is declared as JSON or as an image.
    case garbage
    /// Resets the connection instead of answering (TCP RST).
    case reset
    /// Never answers.
    case hang
    /// Sends the head and half of the body, then nothing more.
    case stall
    /// Sends the head and half of the body, then closes the connection.
    case truncate
    /// Adds this many bytes of white space before the body (after it for images), without a `Content-Length`.
    case huge(bytes: Int)
    /// Sends a small gzip body that decompresses to a very large one.
    case bomb(GzipBomb)
    /// Answers with a book, person or image other than the one for the key.
    case wrongBook
    /// Answers as if the key were unknown.
    case missing
    /// Google cannot determine the client's country: requests without `country` are refused.
    case unknownLocation
    /// The API key is wrong: requests with a key are refused.
    case invalidKey
    /// Refuses a request because it has too many values; the rule's `path` selects the requests.
    case tooManyValues
    /// Answers with 429 if a request arrives while this many are in progress.
    case crowded(limit: Int)
    /// An engine does not serve the client's country.
    case unservedRegion
    /// An engine sends a faulty response.
    case engine(EngineFault)

    /// The name in rules, in the log and in the statistics.
    var kind: Kind {
        switch self {
        case .slow: .slow
        case .status: .status
        case .quota: .quota
        case .redirect: .redirect
        case .garbage: .garbage
        case .reset: .reset
        case .hang: .hang
        case .stall: .stall
        case .truncate: .truncate
        case .huge: .huge
        case .bomb: .bomb
        case .wrongBook: .wrongBook
        case .missing: .missing
        case .unknownLocation: .unknownLocation
        case .invalidKey: .invalidKey
        case .tooManyValues: .tooManyValues
        case .crowded: .crowded
        case .unservedRegion: .unservedRegion
        case .engine(.answers): .answers
        case .engine(.finish): .finish
        case .engine(.blocked): .blocked
        case .engine(.empty): .empty
        }
    }

    enum Kind: String, CaseIterable, Codable, Sendable {
        case slow, status, quota, redirect, garbage, reset, hang, stall, truncate, huge, bomb, wrongBook, missing,
            unknownLocation, invalidKey, tooManyValues, crowded, unservedRegion, answers, finish, blocked, empty
    }
}
