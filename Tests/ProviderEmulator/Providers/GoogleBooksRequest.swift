import BookIdentifiers

/// A request to the Google Books API v1 (https://developers.google.com/books/docs/v1/using).
enum GoogleBooksRequest: Equatable, Sendable {
    /// Pages above this are refused.
    private static let maximumResults = 40

    enum Order: String, Sendable {
        case relevance
        case newest
    }

    case volumesOf([ISBN], FieldMask, ResultPage)
    case search(TitleIndex.Query, FieldMask, Order, ResultPage)
    case volume(id: String, FieldMask)
    /// `volumes` without `q`.
    case withoutQuery
    /// `maxResults` or `startIndex` out of range.
    case wrongPage
    case unknown

    /// - Parameter target: The target without the provider's prefix.
    init(_ target: RequestTarget) {
        let fields = target["fields"].map { FieldMask($0) } ?? .everything
        switch target.components {
        case ["books", "v1", "volumes"]:
            guard let text = target["q"], !text.isEmpty else {
                self = .withoutQuery
                return
            }
            guard let page = Self.page(target) else {
                self = .wrongPage
                return
            }
            if text.lowercased().contains("isbn:") {
                self = .volumesOf(SearchText.isbns(in: text), fields, page)
            } else {
                let query = SearchText.query(text, titleField: "intitle:", authorField: "inauthor:")
                let order = target["orderBy"].flatMap { Order(rawValue: $0) } ?? .relevance
                self = .search(query.trimmed, fields, order, page)
            }
        case let path where path.count == 4 && path.starts(with: ["books", "v1", "volumes"]):
            self = .volume(id: path[3], fields)
        default: self = .unknown
        }
    }

    /// What is asked about.
    var keys: [AskedKey] {
        switch self {
        case .volumesOf(let isbns, _, _): isbns.map { .isbn($0) }
        case .search(let query, _, _, _): query.authorKeys
        default: []
        }
    }

    /// Ten results unless asked for; nil when out of range.
    private static func page(_ target: RequestTarget) -> ResultPage? {
        let start = target["startIndex"].map { Int($0) } ?? 0
        let count = target["maxResults"].map { Int($0) } ?? 10
        guard let start, let count, start >= 0, (0...maximumResults).contains(count) else { return nil }
        return ResultPage(offset: start, limit: count)
    }
}
