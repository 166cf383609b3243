import BookIdentifiers
import BookMetadata

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
    case works(TitleQuestion)
    /// Open Library's works that answer a search, with their best editions.
    case workSearch(SearchQuestion)
    /// Open Library's editions of a work with a key such as `OL45804W`.
    case editionsOfWork(String)
    /// Open Library's count of the works of an author with a key such as `OL26320A`.
    case worksOfAuthor(String)
    /// Google's volumes with this number.
    case volumes(ISBN)
    /// Google's volumes that answer a title.
    case volumesByTitle(TitleQuestion)
    /// Google's volumes that answer a search.
    case volumeSearch(SearchQuestion)
    /// ISBNdb's edition with this number.
    case isbndbBook(ISBN)
    /// ISBNdb's editions that answer a search.
    case isbndbSearch(SearchQuestion)
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
