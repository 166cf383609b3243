/// `data` of `GET /v1/scan/results/{jobId}` (scans.md "Results").
public struct ScanResults: Codable, Sendable, Equatable {
    /// How the photos were read.
    public struct Reading: Codable, Sendable, Equatable {
        /// The model that read the photos; of several models, the one that read the most.
        public var modelUsed: String
        /// Milliseconds from the first claim to the end.
        public var processingTime: Int
        /// Books that a provider knows.
        public var enrichedCount: Int
        /// When the scan ended, ISO 8601 with milliseconds.
        public var timestamp: String

        /// Makes a summary.
        public init(modelUsed: String, processingTime: Int, enrichedCount: Int, timestamp: String) {
            self.modelUsed = modelUsed
            self.processingTime = processingTime
            self.enrichedCount = enrichedCount
            self.timestamp = timestamp
        }
    }

    /// The job.
    public var jobId: JobID
    /// Increases whenever a later success or a new fact changes a book.
    public var resultsRevision: Int
    /// When the results are deleted, ISO 8601 with milliseconds.
    public var expiresAt: String
    /// Books in all.
    public var totalDetected: Int
    /// Books that need no review.
    public var approved: Int
    /// All others.
    public var needsReview: Int
    /// The books in the order of the photos.
    public var books: [ScannedBook]
    /// The photos.
    public var photos: [ScannedPhoto]
    /// How they were read.
    public var metadata: Reading

    /// Makes results; the counts are those of `books`.
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
    /// The states of a photo, each of which only leads to the next ones (scans.md "Life").
    public enum Status: String, Codable, Sendable, CaseIterable {
        case queued
        case processing
        case complete
        case error

        /// Whether the photo is not read any more.
        public var isOver: Bool { self == .complete || self == .error }
    }

    /// Index among the photos, from 0.
    public var index: Int
    /// State.
    public var status: Status
    /// Spines that were read on it.
    public var booksFound: Int
    /// Why it could not be read, in a sentence.
    public var error: String?
    /// Width in pixels, as displayed.
    public var width: Int?
    /// Height in pixels, as displayed.
    public var height: Int?
    /// The engine that read it.
    public var engine: String?

    /// Makes a photo that has not been read.
    public init(index: Int) {
        self.index = index
        status = .queued
        booksFound = 0
    }
}

/// A book on a photo (scans.md "Results").
public struct ScannedBook: Codable, Sendable, Equatable {
    /// What providers know of the book, under the names that clients read.
    public struct Enrichment: Codable, Sendable, Equatable {
        /// What the first clients read.
        public struct Facts: Codable, Sendable, Equatable {
            /// Title of the work.
            public var title: String
            /// Names of the authors.
            public var authors: [String]
            /// The number of the edition.
            public var isbn: String?
            /// Address of a cover.
            public var coverUrl: String?
            /// The publisher.
            public var publisher: String?
            /// Year of the edition, else of the work.
            public var publicationYear: String?
        }

        /// Always "success".
        public var status: String
        /// The work, with the place of its spine.
        public var work: WorkDTO
        /// At least one.
        public var editions: [EditionDTO]
        /// At least one.
        public var authors: [AuthorDTO]
        /// The same in short.
        public var apiData: Facts
    }

    /// Bindings as the clients of scans know them.
    public enum Format: String, Codable, Sendable {
        case hardcover
        case paperback
        case massMarket = "mass-market"
        case unknown
    }

    /// Whether a book was found at a provider.
    public enum EnrichmentStatus: String, Codable, Sendable {
        case success
        case notFound = "not_found"
        case failed
    }

    /// From this confidence on, a verified book needs no review.
    public static let sureConfidence = 0.7

    /// Index of the photo, from 0.
    public var photoIndex: Int
    /// Title of the match, else as read.
    public var title: String
    /// Author of the match, else as read; empty when neither is known.
    public var author: String
    /// The number of the match, else a valid one that was read.
    public var isbn: String?
    /// The text on the spine, as the engine read it.
    public var text: String
    /// From 0 to 1.
    public var confidence: Double
    /// Where the spine is.
    public var boundingBox: BoundingBox
    /// `verified` for an approved book, else `needsReview`.
    public var reviewStatus: ReviewStatus
    /// Binding.
    public var format: Format
    /// Whether it was found.
    public var enrichmentStatus: EnrichmentStatus
    /// What is known of it; absent if it was not found.
    public var enrichment: Enrichment?
    /// Up to three books that it may be, if the words on the spine are ambiguous or name no book.
    public var candidates: [EnrichedMetadata]?
    /// Why it was not found, in a sentence.
    public var error: String?
    /// The stable code behind `error`.
    public var errorCode: ItemErrorCode?
    /// Whether a retry can succeed; present on failure.
    public var retryable: Bool?

    /// A spine that has not been looked up yet.
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

    /// Adds what a provider knows.
    ///
    /// - Parameters:
    ///   - found: The match.
    ///   - path: Where the photo is read.
    ///   - isVerified: Whether the match is beyond doubt.
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
    /// Used if a work is known, but no edition of it.
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
