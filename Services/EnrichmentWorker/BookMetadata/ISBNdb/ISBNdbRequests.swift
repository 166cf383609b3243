package import BookIdentifiers

/// Paths and queries for ISBNdb v2, relative to its base URL (metadata.md "Providers"; https://isbndb.com/isbndb-api-documentation-v2).
package enum ISBNdbRequests {
    /// Maximum number of ISBNs in one bulk call. Every paid plan allows this many: Basic allows 100, Pro and Premium 1 000.
    package static let batchSize = 100

    /// The path of a bulk call.
    package static let bulk = "/books"

    /// The body of a bulk call for editions with these ISBNs.
    package static func bulkBody(_ isbns: [ISBN]) -> String {
        #"{"isbns":["# + isbns.map { "\"\($0.isbn13)\"" }.joined(separator: ",") + "]}"
    }

    /// The path for the edition with this ISBN.
    package static func book(_ isbn: ISBN) -> String { "/book/\(isbn.isbn13)" }

    /// The path and query for editions that match words typed by a user.
    package static func books(_ text: String, limit: Int) -> String {
        "/books/\(PercentEncoding.encode(text))" + PercentEncoding.query([("page", "1"), ("pageSize", String(limit))])
    }

    /// The path and query for editions by title, by the first person of an author cell, or by both. Every word is required.
    package static func books(title: String?, author: String?, limit: Int) -> String {
        let words = QueryWords.words(title: title, author: author)
        return books((words.title + words.name).joined(separator: " "), limit: limit)
    }
}
