import BookMetadata

/// Questions that can share a request.
enum CallKind: CaseIterable, Sendable {
    case editions
    /// An edition whose number is not mixed with others.
    case loneEdition
    case editionKeys
    case workFacts
    /// Any other question to Open Library.
    case openLibrary
    case googleBooks

    init(_ question: Question, isAlone: Bool) {
        self =
            switch question {
            case .edition: isAlone ? .loneEdition : .editions
            case .editionKey: .editionKeys
            case .workFacts: .workFacts
            case .work, .works: .openLibrary
            case .volumes, .volumesByTitle: .googleBooks
            }
    }

    var provider: ProviderName { self == .googleBooks ? .googleBooks : .openLibrary }

    /// Most questions in one request (spec/07 "Bulk look-up").
    var batchSize: Int {
        switch self {
        case .editions, .editionKeys, .workFacts: OpenLibraryRequests.batchSize
        case .loneEdition, .openLibrary, .googleBooks: 1
        }
    }
}
