import BookIdentifiers
import BookMetadata
import BookstrackContract

/// Something that one provider is asked.
///
/// Equal questions have equal answers, so a question names the call that several askers share and the place of its answer in
/// the cache.
enum Question: Hashable, Sendable {
    /// Open Library's edition with this number.
    case edition(ISBN)
    /// Open Library's edition with a key such as `OL7353617M`.
    case editionKey(String)
    /// Open Library's work that has an edition with this number.
    case workFacts(ISBN)
    /// Open Library's work with a key such as `OL45804W`.
    case work(String)
    /// What Open Library's search index has of a work with a key such as `OL45804W`: unlike the record it names the authors.
    case indexedWork(String)
    /// Open Library's works that answer a title.
    case works(TitleTerms)
    /// Open Library's works that answer a search, with their best editions.
    case workSearch(SearchTerms)
    /// Open Library's editions of a work with a key such as `OL45804W`.
    case editionsOfWork(String)
    /// Open Library's count of the works of an author with a key such as `OL26320A`.
    case worksOfAuthor(String)
    /// Google's volumes with this number.
    case volumes(ISBN)
    /// Google's volumes that answer a title.
    case volumesByTitle(TitleTerms)
    /// Google's volumes that answer a search.
    case volumeSearch(SearchTerms)
    /// ISBNdb's edition with this number.
    case isbndbBook(ISBN)
    /// ISBNdb's editions that answer a search.
    case isbndbSearch(SearchTerms)
    /// What Wikidata knows about an author.
    case author(AuthorQuery)

    /// Who is asked.
    var provider: ProviderName {
        switch self {
        case .edition, .editionKey, .workFacts, .work, .indexedWork, .works, .workSearch, .editionsOfWork,
            .worksOfAuthor:
            .openLibrary
        case .volumes, .volumesByTitle, .volumeSearch: .googleBooks
        case .isbndbBook, .isbndbSearch: .isbndb
        case .author: .wikidata
        }
    }

    /// Whether the answer only adds to a record that is there without it; such questions come after the others.
    var isAddition: Bool {
        switch self {
        case .workFacts, .indexedWork, .editionKey, .author, .worksOfAuthor: true
        default: false
        }
    }

    /// Whether the provider says "none" by 404; elsewhere that is a wrong address.
    var maySayNoneBy404: Bool {
        switch self {
        case .work, .editionsOfWork, .isbndbBook, .isbndbSearch: true
        default: false
        }
    }

    /// Name of the answer in the cache: everything that changes the answer is part of it.
    var cacheKey: String {
        switch self {
        case .edition(let isbn): "openlibrary/edition/\(isbn.isbn13)"
        case .editionKey(let key): "openlibrary/edition/\(key)"
        case .workFacts(let isbn): "openlibrary/work-facts/\(isbn.isbn13)"
        case .work(let key): "openlibrary/work/\(key)"
        case .indexedWork(let key): "openlibrary/indexed-work/\(key)"
        case .works(let question): "openlibrary/title/\(question.cacheKey)"
        case .workSearch(let question): "openlibrary/search/\(question.cacheKey)"
        case .editionsOfWork(let key): "openlibrary/editions/\(key)"
        case .worksOfAuthor(let key): "openlibrary/author-works/\(key)"
        case .volumes(let isbn): "google-books/isbn/\(isbn.isbn13)"
        case .volumesByTitle(let question): "google-books/title/\(question.cacheKey)"
        case .volumeSearch(let question): "google-books/search/\(question.cacheKey)"
        case .isbndbBook(let isbn): "isbndb/isbn/\(isbn.isbn13)"
        case .isbndbSearch(let question): "isbndb/search/\(question.cacheKey)"
        case .author(let query): "wikidata/author/\(query.cacheKey)"
        }
    }
}

extension AuthorQuery {
    fileprivate var cacheKey: String { "\(openLibraryKey ?? "")\u{1F}\(name.lowercased())" }
}

/// Title and author as a search asks for them: spaces and case do not tell two questions apart.
struct TitleTerms: Sendable {
    let title: String
    /// Absent when the client names no author.
    let author: String?

    /// `nil` when the title is empty.
    init?(title: String?, author: String?) {
        guard let title = title.map(Self.tidy), !title.isEmpty else { return nil }
        self.title = title
        self.author = author.flatMap(PersonName.clean)
    }

    /// What is asked when no provider has the title by this author: the title alone. Nil when that was asked already.
    var withoutAuthor: TitleTerms? { author == nil ? nil : TitleTerms(title: title, author: nil) }

    var cacheKey: String { "\(title.lowercased())\u{1F}\((author ?? "").lowercased())" }

    private static func tidy(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension TitleTerms: Hashable {
    static func == (lhs: Self, rhs: Self) -> Bool { lhs.cacheKey == rhs.cacheKey }

    func hash(into hasher: inout Hasher) { hasher.combine(cacheKey) }
}

/// What a search asks a provider for; spaces and case do not tell two questions apart.
struct SearchTerms: Sendable {
    /// What the provider is to look at.
    enum Text: Sendable {
        /// Words of title, subtitle or author, as typed.
        case words(String)
        /// Title, author or both, each in its own field.
        case fields(title: String?, author: String?)
        /// The works of everybody with this name.
        case worksOf(author: String, offset: Int, order: AuthorWorksOrder?)
    }

    let text: Text
    /// Most results of the answer.
    let limit: Int

    init(_ text: Text, limit: Int) {
        self.text = text
        self.limit = limit
    }

    var cacheKey: String {
        let parts: [String] =
            switch text {
            case .words(let words): ["words", words]
            case .fields(let title, let author): ["fields", title ?? "", author ?? ""]
            case .worksOf(let author, let offset, let order): ["author", author, "\(offset)", order?.rawValue ?? ""]
            }
        return (["\(limit)"] + parts).map { $0.lowercased() }.joined(separator: "\u{1F}")
    }
}

extension SearchTerms: Hashable {
    static func == (lhs: Self, rhs: Self) -> Bool { lhs.cacheKey == rhs.cacheKey }

    func hash(into hasher: inout Hasher) { hasher.combine(cacheKey) }
}

/// A provider's answer to a question, normalised; empty when the provider knows nothing that fits.
struct ProviderRecords: Hashable, Codable, Sendable {
    var editions: [EditionRecord] = []
    var works: [WorkRecord] = []
    /// Total results of a search.
    var total: Int?
    /// For a question about an author that Wikidata identifies beyond doubt.
    var background: AuthorBackground?

    /// Of a question about an author: how many works Open Library has by that person.
    var bookCount: Int?

    /// The provider really answered "none".
    static let none = ProviderRecords()

    var isEmpty: Bool { editions.isEmpty && works.isEmpty && background == nil && bookCount == nil }

    /// The same with the time of the answer, seconds since 1970, where the contract asks for it.
    func retrieved(at seconds: Int64) -> ProviderRecords {
        var records = self
        for place in records.editions.indices where records.editions[place].provider == .isbndb {
            records.editions[place].retrievedAt = seconds
        }
        return records
    }
}
