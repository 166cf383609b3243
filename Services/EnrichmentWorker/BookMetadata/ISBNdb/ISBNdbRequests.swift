package import BookIdentifiers

/// Paths and queries of ISBNdb v2, relative to its base URL (spec/04; https://isbndb.com/isbndb-api-documentation-v2).
package enum ISBNdbRequests {
    /// The edition with this number.
    package static func book(_ isbn: ISBN) -> String { "/book/\(isbn.isbn13)" }

    /// Editions that answer what somebody typed.
    package static func books(_ text: String, limit: Int) -> String {
        "/books/\(PercentEncoding.encode(text))" + PercentEncoding.query([("page", "1"), ("pageSize", String(limit))])
    }
}
