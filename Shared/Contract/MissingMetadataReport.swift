/// `data` of `POST /v1/reports/missing-metadata`: how a report is handled (http-api.md "Reports").
public struct ReportReceipt: Codable, Sendable, Equatable {
    /// How a report is handled.
    public enum Lookup: String, Codable, Sendable, CaseIterable {
        /// The book is looked up afresh, after all other work.
        case scheduled
        /// It was already looked up afresh within a day.
        case recent
        /// This ISBN was not requested within the last day, so the report is only counted.
        case notAsked = "not_asked"
        /// The share of the providers' budgets that is kept for reports is used up for today.
        case budget
    }

    /// The book, as ISBN-13.
    public var isbn: String
    /// The fields that are missing; empty if the report names none.
    public var fields: [BookField]
    /// How the report is handled.
    public var lookup: Lookup

    /// Makes a receipt.
    public init(isbn: String, fields: [BookField], lookup: Lookup) {
        self.isbn = isbn
        self.fields = fields
        self.lookup = lookup
    }
}
