import BookstrackContract
import HTTPTypes

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
                .query("isbn", "The ISBN.", example: "9780441172719"), .query("q", "The ISBN, as an alternative."),
                maxResults,
            ],
            failures: [.invalidISBN]),
        search(
            "/search/author", "legacySearchByAuthor", "Find the books of an author",
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
                .query("title", "Part of the title.", example: "Dune"), .query("bookTitle", "The same as title."),
                .query("author", "Part of the author's name."), .query("authorName", "The same as author."),
                .query("isbn", "The ISBN."), maxResults,
            ], failures: [.invalidISBN]),
    ]

    private static func search(
        _ path: String, _ id: String, _ summary: String, _ parameters: [Parameter], failures: [APIErrorCode] = []
    ) -> APIOperation {
        APIOperation(
            method: .get, paths: [path], id: id, group: .deprecated, summary: summary,
            notes: "Responses have the shape of Google Books, without an envelope.", parameters: parameters,
            answers: [Answer(status: 200, meaning: "What was found.", schema: .named(.volumeList))],
            failures: failures + [
                .invalidQuery, .providerError, .quotaExhausted, .serviceUnavailable, .providerTimeout,
            ], isDeprecated: true)
    }
}
