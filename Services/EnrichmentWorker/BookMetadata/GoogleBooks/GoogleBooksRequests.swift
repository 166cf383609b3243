package import BookIdentifiers

/// Paths and queries of Google Books, relative to its base URL (spec/04).
package enum GoogleBooksRequests {
    private static let fields =
        "totalItems,items(id,volumeInfo(title,subtitle,authors,publisher,publishedDate,description,"
        + "industryIdentifiers,pageCount,categories,imageLinks,language),saleInfo/isEbook)"

    /// Volumes with this number.
    package static func isbn(_ isbn: ISBN, key: String?) -> String {
        volumes("isbn:\(isbn.isbn13)", limit: 5, key: key)
    }

    /// Volumes by title, and by author where one is known.
    package static func titleSearch(title: String, author: String?, key: String?) -> String {
        var terms = ["intitle:\"\(unquoted(TitleForms(title).main))\""]
        if let author { terms.append("inauthor:\"\(unquoted(author))\"") }
        return volumes(terms.joined(separator: " "), limit: 10, key: key)
    }

    private static func volumes(_ query: String, limit: Int, key: String?) -> String {
        let parameters = [("q", query), ("maxResults", String(limit)), ("printType", "books"), ("fields", fields)]
        return "/volumes" + PercentEncoding.query(parameters + (key.map { [("key", $0)] } ?? []))
    }

    private static func unquoted(_ text: String) -> String { text.filter { $0 != "\"" } }
}
