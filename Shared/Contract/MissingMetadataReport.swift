/// The `data` of `POST /v1/reports/missing-metadata`: how a report is handled (http-api.md "Reports").
public struct ReportReceipt: Codable, Sendable, Equatable {
    /// How a report is handled.
    public enum Lookup: String, Codable, Sendable, CaseIterable {
        /// The book will be looked up again, after all other work.
        case scheduled
        /// An earlier report already led to a new lookup within the last day.
        case recent
        /// The ISBN is not looked up again, because no search or job has requested or returned it within the last day. The report is recorded only
        /// if the server still has a record of the ISBN, for example because an earlier lookup failed.
        case notAsked = "not_asked"
        /// The share of today's provider budgets that is available for reports is exhausted.
        case budget
    }

    /// ISBN of the book, as 13 digits.
    public var isbn: String
    /// The missing fields; empty if the report specifies none.
    public var fields: [BookField]
    /// How the report is handled.
    public var lookup: Lookup

    /// Creates a receipt.
    public init(isbn: String, fields: [BookField], lookup: Lookup) {
        self.isbn = isbn
        self.fields = fields
        self.lookup = lookup
    }
}
