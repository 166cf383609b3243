import BookMetadata

/// Questions that can share a request.
enum CallKind: CaseIterable, Sendable {
    case editions
    /// An edition whose number is not mixed with others.
    case loneEdition
    case editionKeys
    case workFacts
    case indexedWorks
    /// Counts of authors' works.
    case authorWorks
    /// Any other question to Open Library.
    case openLibrary
    case googleBooks
    /// Numbers that ISBNdb is asked for in bulk.
    case isbndbBooks
    /// Any other question to ISBNdb.
    case isbndb
    case authors

    init(_ question: Question, isAlone: Bool) {
        self =
            switch question {
            case .edition: isAlone ? .loneEdition : .editions
            case .editionKey: .editionKeys
            case .workFacts: .workFacts
            case .indexedWork: .indexedWorks
            case .worksOfAuthor: .authorWorks
            case .work, .works, .workSearch, .editionsOfWork: .openLibrary
            case .volumes, .volumesByTitle, .volumeSearch: .googleBooks
            case .isbndbBook: isAlone ? .isbndb : .isbndbBooks
            case .isbndbSearch: .isbndb
            case .author: .authors
            }
    }

    var provider: ProviderName {
        switch self {
        case .editions, .loneEdition, .editionKeys, .workFacts, .indexedWorks, .authorWorks, .openLibrary: .openLibrary
        case .googleBooks: .googleBooks
        case .isbndbBooks, .isbndb: .isbndb
        case .authors: .wikidata
        }
    }

    /// Most questions in one call (metadata.md "Lookup"). Authors share the requests for their items.
    var batchSize: Int {
        switch self {
        case .editions, .editionKeys, .workFacts, .indexedWorks, .authorWorks: OpenLibraryRequests.batchSize
        case .isbndbBooks: ISBNdbRequests.batchSize
        case .authors: 10
        case .loneEdition, .openLibrary, .googleBooks, .isbndb: 1
        }
    }
}
