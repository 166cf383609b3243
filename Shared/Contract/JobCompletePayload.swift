/// `job_complete`: a summary; the results are read with GET (websocket.md "Payloads"). For jobs started by shipped apps, it also contains the
/// results. Members for other kinds of jobs are absent.
public struct JobCompletePayload: FramePayload {
    /// The counts under the names that older clients read.
    public struct Result: Codable, Sendable, Equatable {
        /// Total number of items.
        public var totalBooks: Int
        /// Number of items with a result.
        public var successCount: Int
        /// Number of items without a result.
        public var failureCount: Int
    }

    /// The summary that the newest clients read.
    public struct Summary: Codable, Sendable, Equatable {
        /// Number of finished items; in a completed job, all of them.
        public var totalProcessed: Int
        /// Number of items with a result.
        public var successCount: Int
        /// Number of items without a result.
        public var failureCount: Int
        /// Milliseconds from the first claim (or, if nothing was claimed, from the start request) to the end of the job.
        public var duration: Int
        /// The identifier of the results: `job-results:<jobId>`.
        public var resourceId: String
        /// Text for users; the same as the payload's `userMessage`.
        public var text: String
        /// "n/a" on every pipeline except `ai_scan`: a shipped client that finds no text here assumes a completed scan (websocket.md "Payloads").
        public var totalDetected: ScanCount?
        /// Number of books of a scan that need no review.
        public var approved: Int?
        /// Number of books of a scan that need review.
        public var needsReview: Int?
    }

    /// The number of books in a scan, or "n/a" on other pipelines.
    public enum ScanCount: Codable, Sendable, Equatable {
        case books(Int)
        case notAScan

        /// Decodes a number; any other value means that the job is not a scan.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = (try? container.decode(Int.self)).map { .books($0) } ?? .notAScan
        }

        /// Encodes the number or "n/a".
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .books(let count): try container.encode(count)
            case .notAScan: try container.encode("n/a")
            }
        }
    }

    /// How a scan's photos were read.
    public struct Reading: Codable, Sendable, Equatable {
        /// The model that read the most photos; empty if no photo was read.
        public var modelUsed: String
        /// The same as the payload's `duration`.
        public var processingTime: Int
    }

    /// The members of an imported book that a shipped app reads; the frame contains the whole `ImportedBook` if it fits.
    public struct Book: Codable, Sendable, Equatable {
        /// Title; empty only if the row has an ISBN or another identifier.
        public var title: String
        /// The first author; empty if the row has none.
        public var author: String
        /// The ISBN as 13 digits.
        public var isbn: String?

        /// Creates a book.
        public init(title: String, author: String, isbn: String?) {
            self.title = title
            self.author = author
            self.isbn = isbn
        }
    }

    /// The members of a row error that a shipped app reads.
    public struct RowError: Codable, Sendable, Equatable {
        /// Title of the row; empty if unknown.
        public var title: String
        /// The reason in a sentence.
        public var error: String

        /// Creates an error.
        public init(title: String, error: String) {
            self.title = title
            self.error = error
        }
    }

    /// Always `job_complete`.
    public var type: FrameType
    /// The job's kind, repeated for clients that see only the payload.
    public var pipeline: Pipeline
    /// Path of the results.
    public var resultsUrl: String
    /// When the results are deleted, ISO 8601 with milliseconds.
    public var expiresAt: String
    /// The counts under the names that older clients read.
    public var result: Result
    /// Number of finished items; in a completed job, all of them.
    public var totalProcessed: Int
    /// Number of items with a result.
    public var successCount: Int
    /// Number of items without a result.
    public var failureCount: Int
    /// Failures by reason; absent for an import, and when every item has a result.
    public var failureCounts: FailureCounts?
    /// Milliseconds from the first claim (or, if nothing was claimed, from the start request) to the end of the job.
    public var duration: Int
    /// The summary that the newest clients read.
    public var summary: Summary
    /// Friendly text for users.
    public var userMessage: String
    /// The rows of the results, for jobs started with `X-Client-Version: ios-…`. If they exceed 900 KiB, each row has only title, author, isbn and
    /// success; if that is still too large, the list is empty.
    public var enrichedBooks: [EnrichedBook]?

    /// Number of books in an import (imports.md "Frames").
    public var booksCount: Int?
    /// Rows of an import that became a book or were merged into one, out of all rows that were not skipped: "98/100".
    public var successRate: String?
    /// The linked enrichment of an import.
    public var enrichment: ImportResults.Enrichment?
    /// The books of an import started on the route for shipped apps. If `books` and `errors` exceed 900 KiB, each book has only title, author and
    /// isbn; if that is still too large, both lists are empty.
    public var books: [Book]?
    /// The rows that could not be read as a book, for an import started on the route for shipped apps; shortened like `books`.
    public var errors: [RowError]?

    /// Total number of books in a scan.
    public var totalDetected: Int?
    /// Number of books of the scan that need no review.
    public var approved: Int?
    /// Number of books of the scan that need review.
    public var needsReview: Int?
    /// The same as `totalDetected`, for clients that read snake case.
    public var total_detected: Int?
    /// The same as `needsReview`, for clients that read snake case.
    public var needs_review: Int?
    /// The same as `resultsUrl`, for scan clients that read snake case.
    public var results_url: String?
    /// How a scan's photos were read.
    public var metadata: Reading?

    /// Adds a scan's counts, under every name that clients read, and how its photos were read.
    public mutating func addScan(detected: Int, approved: Int, modelUsed: String) {
        let needsReview = detected - approved
        (totalDetected, total_detected) = (detected, detected)
        self.approved = approved
        (self.needsReview, needs_review) = (needsReview, needsReview)
        results_url = resultsUrl
        metadata = Reading(modelUsed: modelUsed, processingTime: duration)
        summary.totalDetected = .books(detected)
        summary.approved = approved
        summary.needsReview = needsReview
    }

    /// Creates a payload.
    public init(
        jobId: JobID, pipeline: Pipeline, counts: JobCounts, durationMilliseconds: Int, expiresAt: String,
        userMessage: String
    ) {
        type = .jobComplete
        self.pipeline = pipeline
        resultsUrl = APIPath.results(jobId, of: pipeline)
        self.expiresAt = expiresAt
        result = Result(totalBooks: counts.total, successCount: counts.succeeded, failureCount: counts.withoutResult)
        totalProcessed = counts.processed
        successCount = counts.succeeded
        failureCount = counts.withoutResult
        failureCounts = counts.failures.ifAny
        duration = durationMilliseconds
        summary = Summary(
            totalProcessed: counts.processed, successCount: counts.succeeded, failureCount: counts.withoutResult,
            duration: durationMilliseconds, resourceId: "job-results:\(jobId)", text: userMessage,
            totalDetected: pipeline == .aiScan ? nil : ScanCount.notAScan)
        self.userMessage = userMessage
    }
}
