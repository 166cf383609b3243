import BookIdentifiers

/// A fault and the requests to which it applies. In JSON, it is a flat object:
///
/// `{"provider":"openlibrary","isbn":"9780441172719","path":"search.json","kind":"slow","milliseconds":300,"times":2,"probability":0.5}`
///
/// Only `kind` is required in every rule. Instead of `isbn`, a rule may have an `author` (the name in the search), an `entity` (`Q42`) or a `cover`
/// (its number, or the volume ID of a Google cover). `slow` needs `milliseconds`; `status` needs `code` (200 to 599) and may have `retryAfter`
/// (seconds); `quota` may have `code` (by default 429); `redirect` needs `location`; `huge` and `bomb` may have `megabytes` (by default 20).
/// `crowded` may have `limit` (by default 3). For engines, `answers` needs `text`, and `finish` and `blocked` need `reason`. `unknownLocation`
/// affects only requests without a country, and `invalidKey` only requests with a key. A rule without `times` applies until it is replaced.
struct FaultRule: Equatable, Sendable {
    let provider: Provider?
    /// The key that the request must contain; nil if its keys do not matter.
    let key: AskedKey?
    /// Text that the request's path and query must contain.
    let path: String?
    let fault: Fault
    /// Maximum number of times that the fault occurs; nil for no limit.
    let times: Int?
    /// Probability that the fault occurs, from 0 to 1.
    let probability: Double

    init(
        _ fault: Fault, provider: Provider? = nil, key: AskedKey? = nil, path: String? = nil, times: Int? = nil,
        probability: Double = 1
    ) {
        self.provider = provider
        self.key = key
        self.path = path
        self.fault = fault
        self.times = times
        self.probability = probability
    }
}

extension FaultRule: Decodable {
    private enum CodingKeys: String, CodingKey {
        case provider, isbn, author, entity, cover, path, kind, milliseconds, code, retryAfter, location, megabytes,
            limit, text, reason, times, probability
    }

    private static let maximumMegabytes = 1024

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try Self.fault(in: container),
            provider: try container.decodeIfPresent(Provider.self, forKey: .provider),
            key: try Self.key(in: container),
            path: try container.decodeIfPresent(String.self, forKey: .path),
            times: try container.decodeIfPresent(Int.self, forKey: .times),
            probability: try container.decodeIfPresent(Double.self, forKey: .probability) ?? 1)
    }

    private static func key(in container: KeyedDecodingContainer<CodingKeys>) throws -> AskedKey? {
        if let isbn = try container.decodeIfPresent(ISBN.self, forKey: .isbn) { return .isbn(isbn) }
        if let name = try container.decodeIfPresent(String.self, forKey: .author) { return .author(name.folded) }
        if let entity = try container.decodeIfPresent(String.self, forKey: .entity) { return .entity(entity) }
        return try container.decodeIfPresent(String.self, forKey: .cover).map { .cover($0) }
    }

    private static func fault(in container: KeyedDecodingContainer<CodingKeys>) throws -> Fault {
        func bytes() throws -> Int {
            let megabytes = try container.decodeIfPresent(Int.self, forKey: .megabytes) ?? 20
            guard (1...maximumMegabytes).contains(megabytes) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .megabytes, in: container, debugDescription: "1 to \(maximumMegabytes)")
            }
            return megabytes * 1_048_576
        }
        func status(_ code: Int) throws -> Int {
            guard (200...599).contains(code) else {
                throw DecodingError.dataCorruptedError(forKey: .code, in: container, debugDescription: "200 to 599")
            }
            return code
        }
        switch try container.decode(Fault.Kind.self, forKey: .kind) {
        case .slow: return .slow(.milliseconds(try container.decode(Int.self, forKey: .milliseconds)))
        case .status:
            return .status(
                try status(try container.decode(Int.self, forKey: .code)),
                retryAfter: try container.decodeIfPresent(Int.self, forKey: .retryAfter))
        case .quota:
            return .quota(status: try status(try container.decodeIfPresent(Int.self, forKey: .code) ?? 429))
        case .redirect: return .redirect(location: try container.decode(String.self, forKey: .location))
        case .garbage: return .garbage
        case .reset: return .reset
        case .hang: return .hang
        case .stall: return .stall
        case .truncate: return .truncate
        case .huge: return .huge(bytes: try bytes())
        case .bomb: return .bomb(GzipBomb(spaces: try bytes()))
        case .wrongBook: return .wrongBook
        case .missing: return .missing
        case .unknownLocation: return .unknownLocation
        case .invalidKey: return .invalidKey
        case .tooManyValues: return .tooManyValues
        case .unservedRegion: return .unservedRegion
        case .answers: return .engine(.answers(try container.decode(String.self, forKey: .text)))
        case .finish: return .engine(.finish(reason: try container.decode(String.self, forKey: .reason)))
        case .blocked: return .engine(.blocked(reason: try container.decode(String.self, forKey: .reason)))
        case .empty: return .engine(.empty)
        case .crowded: return .crowded(limit: try container.decodeIfPresent(Int.self, forKey: .limit) ?? 3)
        }
    }
}
