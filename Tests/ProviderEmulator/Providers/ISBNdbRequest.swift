import BookIdentifiers
import Foundation
import NIOCore
import NIOHTTP1

/// A request to the ISBNdb API v2 (https://isbndb.com/apidocs/v2).
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
    /// `POST /books` with the body `isbns=9780441172719,0262033844`; what is no ISBN finds nothing.
    case bulk([ISBN?])
    /// `POST /books` with more numbers than a call may have.
    case tooMany
    /// `POST /books` without numbers.
    case withoutNumbers
    case unknown

    /// How many numbers a bulk call may have.
    static let bulkLimit = 1000

    /// - Parameters:
    ///   - target: The target without the provider's prefix.
    ///   - body: Read for `POST`, whatever its `Content-Type` says: the documented examples send a form as JSON.
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

    /// What is asked about.
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

    /// The body as the API's definition has it; the examples of its documentation are forms.
    private struct Bulk: Decodable {
        let isbns: [String]
    }
}
