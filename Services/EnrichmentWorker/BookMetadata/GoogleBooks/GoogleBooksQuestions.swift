package import BookIdentifiers
import Foundation

// The questions sent to Google Books (metadata.md "Lookup").
extension Question {
    /// Google's volumes with this ISBN.
    package static func volumes(_ isbn: ISBN) -> Question { Question(.volumes, .isbn(isbn)) }

    /// Google's volumes that match a title.
    package static func volumesByTitle(_ terms: TitleTerms) -> Question { Question(.volumesByTitle, .title(terms)) }

    /// Google's volumes that match a search.
    package static func volumeSearch(_ terms: SearchTerms) -> Question { Question(.volumeSearch, .search(terms)) }
}

extension QuestionKind {
    fileprivate static let volumes = QuestionKind(
        "google-books/isbn", label: .volume, batch: .single(.googleBooks), lifetime: .edition,
        method: .request(
            make: one(\.isbn) { ProviderRequest(GoogleBooksRequests.isbn($0)) },
            read: { (body, questions) throws(ProviderBodyError) in
                // Google may respond with a different book (metadata.md "Lookup").
                let isbns = questions.compactMap(\.isbn)
                let volumes = try GoogleBooks.decodeVolumes(body).filter { volume in
                    isbns.contains { volume.states($0) }
                }
                return .answer(ProviderRecords(editions: volumes), to: questions)
            }))

    fileprivate static let volumesByTitle = QuestionKind(
        "google-books/title", label: .volumeTitle, batch: .single(.googleBooks), lifetime: .search,
        method: .request(
            make: one(\.titleTerms) {
                ProviderRequest(GoogleBooksRequests.titleSearch(title: $0.title, author: $0.author))
            },
            read: { (body, questions) throws(ProviderBodyError) in
                let page = try GoogleBooks.decodeVolumePage(body)
                let volumes = Array(page.editions.prefix(maxCandidates))
                return .answer(ProviderRecords(editions: volumes, total: page.total), to: questions)
            }))

    fileprivate static let volumeSearch = QuestionKind(
        "google-books/search", label: .volumeSearch, batch: .single(.googleBooks), lifetime: .search,
        method: .request(
            make: one(\.searchTerms) { ProviderRequest(GoogleBooksRequests.search($0)) },
            read: { (body, questions) throws(ProviderBodyError) in
                let page = try GoogleBooks.decodeVolumePage(body)
                return .answer(ProviderRecords(editions: page.editions, total: page.total), to: questions)
            }))
}

extension GoogleBooksRequests {
    fileprivate static func search(_ terms: SearchTerms) -> String {
        switch terms.text {
        case .words(let words): search(words, limit: terms.limit)
        case .fields(let title, let author): search(title: title, author: author, limit: terms.limit)
        case .worksOf(let author, let offset, _):
            search(title: nil, author: author, limit: terms.limit, startIndex: offset)
        }
    }
}
