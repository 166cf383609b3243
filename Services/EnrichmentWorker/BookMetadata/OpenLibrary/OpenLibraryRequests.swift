package import BookIdentifiers

/// Paths and queries of Open Library, relative to its base URL (metadata.md "Lookup").
package enum OpenLibraryRequests {
    /// Most numbers in one request, as the provider's maintainers advise.
    package static let batchSize = 25

    static let searchFields = [
        "key", "title", "subtitle", "author_name", "author_key", "first_publish_year", "isbn", "cover_i",
        "cover_edition_key", "subject", "language", "number_of_pages_median",
    ].joined(separator: ",")

    /// Editions of up to `batchSize` numbers.
    package static func details(_ isbns: [ISBN]) -> String {
        details(bibkeys: isbns.map { "ISBN:\($0.isbn13)" })
    }

    /// Editions of up to `batchSize` edition keys such as `OL7353617M`.
    package static func details(editionKeys: [String]) -> String {
        details(bibkeys: editionKeys.map { "OLID:\($0)" })
    }

    /// Work facts of up to `batchSize` numbers in one search.
    package static func workFacts(_ isbns: [ISBN]) -> String {
        let alternatives = isbns.map(\.isbn13).joined(separator: " OR ")
        return search([("q", "isbn:(\(alternatives))")], limit: isbns.count * 2)
    }

    /// Works by title, and by author where one is known; of a title alone more, since other books share it.
    package static func titleSearch(title: String, author: String?) -> String {
        search(title: title, author: author, limit: author == nil ? 20 : 10)
    }

    /// The record of a work key such as `OL45804W`.
    package static func work(_ key: String) -> String {
        "/works/\(PercentEncoding.encode(key)).json"
    }

    /// What the search index has of up to `batchSize` works by their keys; unlike the records, it names their authors. The index knows
    /// works by path (https://openlibrary.org/search/howto).
    package static func works(_ keys: [String]) -> String {
        let alternatives = keys.map { "\"/works/\($0)\"" }.joined(separator: " OR ")
        return search([("q", "key:(\(alternatives))")], limit: keys.count)
    }

    private static func details(bibkeys: [String]) -> String {
        "/api/books"
            + PercentEncoding.query([
                ("bibkeys", bibkeys.joined(separator: ",")), ("jscmd", "details"), ("format", "json"),
            ])
    }

    static func search(
        _ parameters: [(String, String)], fields: String = searchFields, limit: Int
    ) -> String {
        "/search.json" + PercentEncoding.query(parameters + [("fields", fields), ("limit", String(limit))])
    }
}
