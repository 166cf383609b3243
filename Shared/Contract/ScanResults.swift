/// The `data` of `GET /v1/scan/results/{jobId}` (scans.md "Results").
public struct ScanResults: Codable, Sendable, Equatable {
    /// How the photos were read.
    public struct Reading: Codable, Sendable, Equatable {
        /// The model that read the photos; if there were several, the one that read the most.
        public var modelUsed: String
        /// Milliseconds from the first claim to the end of the scan.
        public var processingTime: Int
        /// Number of books for which a provider has metadata.
        public var enrichedCount: Int
        /// When the scan ended, ISO 8601 with milliseconds.
        public var timestamp: String

        /// Creates a summary.
        public init(modelUsed: String, processingTime: Int, enrichedCount: Int, timestamp: String) {
            self.modelUsed = modelUsed
            self.processingTime = processingTime
            self.enrichedCount = enrichedCount
            self.timestamp = timestamp
        }
    }

    /// The job's identifier.
    public var jobId: JobID
    /// Revision of the results: 1 when the job ends, and increased whenever a retry or a fact found later changes a book or a photo.
    public var resultsRevision: Int
    /// When the results are deleted, ISO 8601 with milliseconds.
    public var expiresAt: String
    /// Total number of books.
    public var totalDetected: Int
    /// Number of books that need no review.
    public var approved: Int
    /// Number of books that need review.
    public var needsReview: Int
    /// The books in the order in which they were read; those of a photo that a retry has read come last.
    public var books: [ScannedBook]
    /// All photos of the scan, in order.
    public var photos: [ScannedPhoto]
    /// How the photos were read.
    public var metadata: Reading

    /// Creates results; the counts are derived from `books`.
    public init(
        jobId: JobID, resultsRevision: Int, expiresAt: String, books: [ScannedBook], photos: [ScannedPhoto],
        metadata: Reading
    ) {
        self.jobId = jobId
        self.resultsRevision = resultsRevision
        self.expiresAt = expiresAt
        totalDetected = books.count
        approved = books.count { $0.reviewStatus == .verified }
        needsReview = totalDetected - approved
        self.books = books
        self.photos = photos
        self.metadata = metadata
    }
}

/// A photo of a scan.
public struct ScannedPhoto: Codable, Sendable, Equatable {
    /// The states of a photo. It is first `queued`, then usually `processing`, and finally `complete` or `error`; only a retry requeues it (scans.md
    /// "Life").
    public enum Status: String, Codable, Sendable, CaseIterable {
        case queued
        case processing
        case complete
        case error

        /// Whether the state is final.
        public var isOver: Bool { self == .complete || self == .error }
    }

    /// Index among the photos, from 0.
    public var index: Int
    /// The state of the photo.
    public var status: Status
    /// Number of spines read in the photo.
    public var booksFound: Int
    /// Why the photo could not be read, as text for users; absent unless `status` is `error`.
    public var error: String?
    /// Width in pixels, as displayed; absent if unknown.
    public var width: Int?
    /// Height in pixels, as displayed; absent if unknown.
    public var height: Int?
    /// Name of the engine that read the photo; absent if none has.
    public var engine: String?

    /// Creates a photo that has not been read.
    public init(index: Int) {
        self.index = index
        status = .queued
        booksFound = 0
    }
}

/// A book in a photo (scans.md "Results").
public struct ScannedBook: Codable, Sendable, Equatable {
    /// The book's metadata from the providers, under the names that clients read.
    public struct Enrichment: Codable, Sendable, Equatable {
        /// The members that the first clients read; unknown values are absent.
        public struct Facts: Codable, Sendable, Equatable {
            /// Title of the work.
            public var title: String
            /// Names of the authors.
            public var authors: [String]
            /// The ISBN of the edition.
            public var isbn: String?
            /// URL of the edition's cover, otherwise of the work's.
            public var coverUrl: String?
            /// The edition's publisher.
            public var publisher: String?
            /// Publication year of the edition, otherwise of the work.
            public var publicationYear: String?
        }

        /// Always "success".
        public var status: String
        /// The work, with the position of its spine.
        public var work: WorkDTO
        /// The edition that was found, or a placeholder without ISBN and title if none is known, as a list with one entry.
        public var editions: [EditionDTO]
        /// The work's authors, otherwise the author read from the spine; never empty.
        public var authors: [AuthorDTO]
        /// A summary of the same metadata.
        public var apiData: Facts
    }

