/// Body of `POST /v1/books/enrich`: exactly one of `isbn`, `barcode` and `title` (http-api.md "One book").
public struct BookEnrichmentRequest: Codable, Sendable {
    /// The ISBN, in any form.
    public var isbn: String?
    /// The same as `isbn`, under the name that barcode scanners use.
    public var barcode: String?
    /// The title, if there is no ISBN.
    public var title: String?
    /// The author; only together with `title`.
    public var author: String?
    /// Accepted for shipped apps but ignored: sources are always merged by the same rules (metadata.md "Merging").
    public var preferProvider: DataProvider?
    /// The client's own key, with the length and characters of a `jobId`. A repeated request with the same key and book returns the same job
    /// (http-api.md "One book").
    public var idempotencyKey: String?

    /// Creates a request for an ISBN.
    public init(isbn: String) { self.isbn = isbn }
}

/// The `data` of the 200 response to `POST /v1/books/enrich`: the flat members that shipped apps read, and the complete records
/// (http-api.md "One book"). Unknown values are absent.
public struct BookEnrichment: Codable, Sendable, Equatable {
    /// ISBN of the edition, in its 13-digit form if there is one; otherwise the requested ISBN. Absent if neither is known.
    public var isbn: String?
    /// Title of the edition, otherwise of the work.
    public var title: String
    /// Names of the authors, in the work's order.
    public var authors: [String]
    /// The edition's publisher.
    public var publisher: String?
    /// The publication date as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
    public var publishedDate: String?
    /// Number of pages.
    public var pageCount: Int?
    /// The `https` URL of the edition's cover, otherwise of the work's.
    public var coverUrl: String?
    /// Plain-text description of the work, otherwise of the edition.
    public var description: String?
    /// The provider that supplied the match.
    public var provider: DataProvider
    /// When the lookup ended, ISO 8601 with milliseconds.
    public var enrichedAt: String
    /// The complete record of the work.
    public var work: WorkDTO
    /// The requested edition, otherwise the best one found; absent if none is known.
    public var edition: EditionDTO?

    /// Creates a response from a result; nil if the result has no provider.
    public init?(_ found: EnrichedMetadata, asked isbn: String?, enrichedAt: String) {
        guard let provider = found.work.primaryProvider else { return nil }
        let (work, edition) = (found.work, found.edition)
        self.isbn = edition?.isbn ?? isbn
        title = edition?.title ?? work.title
        authors = found.authors.map(\.name)
        publisher = edition?.publisher
        publishedDate = edition?.publicationDate
        pageCount = edition?.pageCount
        coverUrl = edition?.coverImageURL ?? work.coverImageURL
        description = work.description ?? edition?.editionDescription
        self.provider = provider
        self.enrichedAt = enrichedAt
        self.work = work
        self.edition = edition
    }
}
