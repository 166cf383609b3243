import BookIdentifiers
import BookstrackContract
import SuiteMethods

/// The query of a search, validated (http-api.md "Routes").
struct SearchParameters {
    /// Maximum number of works in a response of `/v1`; the default number of items in other responses.
    static let maxWorks = 20

    private static let titleLengths = 2...200
    private static let maxAuthorLength = 300
    private static let editionLimits = 1...50
    /// Valid values of `maxResults`; responses of `/v1` have at most ``maxWorks`` works anyway.
    private static let resultLimits = 1...40

    let items: QueryItems

    init(uri: String) { items = QueryItems(uri: uri) }

    /// The query of `GET /v1/search/isbn`.
    func isbn() throws(APIFailure) -> SearchQuery {
        SearchQuery(.isbn, isbn: try isbn(required("isbn")), limit: 1)
    }

    /// The query of `GET /v1/search/title`.
    func title() throws(APIFailure) -> SearchQuery { try explained(title(limit: Self.maxWorks)) }

    /// The query of `GET /v1/search/advanced`.
    func advanced() throws(APIFailure) -> SearchQuery {
        try explained(advanced(title: "title", author: "author", limit: min(try maxResults(), Self.maxWorks)))
    }

    /// Applies `explain=true`, which makes a search with a title explain the rank of each work. It has no effect on a search by ISBN or only by
    /// author.
    private func explained(_ query: SearchQuery) throws(APIFailure) -> SearchQuery {
        guard let text = items["explain"] else { return query }
        guard ["true", "false"].contains(text) else { throw Self.refusal("explain", "must be true or false") }
        var query = query
        query.isExplained = text == "true" && query.title != nil ? true : nil
        return query
    }

    /// The query for the title in `q`; if the title is a valid ISBN, it is looked up as an ISBN (http-api.md "Routes").
    func title(limit: Int) throws(APIFailure) -> SearchQuery {
        if let parsed = items["q"].flatMap({ try? ISBN.parse($0) }), parsed.repair == nil {
            return SearchQuery(.isbn, isbn: parsed.isbn.isbn13, limit: 1)
        }
        guard let title = try title("q") else { throw Self.refusal("q", "is missing") }
        return SearchQuery(.title, title: title, limit: limit)
    }

    /// The query for the title and author in the parameters with these names. An ISBN takes precedence over the other fields (metadata.md "Lookup").
    func advanced(title: String, author: String, limit: Int) throws(APIFailure) -> SearchQuery {
        if let byNumber = try byNumber() { return byNumber }
        let title = text(title)?.isEmpty == false ? try self.title(title) : nil
        let author = try self.author(author)
        guard title != nil || author != nil else {
            throw APIFailure(.invalidQuery, "At least one of title, author and isbn is required.")
        }
        return SearchQuery(.advanced, title: title, author: author, limit: limit)
    }

    /// The query for the ISBN in `isbn`; nil if the parameter is missing or empty.
    func byNumber() throws(APIFailure) -> SearchQuery? {
        guard let text = items["isbn"], !text.isEmpty else { return nil }
        return SearchQuery(.isbn, isbn: try isbn(text), limit: 1)
    }

    /// The value of `maxResults`; if it is absent, ``maxWorks``.
    func maxResults() throws(APIFailure) -> Int {
        try number("maxResults", in: Self.resultLimits) ?? Self.maxWorks
    }

    /// The query of `GET /v1/editions/search`.
    func editions() throws(APIFailure) -> SearchQuery {
        guard let title = try title("workTitle") else { throw Self.refusal("workTitle", "is missing") }
        guard let author = try author("author") else { throw Self.refusal("author", "is missing") }
        let limit = try number("limit", in: Self.editionLimits) ?? Self.maxWorks
        return SearchQuery(.editions, title: title, author: author, limit: limit)
    }

    /// The text of a required ISBN parameter; an empty one counts as present.
    func required(_ name: String) throws(APIFailure) -> String {
        guard let text = items[name] else {
            throw APIFailure(.invalidISBN, "\(name) is missing.", details: ["parameter": .text(name)])
        }
        return text
    }

    /// The ISBN-13 for an ISBN in any of the forms in metadata.md "ISBN" that need no repair.
    func isbn(_ text: String) throws(APIFailure) -> String {
        let parsed: ParsedISBN
        do throws(ISBNError) {
            parsed = try ISBN.parse(text)
        } catch {
            throw Self.invalidISBN(text, error.sentence)
        }
        if parsed.repair != nil { throw Self.invalidISBN(text, "Leading zeros are missing.") }
        return parsed.isbn.isbn13
    }

    /// The title in a parameter, with whitespace collapsed; nil if the parameter is missing. An empty title is too short.
    func title(_ name: String) throws(APIFailure) -> String? {
        guard let text = text(name) else { return nil }
        guard Self.titleLengths.contains(text.count), TextLimit(characters: Self.titleLengths.upperBound).admits(text)
        else { throw Self.refusal(name, "must have 2 to 200 characters") }
        return text
    }

    /// The author in a parameter, with whitespace collapsed; nil if the parameter is missing or blank.
    func author(_ name: String) throws(APIFailure) -> String? {
        guard let text = text(name), !text.isEmpty else { return nil }
        guard TextLimit(characters: Self.maxAuthorLength).admits(text) else {
            throw Self.refusal(name, "must have at most \(Self.maxAuthorLength) characters")
        }
        return text
    }

    /// Refuses a malformed number for every search, even if the parameter is not used (http-api.md "Validation").
    func checkNumbers() throws(APIFailure) {
        for name in ["limit", "maxResults", "offset"] {
            if let text = items[name], Int(text) == nil { throw Self.refusal(name, "must be a number") }
        }
    }

    func number(_ name: String, in range: ClosedRange<Int>) throws(APIFailure) -> Int? {
        guard let text = items[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Self.refusal(name, "must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    static func refusal(_ name: String, _ rule: String) -> APIFailure {
        APIFailure(.invalidQuery, "\(name) \(rule).", details: ["parameter": .text(name)])
    }

    private func text(_ name: String) -> String? {
        items[name]?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func invalidISBN(_ text: String, _ reason: String) -> APIFailure {
        APIFailure(
            .invalidISBN, "Not a valid ISBN: \(reason.prefix(1).lowercased() + reason.dropFirst())",
            details: ["isbn": .text(String(text.prefix(64))), "reason": .text(reason)])
    }
}
