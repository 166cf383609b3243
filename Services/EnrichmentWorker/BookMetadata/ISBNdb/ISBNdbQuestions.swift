package import BookIdentifiers
import Foundation

// The questions sent to ISBNdb (metadata.md "Lookup").
extension Question {
    /// ISBNdb's edition with this ISBN.
    package static func isbndbBook(_ isbn: ISBN) -> Question { Question(.isbndbBook, .isbn(isbn)) }

    /// ISBNdb's editions that match a search.
    package static func isbndbSearch(_ terms: SearchTerms) -> Question { Question(.isbndbSearch, .search(terms)) }
}

extension QuestionKind {
    fileprivate static let isbndbBook = QuestionKind(
        "isbndb/isbn", label: .isbndb, batch: RequestBatch(.isbndb, "books", size: ISBNdbRequests.batchSize),
        loneBatch: .single(.isbndb), lifetime: .edition, saysNoneBy404: true,
        method: .request(
            make: all(\.isbn) { isbns in
                isbns.count > 1
                    ? ProviderRequest(ISBNdbRequests.bulk, body: ISBNdbRequests.bulkBody(isbns))
                    : ProviderRequest(ISBNdbRequests.book(isbns[0]))
            },
            read: { (body, questions) throws(ProviderBodyError) in
                let editions: [EditionRecord]
                if questions.count > 1 {
                    editions = try ISBNdb.decodeBulk(body)
                } else {
                    editions = [try ISBNdb.decodeBook(body)].compactMap(\.self)
                }
                var records: [Question: ProviderRecords] = [:]
                for question in questions {
                    guard let isbn = question.isbn, let edition = editions.first(where: { $0.states(isbn) }) else {
                        continue
                    }
                    records[question] = ProviderRecords(editions: [edition])
                }
                return .records(records)
            }))

    fileprivate static let isbndbSearch = QuestionKind(
        "isbndb/search", label: .isbndbSearch, batch: .single(.isbndb), lifetime: .search, saysNoneBy404: true,
        method: .request(
            make: one(\.searchTerms) { ProviderRequest(ISBNdbRequests.search($0)) },
            read: { (body, questions) throws(ProviderBodyError) in
                let page = try ISBNdb.decodeBooks(body)
                return .answer(ProviderRecords(editions: page.editions, total: page.total), to: questions)
            }))
}

extension ISBNdbRequests {
    /// The path and query for a search. ISBNdb has no search fields, so all terms are sent as words.
    fileprivate static func search(_ terms: SearchTerms) -> String {
        switch terms.text {
        case .words(let words): books(words, limit: terms.limit)
        case .fields(let title, let author): books(title: title, author: author, limit: terms.limit)
        case .worksOf(let author, _, _): books(author, limit: terms.limit)
        }
    }
}
