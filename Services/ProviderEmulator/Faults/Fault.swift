/// Something a provider is told to do wrong.
enum Fault: Equatable, Sendable {
    /// Answers later than usual.
    case slow(Duration)
    /// Answers with this status, and with `Retry-After` in seconds if given.
    case status(Int, retryAfter: Int?)
    /// Answers as when the day's quota is used up.
    case quota(status: Int)
    /// Redirects elsewhere.
    case redirect(location: String)
    /// Answers 200 with a page that says to be JSON, or a picture.
    case garbage
    /// Resets the connection instead of answering (TCP RST).
    case reset
    /// Never answers.
    case hang
    /// Sends the head and half of the body, then nothing.
    case stall
    /// Sends the head and half of the body, then closes.
    case truncate
    /// Sends the answer after this many bytes of white space, pictures before it, without saying how long it is.
    case huge(bytes: Int)
    /// Sends a small gzip body that unpacks to a very large one.
    case bomb(GzipBomb)
    /// Answers another book, person or picture under the key.
    case wrongBook
    /// Does not know the key.
    case missing
    /// Google cannot place the client: what names no `country` is refused.
    case unknownLocation
    /// The key is wrong: what carries one is refused.
    case invalidKey
    /// Takes fewer values in one request; a rule's `path` says which requests have too many.
    case tooManyValues
    /// Answers 429 to a request that comes while this many are being answered.
    case crowded(limit: Int)
    /// An engine does not serve the client's country.
    case unservedRegion
    /// An engine answers something else.
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