    /// Bindings as defined by scan clients.
    public enum Format: String, Codable, Sendable {
        case hardcover
        case paperback
        case massMarket = "mass-market"
        case unknown
    }

    /// Whether a provider has the book; a book that has not been looked up, or whose lookup failed, is `failed`.
    public enum EnrichmentStatus: String, Codable, Sendable {
        case success
        case notFound = "not_found"
        case failed
    }

    /// A verified book with at least this confidence needs no review.
    public static let sureConfidence = 0.7

    /// Index of the photo, from 0.
    public var photoIndex: Int
    /// Title of the match, otherwise as read from the spine.
    public var title: String
    /// Author of the match, otherwise as read from the spine; empty if neither is known.
    public var author: String
    /// ISBN of the match; absent if the book was not found or no ISBN of it is known.
    public var isbn: String?
    /// The words that the engine read on the spine, on one line.
    public var text: String
    /// Confidence from 0 to 1.
    public var confidence: Double
    /// Position of the spine in the photo.
    public var boundingBox: BoundingBox
    /// `verified` for an approved book, otherwise `needsReview`.
    public var reviewStatus: ReviewStatus
    /// Binding of the edition that was found; `unknown` if it is not one of the others.
    public var format: Format
    /// Whether a provider has the book.
    public var enrichmentStatus: EnrichmentStatus
    /// The book's metadata; absent if the book was not found.
    public var enrichment: Enrichment?
    /// Up to three candidates, if the words on the spine are ambiguous or match no book.
    public var candidates: [EnrichedMetadata]?
    /// Why there is no match, in words; absent if there is one.
    public var error: String?
    /// The reason as a stable code; absent if there is a match.
    public var errorCode: ItemErrorCode?
    /// Whether a retry may succeed; present on failure.
    public var retryable: Bool?

    /// Creates a book from a spine that has not been looked up yet.
    public init(_ spine: DetectedSpine, photo: Int) {
        photoIndex = photo
        title = spine.displayTitle
        author = spine.author ?? ""
        text = spine.words ?? [spine.title, spine.author].compactMap(\.self).joined(separator: " ")
        confidence = spine.confidence
        boundingBox = spine.box
        reviewStatus = .needsReview
        format = .unknown
        enrichmentStatus = .failed
    }

    /// Adds the metadata from a provider.
    ///
    /// - Parameters:
    ///   - found: The match.
    ///   - path: Path of the photo.
    ///   - isVerified: Whether the match is verified.
    public mutating func add(_ found: EnrichedMetadata, photo path: String, isVerified: Bool) {
        var work = found.work
        work.boundingBox = boundingBox
        work.originalImagePath = path
        reviewStatus = isVerified && confidence >= Self.sureConfidence ? .verified : .needsReview
        work.reviewStatus = reviewStatus
        let edition = found.edition ?? .unknown
        let names = found.authors.map(\.name)
        title = work.title
        author = names.first ?? author
        isbn = edition.isbn ?? isbn
        format = Format(edition)
        enrichmentStatus = .success
        enrichment = Enrichment(
            status: "success", work: work, editions: [edition],
            authors: found.authors.isEmpty ? [AuthorDTO(name: author)] : found.authors,
            apiData: Enrichment.Facts(
                title: title, authors: names, isbn: isbn, coverUrl: edition.coverImageURL ?? work.coverImageURL,
                publisher: edition.publisher,
                publicationYear: edition.publicationDate.map { String($0.prefix(4)) }
                    ?? work.firstPublicationYear.map(String.init)))
    }
}

extension EditionDTO {
    /// The placeholder for a match whose edition is not known.
    fileprivate static let unknown = {
        var edition = EditionDTO(isbns: [], format: .paperback)
        edition.formatInferred = true
        return edition
    }()
}

extension ScannedBook.Format {
    fileprivate init(_ edition: EditionDTO) {
        self =
            switch edition.format {
            case _ where edition.formatInferred == true: .unknown
            case .hardcover: .hardcover
            case .paperback: .paperback
            case .massMarket: .massMarket
            case .ebook, .audiobook: .unknown
            }
    }
}
