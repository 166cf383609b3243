package import BookIdentifiers
import Foundation

// The questions sent to Open Library (metadata.md "Lookup").
extension Question {
    /// Open Library's edition with this ISBN.
    package static func edition(_ isbn: ISBN) -> Question { Question(.edition, .isbn(isbn)) }

    /// Open Library's edition with a key such as `OL7353617M`.
    package static func editionKey(_ key: String) -> Question { Question(.editionKey, .key(key)) }

    /// Open Library's works that have an edition with this ISBN.
    package static func workFacts(_ isbn: ISBN) -> Question { Question(.workFacts, .isbn(isbn)) }

    /// Open Library's work with a key such as `OL45804W`.
    package static func work(_ key: String) -> Question { Question(.work, .key(key)) }

    /// The entry in Open Library's search index for a work with a key such as `OL45804W`; unlike the record, it contains the authors' names.
    package static func indexedWork(_ key: String) -> Question { Question(.indexedWork, .key(key)) }

    /// Open Library's works that match a title.
    package static func works(_ terms: TitleTerms) -> Question { Question(.works, .title(terms)) }

    /// Open Library's works that match a search, with their best editions.
    package static func workSearch(_ terms: SearchTerms) -> Question { Question(.workSearch, .search(terms)) }

    /// Open Library's editions of a work with a key such as `OL45804W`.
    package static func editionsOfWork(_ key: String) -> Question { Question(.editionsOfWork, .key(key)) }

    /// Open Library's count of the works of an author with a key such as `OL26320A`.
    package static func worksOfAuthor(_ key: String) -> Question { Question(.worksOfAuthor, .key(key)) }
}

extension QuestionKind {
    fileprivate static let edition = QuestionKind(
        "openlibrary/edition", label: .edition, batch: .openLibrary("editions"),
        // An ISBN is requested alone in a search, and after a failed attempt, which may have failed because of another ISBN.
        loneBatch: RequestBatch(.openLibrary, "edition", size: 1), lifetime: .edition,
        method: .request(
            make: all(\.isbn) { ProviderRequest(OpenLibraryRequests.details($0)) },
            read: { (body, _) throws(ProviderBodyError) in
                .records(
                    try OpenLibrary.decodeDetails(body).reduce(into: [:]) { records, found in
                        // Open Library may respond with a different book (metadata.md "Lookup").
                        guard found.value.states(found.key) else { return }
                        records[.edition(found.key)] = ProviderRecords(editions: [found.value])
                    })
            }))

    fileprivate static let editionKey = QuestionKind(
        "openlibrary/edition", label: .edition, batch: .openLibrary("edition-keys"), lifetime: .book,
        isAddition: true,
        method: .request(
            make: all(\.key) { ProviderRequest(OpenLibraryRequests.details(editionKeys: $0)) },
            read: { (body, _) throws(ProviderBodyError) in
                .records(
                    try OpenLibrary.decodeDetailsByEditionKey(body).reduce(into: [:]) { records, found in
                        records[.editionKey(found.key)] = ProviderRecords(editions: [found.value])
                    })
            }))

    fileprivate static let workFacts = QuestionKind(
        "openlibrary/work-facts", label: .workFacts, batch: .openLibrary("work-facts"), lifetime: .book,
        isAddition: true,
        method: .request(
            make: all(\.isbn) { ProviderRequest(OpenLibraryRequests.workFacts($0)) },
            read: { (body, questions) throws(ProviderBodyError) in
                let facts = try OpenLibrary.decodeWorkFacts(body, asked: questions.compactMap(\.isbn))
                return .records(
                    facts.reduce(into: [:]) { records, found in
                        records[.workFacts(found.key)] = ProviderRecords(
                            works: found.value.map { $0.stating(only: found.key) })
                    })
            }))

    fileprivate static let work = QuestionKind(
        "openlibrary/work", label: .work, batch: .single(.openLibrary), lifetime: .book, saysNoneBy404: true,
        method: .request(
            make: one(\.key) { ProviderRequest(OpenLibraryRequests.work($0)) },
            read: { (body, questions) throws(ProviderBodyError) in
                switch try OpenLibrary.decodeRetirement(body) {
                case .merged(let key): .moved(ProviderRequest(OpenLibraryRequests.work(key)))
                case .deleted: .records([:])
                case nil: .answer(ProviderRecords(works: [try OpenLibrary.decodeWork(body)]), to: questions)
                }
            }))

