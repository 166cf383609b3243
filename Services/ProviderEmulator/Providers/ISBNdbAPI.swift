import BookIdentifiers
import Foundation
import NIOCore
import NIOHTTP1

/// Answers as ISBNdb would.
struct ISBNdbAPI: Sendable {
    let catalog: ISBNdbCatalog

    /// - Parameter key: The `Authorization` header; any string that is not empty is accepted as a key.
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
        catalog.books[place].document.write(.everything, into: &body)
        body.writeString("}")
        return .json(body)
    }

    private func place(of isbn: ISBN, _ substitutions: Substitutions) -> Int? {
        switch substitutions[.isbn(isbn)] {
        case .missing: nil
        case .wrongBook: catalog.wrongBook(for: isbn)
        case nil: catalog.book(isbn)
        }
    }

    /// The response `{"total":n,"books":[…]}`; a search without results is answered with 404.
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

    /// The response `{"total":found,"requested":asked,"data":[books]}`: the known books, in the catalog's order rather than in the requested order.
    /// Unknown ISBNs are omitted, and a call without results is not answered with 404.
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
            catalog.books[book].document.write(.everything, into: &body)
        }
    }

    private func places(_ text: String, _ column: ISBNdbRequest.Column) -> [Int] {
        switch column {
        case .title: catalog.titles.search(TitleIndex.Query(title: text))
        case .author: catalog.titles.search(TitleIndex.Query(author: text))
        case .datePublished: catalog.books.indices.filter { catalog.books[$0].date?.hasPrefix(text) == true }
        case .all:
            ISBN(text).map { catalog.book($0).map { [$0] } ?? [] }
                ?? catalog.titles.search(TitleIndex.Query(free: text))
        }
    }
}

/// A request to the ISBNdb API v2 (https://isbndb.com/isbndb-api-documentation-v2).
enum ISBNdbRequest: Equatable, Sendable {
    enum Column: String, Sendable {
        case all = ""
        case title
        case author
        case datePublished = "date_published"
    }

    /// `/book/{isbn}`
    case book(ISBN?)
    /// `/books/{query}`
    case books(String, Column, ResultPage)
    /// `POST /books` with ISBNs in a form (`isbns=9780441172719,0262033844`) or in JSON; an invalid ISBN has no result.
    case bulk([ISBN?])
    /// `POST /books` with too many ISBNs.
    case tooMany
    /// `POST /books` without ISBNs.
    case withoutNumbers
    case unknown

    /// Maximum number of ISBNs in a bulk call.
    static let bulkLimit = 1000

    /// - Parameters:
    ///   - target: The target without the provider's prefix.
    ///   - body: Read for `POST`, whatever its `Content-Type`: the documented examples label a form as JSON.
    init(_ method: HTTPMethod = .GET, _ target: RequestTarget, body: ByteBuffer = ByteBuffer()) {
        let path = target.components
        guard method != .POST else {
            self = path == ["books"] ? Self.bulk(body) : .unknown
            return
        }
        switch (path.first, path.last) {
        case ("book", let number?) where path.count == 2: self = .book(ISBN(number))
        case ("books", let text?) where path.count == 2:
            let size = target.count("pageSize", in: 1...1000, standard: 20)
            let page = target.count("page", in: 1...10_000, standard: 1)
            self = .books(
                text, target["column"].flatMap { Column(rawValue: $0) } ?? .all,
                ResultPage(offset: (page - 1) * size, limit: size))
        default: self = .unknown
        }
    }

    var keys: [AskedKey] {
        switch self {
        case .book(let isbn): isbn.map { [.isbn($0)] } ?? []
        case .books(let text, .author, _): [.author(text.folded)]
        case .bulk(let isbns): isbns.compactMap { $0.map { .isbn($0) } }
        default: []
        }
    }

    private static func bulk(_ body: ByteBuffer) -> Self {
        let form = RequestTarget("?" + String(buffer: body))
        let list = try? JSONDecoder().decode(Bulk.self, from: Data(body.readableBytesView))
        let numbers = list?.isbns ?? (form["isbns"] ?? "").split(separator: ",").map(String.init)
        guard !numbers.isEmpty else { return .withoutNumbers }
        guard numbers.count <= bulkLimit else { return .tooMany }
        return .bulk(numbers.map { ISBN($0) })
    }

    /// The body according to the API's definition; the examples in its documentation are forms.
    private struct Bulk: Decodable {
        let isbns: [String]
    }
}
