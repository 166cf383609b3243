/// The `data` of `POST /v1/reports/missing-metadata`: how a report is handled (http-api.md "Reports").
public struct ReportReceipt: Codable, Sendable, Equatable {
    /// How a report is handled.
    public enum Lookup: String, Codable, Sendable, CaseIterable {
        /// The book will be looked up again, after all other work.
        case scheduled
        /// An earlier report already led to a new lookup within the last day.
        case recent
        /// No search or job requested or returned the ISBN within the last day, so it is not looked up again. The report is recorded if the
        /// ISBN is still known, for example because an earlier lookup of it failed.
        case notAsked = "not_asked"
        /// The share of today's provider budgets that is available for reports is exhausted.
        case budget
    }

    /// The book, as ISBN-13.
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
