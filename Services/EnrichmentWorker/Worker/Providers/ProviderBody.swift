import BookIdentifiers
import BookMetadata
import Foundation

/// The body of an answer, read as what was asked. Editions that do not state the asked number are left out: a provider may
/// answer with another book (metadata.md "Lookup").
struct ProviderBody {
    /// Most records of a search that are worth scoring.
    private static let mostCandidates = 20

    private let body: Data

    init(_ body: Data) { self.body = body }

    func records(for questions: [Question]) throws(ProviderBodyError) -> [Question: ProviderRecords] {
        guard let first = questions.first else { return [:] }
        switch first {
        case .edition:
            return try OpenLibrary.decodeDetails(body).reduce(into: [:]) { records, found in
                if found.value.states(found.key) {
                    records[.edition(found.key)] = ProviderRecords(editions: [found.value])
                }
            }
        case .editionKey:
            return try OpenLibrary.decodeDetailsByEditionKey(body).reduce(into: [:]) { records, found in
                records[.editionKey(found.key)] = ProviderRecords(editions: [found.value])
            }
        case .workFacts:
            let facts = try OpenLibrary.decodeWorkFacts(body, asked: questions.compactMap(\.isbn))
            return facts.reduce(into: [:]) { records, found in
                records[.workFacts(found.key)] = ProviderRecords(works: [found.value.stating(only: found.key)])
            }
        case .work:
            return [first: ProviderRecords(works: [try OpenLibrary.decodeWork(body)])]
        case .indexedWork:
            return try OpenLibrary.decodeSearch(body).reduce(into: [:]) { records, work in
                records[.indexedWork(work.key)] = ProviderRecords(works: [work.stating(only: nil)])
            }
        case .works:
            let works = try OpenLibrary.decodeSearch(body).prefix(Self.mostCandidates)
            return [first: ProviderRecords(works: works.map { $0.stating(only: nil) })]
        case .workSearch:
            let page = try OpenLibrary.decodeSearchPage(body)
            return [first: ProviderRecords(works: page.works.map(\.withFewNumbers), total: page.total)]
        case .editionsOfWork:
            let page = try OpenLibrary.decodeEditions(body)
            return [first: ProviderRecords(editions: page.editions, total: page.total)]
        case .worksOfAuthor:
            return try OpenLibrary.decodeAuthors(body).reduce(into: [:]) { records, author in
                records[.worksOfAuthor(author.key)] = ProviderRecords(bookCount: author.workCount)
            }
        case .volumes(let isbn):
            let volumes = try GoogleBooks.decodeVolumes(body).filter { $0.states(isbn) }
            return [first: ProviderRecords(editions: Array(volumes.prefix(1)))]
        case .volumesByTitle:
            let volumes = try GoogleBooks.decodeVolumes(body).prefix(Self.mostCandidates)
            return [first: ProviderRecords(editions: Array(volumes))]
        case .volumeSearch:
            let page = try GoogleBooks.decodeVolumePage(body)
            return [first: ProviderRecords(editions: page.editions, total: page.total)]
        case .isbndbBook where questions.count > 1:
            let editions = try ISBNdb.decodeBulk(body)
            return questions.reduce(into: [:]) { records, question in
                let edition = question.isbn.flatMap { isbn in editions.first { $0.states(isbn) } }
                records[question] = edition.map { ProviderRecords(editions: [$0]) }
            }
        case .isbndbBook(let isbn):
            let edition = try ISBNdb.decodeBook(body).flatMap { $0.states(isbn) ? $0 : nil }
            return [first: ProviderRecords(editions: edition.map { [$0] } ?? [])]
        case .isbndbSearch:
            let page = try ISBNdb.decodeBooks(body)
            return [first: ProviderRecords(editions: page.editions, total: page.total)]
        case .author:
            return [:]
        }
    }
}

extension Question {
    /// The number that is asked about.
    var isbn: ISBN? {
        switch self {
        case .edition(let isbn), .workFacts(let isbn), .volumes(let isbn), .isbndbBook(let isbn): isbn
        default: nil
        }
    }
}

extension WorkRecord {
    /// Numbers that fold other providers' editions into the work; a popular one has hundreds.
    private static let mostNumbers = 50

    fileprivate var withFewNumbers: WorkRecord {
        var work = self
        work.statedISBNs = Array(statedISBNs.prefix(Self.mostNumbers))
        return work
    }

    /// Popular works have hundreds of numbers; kept is the one that led to the work.
    fileprivate func stating(only isbn: ISBN?) -> WorkRecord {
        var work = self
        work.statedISBNs = isbn.map { [$0.isbn13] } ?? []
        return work
    }
}
