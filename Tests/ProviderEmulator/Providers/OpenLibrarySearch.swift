import BookIdentifiers

/// A request to `/search.json` (https://openlibrary.org/dev/docs/api/search).
struct OpenLibrarySearch: Equatable, Sendable {
    enum Subject: Equatable, Sendable {
        case isbns([ISBN])
        /// Paths such as `/works/OL45804W`.
        case keys([String])
        case words(TitleIndex.Query)
    }

    /// Orders other than these are the order of relevance.
    enum Order: String, Sendable {
        case new
        case old
        case title
        case editions
        case relevance
    }

    /// What is answered when `fields` is not given; neither ISBNs nor subjects are among it.
    static let standardFields = FieldMask(names: [
        "author_key", "author_name", "cover_i", "edition_count", "first_publish_year", "key", "language", "title",
    ])

    let subject: Subject
    let fields: FieldMask
    let order: Order
    let page: ResultPage
    /// The language that the best edition should have.
    let language: CatalogueLanguage?

    /// What is wanted of each work's best edition; nil where it is not. `editions` has to be named: `*` does not mean it.
    var editionFields: FieldMask? { fields.children["editions"] }

    /// Why a search is refused; nil for one that is answered. Only `q` is looked at
    /// (https://github.com/internetarchive/openlibrary/pull/11485).
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
            CatalogueLanguage.allCases.first { $0.twoLetterCode.hasPrefix(code) }
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