    fileprivate static let indexedWork = QuestionKind(
        "openlibrary/indexed-work", label: .work, batch: .openLibrary("indexed-works"), lifetime: .book,
        isAddition: true,
        method: .request(
            make: all(\.key) { ProviderRequest(OpenLibraryRequests.works($0)) },
            read: { (body, _) throws(ProviderBodyError) in
                .records(
                    try OpenLibrary.decodeSearch(body).reduce(into: [:]) { records, work in
                        records[.indexedWork(work.key)] = ProviderRecords(works: [work.stating(only: nil)])
                    })
            }))

    fileprivate static let works = QuestionKind(
        "openlibrary/title", label: .title, batch: .single(.openLibrary), lifetime: .search,
        method: .request(
            make: one(\.titleTerms) {
                ProviderRequest(OpenLibraryRequests.titleSearch(title: $0.title, author: $0.author))
            },
            read: { (body, questions) throws(ProviderBodyError) in
                let page = try OpenLibrary.decodeSearchPage(body)
                let works = page.works.prefix(maxCandidates).map { $0.stating(only: nil) }
                return .answer(ProviderRecords(works: works, total: page.total), to: questions)
            }))

    fileprivate static let workSearch = QuestionKind(
        "openlibrary/search", label: .search, batch: .single(.openLibrary), lifetime: .search,
        method: .request(
            make: one(\.searchTerms) { ProviderRequest(OpenLibraryRequests.search($0)) },
            read: { (body, questions) throws(ProviderBodyError) in
                let page = try OpenLibrary.decodeSearchPage(body)
                return .answer(
                    ProviderRecords(works: page.works.map(\.withFewNumbers), total: page.total), to: questions)
            }))

    fileprivate static let editionsOfWork = QuestionKind(
        "openlibrary/editions", label: .editions, batch: .single(.openLibrary), lifetime: .search,
        saysNoneBy404: true,
        method: .request(
            make: one(\.key) { ProviderRequest(OpenLibraryRequests.editions(ofWork: $0, limit: maxEditions)) },
            read: { (body, questions) throws(ProviderBodyError) in
                let page = try OpenLibrary.decodeEditions(body)
                return .answer(ProviderRecords(editions: page.editions, total: page.total), to: questions)
            }))

    fileprivate static let worksOfAuthor = QuestionKind(
        "openlibrary/author-works", label: .authorWorks, batch: .openLibrary("author-works"), lifetime: .author,
        isAddition: true,
        method: .request(
            make: all(\.key) { ProviderRequest(OpenLibraryRequests.authors($0)) },
            read: { (body, _) throws(ProviderBodyError) in
                .records(
                    try OpenLibrary.decodeWorkCounts(body).reduce(into: [:]) { records, author in
                        records[.worksOfAuthor(author.key)] = ProviderRecords(bookCount: author.value)
                    })
            }))

    /// Maximum number of records from a title search that are scored.
    static let maxCandidates = 20
    /// Number of a work's editions to fetch; the most complete of them are returned.
    private static let maxEditions = 100
}

extension RequestBatch {
    fileprivate static func openLibrary(_ name: String) -> RequestBatch {
        RequestBatch(.openLibrary, name, size: OpenLibraryRequests.batchSize)
    }
}

extension OpenLibraryRequests {
    fileprivate static func search(_ terms: SearchTerms) -> String {
        switch terms.text {
        case .words(let words): search(words, limit: terms.limit)
        case .fields(let title, let author): search(title: title, author: author, limit: terms.limit)
        case .worksOf(let author, let offset, let order):
            authorWorks(author, limit: terms.limit, offset: offset, sort: order)
        }
    }
}

extension WorkRecord {
    /// Maximum number of ISBNs kept for merging other providers' editions into the work; a popular work has hundreds of ISBNs.
    private static let maxNumbers = 50

    fileprivate var withFewNumbers: WorkRecord {
        var work = self
        work.statedISBNs = Array(statedISBNs.prefix(Self.maxNumbers))
        return work
    }

    /// The record with only this ISBN, or none. Popular works have hundreds; only the one that led to the work is kept.
    fileprivate func stating(only isbn: ISBN?) -> WorkRecord {
        var work = self
        work.statedISBNs = isbn.map { [$0.isbn13] } ?? []
        return work
    }
}
