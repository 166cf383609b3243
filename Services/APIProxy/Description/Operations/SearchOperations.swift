import BookstrackContract
import HTTPTypes

/// The searches (http-api.md "Routes").
enum SearchOperations {
    private static let failures: [APIErrorCode] = [
        .invalidQuery, .providerError, .quotaExhausted, .serviceUnavailable, .providerTimeout,
    ]

    private static let title = Schema.text(.init(length: 0...200))
    private static let author = Schema.text(.init(length: 0...200))

    private static let explain = Parameter.query(
        "explain", .flag, "Whether `matching` explains the rank of each work; false by default.")

    static let all: [APIOperation] = [
        APIOperation(
            method: .get, paths: ["/v1/search/isbn"], id: "searchByISBN", group: .search,
            summary: "Find a book by its ISBN",
            parameters: [
                .query(
                    "isbn", "ISBN-10 or ISBN-13; hyphens and spaces are ignored.", isRequired: true,
                    example: "9780441172719")
            ],
            answers: [.envelope(200, .searchResults, "The book; empty lists if unknown.")],
            failures: failures + [.invalidISBN]),
        APIOperation(
            method: .get, paths: ["/v1/search/title"], id: "searchByTitle", group: .search,
            summary: "Find books by title",
            parameters: [
                .query(
                    "q", .text(.init(length: 2...200)), "At least two characters.", isRequired: true, example: "Dune"),
                explain,
            ],
            answers: [.envelope(200, .searchResults, "At most 20 works, best first.")], failures: failures),
        APIOperation(
            method: .get, paths: ["/v1/search/advanced"], id: "searchAdvanced", group: .search,
            summary: "Find books by title and author", notes: "Provide at least one of `title`, `author` and `isbn`.",
            parameters: [
                .query("title", title, "Part of the title.", example: "Dune"),
                .query("author", author, "Part of the author's name.", example: "Herbert"),
                .query("isbn", "Takes precedence over title and author."),
                .query("maxResults", .integer(1...40), "Maximum number of works; more than 20 are never returned."),
                explain,
            ],
            answers: [.envelope(200, .searchResults, "At most 20 works, best first.")],
            failures: failures + [.invalidISBN]),
        APIOperation(
            method: .get, paths: ["/v1/editions/search"], id: "searchEditions", group: .search,
            summary: "Find the editions of a work",
            parameters: [
                .query("workTitle", title, "Title of the work.", isRequired: true, example: "Dune"),
                .query("author", author, "Author of the work.", isRequired: true, example: "Frank Herbert"),
                .query("limit", .integer(1...50), "Maximum number of editions."),
            ],
            answers: [.envelope(200, .editionResults, "Most complete first.")], failures: failures + [.notFound]),
    ]
}
