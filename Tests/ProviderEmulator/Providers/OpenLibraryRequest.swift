import BookIdentifiers

/// A request to Open Library's Web API (https://openlibrary.org/developers/api).
enum OpenLibraryRequest: Equatable, Sendable {
    enum Command: String, Sendable {
        case details
        case data
        case viewAPI = "viewapi"
    }

    /// `/api/books`; a key is what stood in `bibkeys`, with its ISBN or edition key.
    case books([BibKey], Command, json: Bool)
    /// `/search.json` by ISBNs.
    case worksOf([ISBN], fields: FieldMask, limit: Int)
    /// `/search.json` by words.
    case search(TitleIndex.Query, fields: FieldMask, offset: Int, limit: Int)
    case isbn(ISBN?)
    case edition(key: String)
    case work(key: String)
    case author(key: String)
    case unknown

    struct BibKey: Equatable, Sendable {
        enum Book: Equatable, Sendable {
            case isbn(ISBN)
            case edition(key: String)
        }

        let text: String
        let book: Book
    }

    /// What `search.json` answers when `fields` is not given; neither ISBNs nor subjects are among it.
    static let standardFields = FieldMask(names: [
        "author_key", "author_name", "cover_i", "edition_count", "first_publish_year", "key", "language", "title",
    ])

    /// - Parameter target: The target without the provider's prefix.
    init(_ target: RequestTarget) {
        switch target.components {
        case ["api", "books"]: self = Self.books(target)
        case ["search.json"]: self = Self.search(target)
        default:
            guard target.components.count == 2, target.components[1].hasSuffix(".json") else {
                self = .unknown
                return
            }
            let name = String(target.components[1].dropLast(".json".count))
            switch target.components[0] {
            case "isbn": self = .isbn(ISBN(name))
            case "books": self = .edition(key: "/books/\(name)")
            case "works": self = .work(key: "/works/\(name)")
            case "authors": self = .author(key: "/authors/\(name)")
            default: self = .unknown
            }
        }
    }

    /// The ISBNs asked for.
    var isbns: [ISBN] {
        switch self {
        case .books(let keys, _, _):
            keys.compactMap { key in
                if case .isbn(let isbn) = key.book { isbn } else { nil }
            }
        case .worksOf(let isbns, _, _): isbns
        case .isbn(let isbn): isbn.map { [$0] } ?? []
        default: []
        }
    }

    private static func books(_ target: RequestTarget) -> Self {
        let keys = (target["bibkeys"] ?? "").split(separator: ",").compactMap { text -> BibKey? in
            let parts = text.split(separator: ":", maxSplits: 1)
            switch (parts.first?.uppercased(), parts.last) {
            case ("ISBN", let number?) where parts.count == 2:
                return ISBN(String(number)).map { BibKey(text: String(text), book: .isbn($0)) }
            case ("OLID", let id?) where parts.count == 2:
                return BibKey(text: String(text), book: .edition(key: "/books/\(id)"))
            default:
                return ISBN(String(text)).map { BibKey(text: String(text), book: .isbn($0)) }
            }
        }
        let command = target["jscmd"].flatMap { Command(rawValue: $0.lowercased()) } ?? .viewAPI
        return .books(keys, command, json: target["format"] == "json")
    }

    private static func search(_ target: RequestTarget) -> Self {
        let fields = target["fields"].map { FieldMask($0) } ?? standardFields
        let limit = target.count("limit", in: 0...1000, standard: 100)
        let text = target["q"] ?? target["isbn"].map { "isbn:\($0)" } ?? ""
        let isbns = SearchText.isbns(in: text)
        if !isbns.isEmpty { return .worksOf(isbns, fields: fields, limit: limit) }
        var query = SearchText.query(text, titleField: "title:", authorField: "author:")
        query.title += " " + (target["title"] ?? "")
        query.author += " " + (target["author"] ?? "")
        let offset = target.count("offset", in: 0...1_000_000, standard: 0)
        return .search(query.trimmed, fields: fields, offset: offset, limit: limit)
    }
}
