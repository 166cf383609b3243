import BookIdentifiers

/// A request to Open Library's Web API (https://openlibrary.org/developers/api).
enum OpenLibraryRequest: Equatable, Sendable {
    enum Command: String, Sendable {
        case details
        case data
        case viewAPI = "viewapi"
    }

    /// `/api/books`; each key is a string from `bibkeys` with its ISBN or edition key.
    case books([BibKey], Command, json: Bool)
    /// `/search.json`
    case search(OpenLibrarySearch)
    /// `/search.json` with a `q` that is refused for this reason
    case refusedSearch(String)
    /// `/search/authors.json?q=` with a name
    case authors(String, ResultPage)
    /// `/search/authors.json` with `q=key:(…)`, for keys such as `/authors/OL26320A`
    case authorsByKey([String], ResultPage)
    case isbn(ISBN?)
    case edition(key: String)
    case work(key: String)
    /// `/works/OL…W/editions.json`
    case editions(workKey: String, ResultPage)
    case author(key: String)
    /// `/authors/OL…A/works.json`
    case works(authorKey: String, ResultPage)
    case unknown

    struct BibKey: Equatable, Sendable {
        enum Book: Equatable, Sendable {
            case isbn(ISBN)
            case edition(key: String)
        }

        let text: String
        let book: Book
    }

    /// - Parameter target: The target without the provider's prefix.
    init(_ target: RequestTarget) {
        let path = target.components
        switch (path.first, path.last) {
        case ("api", "books") where path.count == 2: self = Self.books(target)
        case (_, "search.json") where path.count == 1:
            self =
                OpenLibrarySearch.refusal(of: target).map { .refusedSearch($0) } ?? .search(OpenLibrarySearch(target))
        case ("search", "authors.json") where path.count == 2:
            self = Self.authorSearch(target["q"] ?? "", Self.page(target, limit: 100))
        case ("works", "editions.json") where path.count == 3:
            self = .editions(workKey: "/works/\(path[1])", Self.page(target, limit: 50))
        case ("authors", "works.json") where path.count == 3:
            self = .works(authorKey: "/authors/\(path[1])", Self.page(target, limit: 50))
        case (let kind?, let file?) where path.count == 2 && file.hasSuffix(".json"):
            self = Self.document(kind, name: String(file.dropLast(".json".count)))
        default: self = .unknown
        }
    }

    var keys: [AskedKey] {
        switch self {
        case .books(let keys, _, _):
            keys.compactMap { key in
                if case .isbn(let isbn) = key.book { .isbn(isbn) } else { nil }
            }
        case .search(let search): search.keys
        case .authors(let name, _): [.author(name.folded)]
        case .isbn(let isbn): isbn.map { [.isbn($0)] } ?? []
        default: []
        }
    }

    private static func authorSearch(_ query: String, _ page: ResultPage) -> Self {
        let keys = SearchText.keys(in: query)
        return keys.isEmpty ? .authors(query, page) : .authorsByKey(keys, page)
    }

    private static func document(_ kind: String, name: String) -> Self {
        switch kind {
        case "isbn": .isbn(ISBN(name))
        case "books": .edition(key: "/books/\(name)")
        case "works": .work(key: "/works/\(name)")
        case "authors": .author(key: "/authors/\(name)")
        default: .unknown
        }
    }

    private static func page(_ target: RequestTarget, limit: Int) -> ResultPage {
        ResultPage(
            offset: target.count("offset", in: 0...1_000_000, standard: 0),
            limit: target.count("limit", in: 0...1000, standard: limit))
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
}

/// A request to `/search.json` (https://openlibrary.org/dev/docs/api/search).
struct OpenLibrarySearch: Equatable, Sendable {
    enum Subject: Equatable, Sendable {
        case isbns([ISBN])
        /// Paths such as `/works/OL45804W`.
        case keys([String])
        case words(TitleIndex.Query)
    }

    /// Sort orders; any other value sorts by relevance.
    enum Order: String, Sendable {
        case new
        case old
        case title
        case editions
        case relevance
    }

    /// The fields that are returned if `fields=` is missing; they include neither ISBNs nor subjects.
    static let standardFields = FieldMask(names: [
        "author_key", "author_name", "cover_i", "edition_count", "first_publish_year", "key", "language", "title",
    ])

    let subject: Subject
    let fields: FieldMask
    let order: Order
    let page: ResultPage
    /// The preferred language of the best edition.
    let language: CatalogLanguage?

    /// The requested fields of each work's best edition; nil if no fields of editions are requested. `editions` must be listed, since `*` does not
    /// include it.
    var editionFields: FieldMask? { fields.children["editions"] }

    /// Why a search is refused; nil if it is accepted. Only `q` is checked (https://github.com/internetarchive/openlibrary/pull/11485).
    static func refusal(of target: RequestTarget) -> String? {
        guard let text = target["q"], !text.isEmpty else { return nil }
        if text.count < 3 { return "Query too short, must be at least 3 characters" }
        return text.lowercased() == "the" ? "Invalid query; the following queries are not allowed: the" : nil
    }

    init(_ target: RequestTarget) {
        let text = target["q"] ?? target["isbn"].map { "isbn:\($0)" } ?? ""
        let (isbns, keys) = (SearchText.isbns(in: text), SearchText.keys(in: text))
        if !keys.isEmpty {
            subject = .keys(keys)
        } else if isbns.isEmpty {
            var query = SearchText.query(text, titleField: "title:", authorField: "author:")
            query.title += " " + (target["title"] ?? "")
            query.author += " " + (target["author"] ?? "")
            subject = .words(query.trimmed)
        } else {
            subject = .isbns(isbns)
        }
        fields = target["fields"].map { FieldMask($0.replacing(".", with: "/")) } ?? Self.standardFields
        order = target["sort"].flatMap { Order(rawValue: $0) } ?? .relevance
        let limit = target.count("limit", in: 0...1000, standard: 100)
        let page = target.count("page", in: 1...100_000, standard: 1)
        self.page = ResultPage(
            offset: target.count("offset", in: 0...1_000_000, standard: (page - 1) * limit), limit: limit)
        language = target["lang"].flatMap { code in
            CatalogLanguage.allCases.first { $0.twoLetterCode.hasPrefix(code) }
        }
    }

    var keys: [AskedKey] {
        switch subject {
        case .isbns(let isbns): isbns.map { .isbn($0) }
        case .keys: []
        case .words(let query): query.authorKeys
        }
    }
}
