package import BookstrackContract
import JSONRPC

/// Reports that a book lacks metadata (http-api.md "Reports"). Repeating a report counts it again, but causes at most one lookup a day.
///
/// Application errors: `INVALID_ISBN`; `SERVICE_UNAVAILABLE` if enrichment-worker cannot use its cache.
package enum ReportMissingMetadata: RPCMethod {
    package static let name = "reports.missingMetadata"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
    /// Maximum length of a note in characters.
    package static let noteLimit = 500

    package struct Parameters: Codable, Sendable {
        /// The book's ISBN, in any form that needs no repair.
        package var isbn: String
        /// The missing fields; may be empty.
        package var fields: [BookField]
        /// The reader's note; at most ``noteLimit`` characters.
        package var note: String?

        package init(isbn: String, fields: [BookField] = [], note: String? = nil) {
            self.isbn = isbn
            self.fields = fields
            self.note = note
        }
    }

    package typealias Result = ReportReceipt
}

/// Reads the ISBNs that failed or were reported, newest failure or report first.
///
/// Application errors: `SERVICE_UNAVAILABLE` if enrichment-worker cannot use its cache.
package enum ReadFailingISBNs: RPCMethod {
    package static let name = "isbns.failing"
    package static let isIdempotent = true
    package static let deadline = Duration.seconds(5)
    /// Maximum number of ISBNs in a response.
    package static let maxCount = 1_000

    package struct Parameters: Codable, Sendable {
        /// Maximum number of ISBNs to return, from 1 to ``ReadFailingISBNs/maxCount``.
        package var limit: Int

        package init(limit: Int) { self.limit = limit }
    }

    package struct Result: Codable, Sendable, Equatable {
        package var isbns: [FailingISBN]
        /// Number of ISBNs that failed or were reported, including those beyond `limit`.
        package var total: Int

        package init(isbns: [FailingISBN], total: Int) {
            self.isbns = isbns
            self.total = total
        }
    }
}

/// An ISBN for which no book was found, or whose book lacks metadata. Times are seconds since 1970.
package struct FailingISBN: Codable, Sendable, Equatable {
    /// The ISBN as 13 digits.
    package var isbn: String
    /// Number of failed lookups since the last lookup that found the book.
    package var attempts: Int
    /// Why the last of these lookups failed; nil if there are none.
    package var code: ItemErrorCode?
    /// When the first of these lookups failed; nil if there are none.
    package var firstFailedAt: Int?
    /// When the last of these lookups failed; nil if there are none.
    package var lastFailedAt: Int?
    /// Number of reports.
    package var reports: Int
    /// The fields that were reported missing.
    package var fields: [BookField]
    /// The note of the last report that contained one.
    package var note: String?
    /// When the last report was received; nil if there is none.
    package var reportedAt: Int?

    package init(isbn: String, attempts: Int, reports: Int, fields: [BookField]) {
        self.isbn = isbn
        self.attempts = attempts
        self.reports = reports
        self.fields = fields
    }
}
