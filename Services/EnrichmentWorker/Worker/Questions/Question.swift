import BookIdentifiers
import BookstrackContract

/// Something that one provider is asked about one book.
///
/// Equal questions have equal answers, so a question names the call that several items share and the place of its answer in
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
    /// Open Library's works that answer a title.
    case works(TitleQuestion)
    /// Google's volumes with this number.
    case volumes(ISBN)
    /// Google's volumes that answer a title.
    case volumesByTitle(TitleQuestion)

    /// Who is asked.
    var provider: ProviderName {
        switch self {
        case .edition, .editionKey, .workFacts, .work, .works: .openLibrary
        case .volumes, .volumesByTitle: .googleBooks
        }
    }

    /// Whether the answer only adds to a record that is there without it; such questions come after the others.
    var isAddition: Bool {
        switch self {
        case .workFacts, .editionKey: true
        default: false
        }
    }

    /// Whether one record is asked for by its name, so that 404 means that there is none.
    var namesOneRecord: Bool {
        switch self {
        case .work: true
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
        case .works(let question): "openlibrary/title/\(question.cacheKey)"
        case .volumes(let isbn): "google-books/isbn/\(isbn.isbn13)"
        case .volumesByTitle(let question): "google-books/title/\(question.cacheKey)"
        }
    }
}
