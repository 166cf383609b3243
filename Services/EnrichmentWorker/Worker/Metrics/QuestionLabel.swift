import Observability

/// What kind of question the cache is asked.
enum QuestionLabel: String, MetricLabel {
    case edition
    case workFacts = "work_facts"
    case work, title, search, editions
    case volume
    case volumeTitle = "volume_title"
    case volumeSearch = "volume_search"
    case isbndb
    case isbndbSearch = "isbndb_search"
    case author
    case authorWorks = "author_works"

    static let labelName = "kind"

    init(_ question: Question) {
        self =
            switch question {
            case .edition, .editionKey: .edition
            case .workFacts: .workFacts
            case .work, .indexedWork: .work
            case .works: .title
            case .workSearch: .search
            case .editionsOfWork: .editions
            case .volumes: .volume
            case .volumesByTitle: .volumeTitle
            case .volumeSearch: .volumeSearch
            case .isbndbBook: .isbndb
            case .isbndbSearch: .isbndbSearch
            case .author: .author
            case .worksOfAuthor: .authorWorks
            }
    }
}
