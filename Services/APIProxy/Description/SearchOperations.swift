import BookstrackContract
import HTTPTypes

/// The searches (http-api.md "Routes").
enum SearchOperations {
    fileprivate static let failures: [APIErrorCode] = [
        .invalidQuery, .providerError, .quotaExhausted, .serviceUnavailable, .providerTimeout,
    ]

    private static let title = Schema.text(.init(length: 0...200))
    private static let author = Schema.text(.init(length: 0...300))

    private static let explain = Parameter.query(
        "explain", .flag, "Whether the response explains each work's rank in `matching`; false by default.")

    static let all: [APIOperation] = [
        APIOperation(
            method: .get, paths: ["/v1/search/isbn"], id: "searchByISBN", group: .search,
            summary: "Find a book by its ISBN",
            parameters: [
                .query(
                    "isbn", "ISBN-10 or ISBN-13; hyphens and spaces are ignored.", isRequired: true,
                    example: "9780441172719")
            ],
            answers: [.envelope(200, .searchResults, "The book; empty lists if unknown.").cached],
            failures: failures + [.invalidISBN]),
        APIOperation(
            method: .get, paths: ["/v1/search/title"], id: "searchByTitle", group: .search,
            summary: "Find books by title",
            parameters: [
                .query(
                    "q", .text(.init(length: 2...200)), "At least two characters.", isRequired: true, example: "Dune"),
                explain,
            ],
            answers: [.envelope(200, .searchResults, "At most 20 works, best first.").cached], failures: failures),
        APIOperation(
            method: .get, paths: ["/v1/search/advanced"], id: "searchAdvanced", group: .search,
            summary: "Find books by title and author", notes: "Provide at least one of `title`, `author` and `isbn`.",
            parameters: [
                .query("title", title, "Part of the title.", example: "Dune"),
                .query("author", author, "Part of the author's name.", example: "Herbert"),
                .query("isbn", "An ISBN; takes precedence over title and author."),
                .query("maxResults", .integer(1...40), "Maximum number of works; at most 20 are returned."),
                explain,
            ],
            answers: [.envelope(200, .searchResults, "At most 20 works, best first.").cached],
            failures: failures + [.invalidISBN]),
        APIOperation(
            method: .get, paths: ["/v1/editions/search"], id: "searchEditions", group: .search,
            summary: "Find the editions of a work",
            parameters: [
                .query("workTitle", title, "Title of the work.", isRequired: true, example: "Dune"),
                .query("author", author, "Author of the work.", isRequired: true, example: "Frank Herbert"),
                .query("limit", .integer(1...50), "Maximum number of editions."),
            ],
            answers: [.envelope(200, .editionResults, "Most complete first.").cached], failures: failures + [.notFound]),
    ]
}

/// The deprecated searches (http-api.md "Deprecated searches").
enum LegacySearchOperations {
    private static let maxResults = Parameter.query("maxResults", .integer(1...40), "Maximum number of items.")

    static let all: [APIOperation] = [
        search(
            "/search/title", "legacySearchByTitle", "Find books by title",
            [.query("q", "Part of the title.", isRequired: true, example: "Dune"), maxResults]),
        search(
            "/search/isbn", "legacySearchByISBN", "Find a book by its ISBN",
            [
                .query("isbn", "The ISBN.", example: "9780441172719"),
                .query("q", "The ISBN, as an alternative to `isbn`."),
                maxResults,
            ],
            failures: [.invalidISBN]),
        search(
            "/search/author", "legacySearchByAuthor", "Find an author's books",
            [
                .query("q", "The author's name.", isRequired: true, example: "Frank Herbert"),
                .query("limit", .integer(1...100), "Maximum number of items."),
                .query("offset", .count, "Number of items to skip."),
                .query(
                    "sortBy", .choice(["publicationYear", "publicationYearAsc", "title", "popularity"]), "Sort order."),
            ]),
        search(
            "/search/advanced", "legacySearchAdvanced", "Find books by title and author",
            [
                .query("title", "Part of the title.", example: "Dune"), .query("bookTitle", "Same as `title`."),
                .query("author", "Part of the author's name."), .query("authorName", "Same as `author`."),
                .query("isbn", "The ISBN."), maxResults,
            ], failures: [.invalidISBN]),
    ]

    private static func search(
        _ path: String, _ id: String, _ summary: String, _ parameters: [Parameter], failures: [APIErrorCode] = []
    ) -> APIOperation {
        APIOperation(
            method: .get, paths: [path], id: id, group: .deprecated, summary: summary,
            notes: "Responses have the format of Google Books, without an envelope.", parameters: parameters,
            answers: [
                OperationAnswer(status: 200, meaning: "The matching volumes.", schema: .named(.volumeList)).cached
            ],
            failures: failures + SearchOperations.failures, isDeprecated: true)
    }
}
