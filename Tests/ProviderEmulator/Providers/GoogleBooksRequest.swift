import BookIdentifiers

/// A request to the Google Books API v1 (https://developers.google.com/books/docs/v1/using).
enum GoogleBooksRequest: Equatable, Sendable {
    struct Page: Equatable, Sendable {
        let start: Int
        /// At most 40, ten unless asked for.
        let count: Int
    }

    case volumesOf([ISBN], FieldMask, Page)
    case search(TitleIndex.Query, FieldMask, Page)
    case volume(id: String, FieldMask)
    /// `volumes` without `q`.
    case withoutQuery
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
            let page = Page(
                start: target.count("startIndex", in: 0...1_000_000, standard: 0),
                count: target.count("maxResults", in: 0...40, standard: 10))
            if text.lowercased().contains("isbn:") {
                self = .volumesOf(SearchText.isbns(in: text), fields, page)
            } else {
                let query = SearchText.query(text, titleField: "intitle:", authorField: "inauthor:")
                self = .search(query.trimmed, fields, page)
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
        case .search(let query, _, _): query.authorKeys
        default: []
        }
    }
}
