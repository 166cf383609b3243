package import BookIdentifiers

/// Paths and queries of Google Books, relative to its base URL (spec/04).
package enum GoogleBooksRequests {
    /// What the provider sends at most, whatever is asked.
    package static let mostResults = 40

    private static let fields =
        "totalItems,items(id,volumeInfo(title,subtitle,authors,publisher,publishedDate,description,"
        + "industryIdentifiers,pageCount,categories,imageLinks,language),saleInfo/isEbook)"

    /// Volumes with this number.
    package static func isbn(_ isbn: ISBN, key: String?) -> String {
        volumes("isbn:\(isbn.isbn13)", limit: 5, key: key)
    }

    /// Volumes by title, and by author where one is known.
    package static func titleSearch(title: String, author: String?, key: String?) -> String {
        search(title: title, author: author, limit: 10, key: key)
    }

    /// Volumes that answer what somebody typed.
    package static func search(_ text: String, limit: Int, startIndex: Int = 0, key: String? = nil) -> String {
        volumes(unquoted(text), limit: limit, startIndex: startIndex, key: key)
    }

    /// Volumes by title, by author, or by both.
    package static func search(
        title: String?, author: String?, limit: Int, startIndex: Int = 0, key: String? = nil
    ) -> String {
        volumes(terms(title: title, author: author), limit: limit, startIndex: startIndex, key: key)
    }

    private static func terms(title: String?, author: String?) -> String {
        let title = title.map { "intitle:\"\(unquoted(TitleForms($0).main))\"" }
        let author = author.map { "inauthor:\"\(unquoted($0))\"" }
        return [title, author].compactMap(\.self).joined(separator: " ")
    }

    private static func volumes(_ query: String, limit: Int, startIndex: Int = 0, key: String?) -> String {
        let start = startIndex > 0 ? [("startIndex", String(startIndex))] : []
        let parameters =
            [("q", query), ("maxResults", String(min(limit, mostResults))), ("printType", "books")] + start
            + [("fields", fields)]
        return "/volumes" + PercentEncoding.query(parameters + (key.map { [("key", $0)] } ?? []))
    }

    private static func unquoted(_ text: String) -> String { text.filter { $0 != "\"" } }
}
