package import BookIdentifiers

/// Paths and queries for Google Books, relative to its base URL (metadata.md "Providers").
package enum GoogleBooksRequests {
    /// Maximum number of results in one response.
    package static let maxResults = 40

    private static let fields =
        "totalItems,items(id,volumeInfo(title,subtitle,authors,publisher,publishedDate,description,"
        + "industryIdentifiers,pageCount,categories,imageLinks,language),saleInfo/isEbook)"

    /// The path and query for volumes with this ISBN.
    package static func isbn(_ isbn: ISBN) -> String {
        volumes("isbn:\(isbn.isbn13)", limit: 5)
    }

    /// The path and query for volumes by title, and by author if one is known. A search by title alone requests more results, because other books may
    /// have the same title.
    package static func titleSearch(title: String, author: String?) -> String {
        search(title: title, author: author, limit: author == nil ? 20 : 10)
    }

    /// The path and query for volumes that match words typed by a user; quotation marks are removed.
    package static func search(_ text: String, limit: Int) -> String {
        volumes(unquoted(text), limit: limit)
    }

    /// The path and query for volumes by title, by the first person of an author cell, or by both.
    package static func search(title: String?, author: String?, limit: Int, startIndex: Int = 0) -> String {
        volumes(terms(title: title, author: author), limit: limit, startIndex: startIndex)
    }

    /// The query for a title, an author, or both. Words are not quoted, because quotation marks would require an exact phrase, but catalogs differ in
    /// word order and in the spacing of names. A field applies only to the word that follows it
    /// (https://developers.google.com/books/docs/v1/using#PerformingSearch), so each word has its own.
    private static func terms(title: String?, author: String?) -> String {
        let words = QueryWords.words(title: title, author: author)
        return (words.title.map { "intitle:\($0)" } + words.name.map { "inauthor:\($0)" }).joined(separator: " ")
    }

    private static func volumes(_ query: String, limit: Int, startIndex: Int = 0) -> String {
        let start = startIndex > 0 ? [("startIndex", String(startIndex))] : []
        let parameters =
            [("q", query), ("maxResults", String(min(limit, maxResults))), ("printType", "books")] + start
            + [("fields", fields)]
        return "/volumes" + PercentEncoding.query(parameters)
    }

    private static func unquoted(_ text: String) -> String { text.filter { $0 != "\"" } }
}
