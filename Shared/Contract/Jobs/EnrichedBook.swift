/// One row of `enrichedBooks`: the asked row echoed, then what was found or why nothing was (http-api.md "Results").
public struct EnrichedBook: Codable, Sendable, Equatable {
    /// Title as asked.
    public var title: String?
    /// Author as asked.
    public var author: String?
    /// ISBN as asked.
    public var isbn: String?
    /// Work identifier as asked.
    public var workId: String?
    /// Whether `enriched` is present.
    public var success: Bool
    /// How the row was matched; present on success.
    public var matchedBy: MatchKind?
    /// What was repaired in the asked ISBN, in words, when it was.
    public var isbnRepair: String?
    /// What was found; present on success.
    public var enriched: EnrichedMetadata?
    /// A sentence; present on failure.
    public var error: String?
    /// The stable code behind `error`.
    public var errorCode: ItemErrorCode?
    /// Whether a retry may succeed; present on failure.
    public var retryable: Bool?
    /// Up to three near misses of a title search, kept for review (metadata.md "Lookup").
    public var candidates: [EnrichedMetadata]?

    /// Makes a row that has no outcome yet.
    public init(asked query: BookQuery, success: Bool) {
        title = query.title
        author = query.author
        isbn = query.isbn
        workId = query.workId
        self.success = success
    }
}
