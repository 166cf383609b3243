package import BookstrackContract
import JSONRPC

/// Reports missing metadata of a book (http-api.md "Reports"). Two identical reports are counted twice but cause only one lookup.
///
/// Application errors: `INVALID_ISBN`, `SERVICE_UNAVAILABLE`.
package enum ReportMissingMetadata: RPCMethod {
    package static let name = "reports.missingMetadata"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
    /// Maximum characters of a note.
    package static let noteLimit = 500

    package struct Parameters: Codable, Sendable {
        /// The book, in any form that needs no repair.
        package var isbn: String
        /// The missing fields; may be empty.
        package var fields: [BookField]
        /// What the reader says about it.
        package var note: String?

        package init(isbn: String, fields: [BookField] = [], note: String? = nil) {
            self.isbn = isbn
            self.fields = fields
            self.note = note
        }
    }

    package typealias Result = ReportReceipt
}

/// The ISBNs that fail repeatedly or were reported, those with the newest failure or report first.
///
/// Application errors: `SERVICE_UNAVAILABLE`.
package enum ReadFailingISBNs: RPCMethod {
    package static let name = "isbns.failing"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
    /// Maximum number of ISBNs in an answer.
    package static let maxCount = 1_000

    package struct Parameters: Codable, Sendable {
        /// Number of ISBNs, from 1 to ``ReadFailingISBNs/maxCount``.
        package var limit: Int

        package init(limit: Int) { self.limit = limit }
    }

    package struct Result: Codable, Sendable, Equatable {
        package var isbns: [FailingISBN]
        /// Number of ISBNs that are kept.
        package var total: Int

        package init(isbns: [FailingISBN], total: Int) {
            self.isbns = isbns
            self.total = total
        }
    }
}

/// An ISBN without a book, or with one that lacks something. Times are seconds since 1970.
package struct FailingISBN: Codable, Sendable, Equatable {
    /// As ISBN-13.
    package var isbn: String
    /// Failed lookups since the last one that found the book.
    package var attempts: Int
    /// Why the last of them failed.
    package var code: ItemErrorCode?
    /// When the first of them failed.
    package var firstFailedAt: Int?
    /// When the last of them failed.
    package var lastFailedAt: Int?
    /// Number of reports.
    package var reports: Int
    /// The fields that the reports name.
    package var fields: [BookField]
    /// The note of the last report that has one.
    package var note: String?
    /// When the last report came.
    package var reportedAt: Int?

    package init(isbn: String, attempts: Int, reports: Int, fields: [BookField]) {
        self.isbn = isbn
        self.attempts = attempts
        self.reports = reports
        self.fields = fields
    }
}
