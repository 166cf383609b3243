import BookIdentifiers
import NIOCore
import NIOHTTP1

/// Answers as ISBNdb would.
struct ISBNdbAPI: Sendable {
    let shelf: ISBNdbShelf

    /// - Parameter key: The `Authorization` header; every text is a good key.
    func answer(_ request: ISBNdbRequest, _ substitutions: Substitutions, key: String?) -> Answer {
        guard let key, !key.isEmpty else { return .json(["message": "Unauthorized"], status: .unauthorized) }
        return switch request {
        case .book(let isbn): book(isbn, substitutions)
        case .books(let text, let column, let page): books(text, column, page, substitutions)
        case .bulk(let isbns): bulk(isbns, substitutions)
        case .tooMany: .json(["message": "Too many ISBNs: at most 1000 a call."], status: .badRequest)
        case .withoutNumbers: .json(["message": "isbns is required."], status: .badRequest)
        case .unknown: Self.notFound
        }
    }

    private static let notFound = Answer.json(["errorMessage": "Not Found"], status: .notFound)

    private func book(_ isbn: ISBN?, _ substitutions: Substitutions) -> Answer {
        guard let isbn, let place = place(of: isbn, substitutions) else { return Self.notFound }
        var body = ByteBuffer(string: "{\"book\":")
        shelf.books[place].document.write(.everything, into: &body)
        body.writeString("}")
        return .json(body)
    }

    private func place(of isbn: ISBN, _ substitutions: Substitutions) -> Int? {
        switch substitutions[.isbn(isbn)] {
        case .missing: nil
        case .wrongBook: shelf.wrongBook(for: isbn)
        case nil: shelf.book(isbn)
        }
    }

    /// `{"total":n,"books":[…]}`; a search that finds nothing is a 404.
    private func books(
        _ text: String, _ column: ISBNdbRequest.Column, _ page: ResultPage, _ substitutions: Substitutions
    ) -> Answer {
        let found = substitutions[.author(text.folded)] == .missing ? [] : places(text, column)
        guard !found.isEmpty else { return Self.notFound }
        var body = ByteBuffer(string: "{\"total\":\(found.count),\"books\":[")
        write(page.part(of: found), into: &body)
        body.writeString("]}")
        return .json(body)
    }

    /// `{"total":found,"requested":asked,"data":[books]}`: the numbers that are known, in the shelf's order rather than in the asked
    /// one; what is not known is left out, and a call that finds nothing is no 404.
    private func bulk(_ isbns: [ISBN?], _ substitutions: Substitutions) -> Answer {
        let found = Set(isbns.compactMap { $0.flatMap { place(of: $0, substitutions) } }).sorted()
        var body = ByteBuffer(string: "{\"total\":\(found.count),\"requested\":\(isbns.count),\"data\":[")
        write(found, into: &body)
        body.writeString("]}")
        return .json(body)
    }

    private func write(_ found: some Collection<Int>, into body: inout ByteBuffer) {
        for (place, book) in found.enumerated() {
            if place > 0 { body.writeString(",") }
            shelf.books[book].document.write(.everything, into: &body)
        }
    }

    private func places(_ text: String, _ column: ISBNdbRequest.Column) -> [Int] {
        switch column {
        case .title: shelf.titles.search(TitleIndex.Query(title: text))
        case .author: shelf.titles.search(TitleIndex.Query(author: text))
        case .datePublished: shelf.books.indices.filter { shelf.books[$0].date?.hasPrefix(text) == true }
        case .all:
            ISBN(text).map { shelf.book($0).map { [$0] } ?? [] } ?? shelf.titles.search(TitleIndex.Query(free: text))
        }
    }
}
