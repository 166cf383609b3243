import BookIdentifiers
import NIOCore
import NIOHTTP1

/// Answers as Google Books would.
struct GoogleBooksAPI: Sendable {
    let catalog: GoogleBooksCatalog

    func answer(_ request: GoogleBooksRequest, _ substitutions: Substitutions) -> Answer {
        switch request {
        case .volumesOf(let isbns, let fields, let page):
            volumes(isbns.flatMap { volumes($0, substitutions) }, fields, page)
        case .search(let query, let fields, let order, let page):
            volumes(found(query, order, substitutions), fields, page)
        case .volume(let id, let fields): volume(id, fields)
        case .wrongPage:
            .googleError(
                .badRequest, "Values must be within the range: [0, 40]", reason: "invalidParameter")
        case .withoutQuery: .googleError(.badRequest, "Missing query.", reason: "queryRequired")
        case .unknown: .googleError(.notFound, "Not Found", reason: "notFound")
        }
    }

    /// Finds and orders volumes; volumes without a date count as the oldest.
    private func found(
        _ query: TitleIndex.Query, _ order: GoogleBooksRequest.Order, _ substitutions: Substitutions
    ) -> [Int] {
        guard !query.authorKeys.contains(where: { substitutions[$0] == .missing }) else { return [] }
        let found = catalog.titles.search(query)
        return switch order {
        case .relevance: found
        case .newest: found.sorted { (catalog.dates[$1] ?? "", $0) < (catalog.dates[$0] ?? "", $1) }
        }
    }

    private func volumes(_ isbn: ISBN, _ substitutions: Substitutions) -> [Int] {
        switch substitutions[.isbn(isbn)] {
        case .missing: []
        case .wrongBook: catalog.wrongVolume(for: isbn).map { [$0] } ?? []
        case nil: catalog.volumes(isbn)
        }
    }

    private func volumes(_ found: [Int], _ fields: FieldMask, _ page: ResultPage) -> Answer {
        var members: [String] = []
        if fields.selecting("kind") != nil { members.append("\"kind\":\"books#volumes\"") }
        if fields.selecting("totalItems") != nil { members.append("\"totalItems\":\(found.count)") }
        var body = ByteBuffer(string: "{" + members.joined(separator: ","))
        let shown = page.part(of: found)
        if let below = fields.selecting("items"), !shown.isEmpty {
            body.writeString(members.isEmpty ? "\"items\":[" : ",\"items\":[")
            for (place, volume) in shown.enumerated() {
                if place > 0 { body.writeString(",") }
                catalog.volumes[volume].write(below, into: &body)
            }
            body.writeString("]")
        }
        body.writeString("}")
        return .json(body)
    }

    /// A volume by ID; for an unknown volume, status 503, as from the real service.
    private func volume(_ id: String, _ fields: FieldMask) -> Answer {
        guard let volume = catalog.volume(id: id) else {
            return .googleError(.serviceUnavailable, "Service temporarily unavailable.", reason: "backendFailed")
        }
        var body = ByteBuffer()
        volume.write(fields, into: &body)
        return .json(body)
    }
}

extension Answer {
    /// An error response in the format of Google's APIs.
    ///
    /// - Parameters:
    ///   - name: The name of the status in gRPC, if the response contains it.
    ///   - info: Details of the error.
    static func googleError(
        _ status: HTTPResponseStatus, _ message: String, reason: String, name: String? = nil, info: JSONValue? = nil
    ) -> Answer {
        .json(
            [
                "error": .members([
                    "code": .integer(Int(status.code)), "message": .string(message),
                    "errors": [["message": .string(message), "domain": "global", "reason": .string(reason)]],
                    "status": name.map(JSONValue.string), "details": info.map { [$0] },
                ])
            ], status: status)
    }
}

/// A request to the Google Books API v1 (https://developers.google.com/books/docs/v1/using).
enum GoogleBooksRequest: Equatable, Sendable {
    /// Maximum of `maxResults`; larger values are refused.
    private static let maximumResults = 40

    enum Order: String, Sendable {
        case relevance
        case newest
    }

    case volumesOf([ISBN], FieldMask, ResultPage)
    case search(TitleIndex.Query, FieldMask, Order, ResultPage)
    case volume(id: String, FieldMask)
    /// `volumes` without `q`.
    case withoutQuery
    /// `maxResults` or `startIndex` is not a number or out of range.
    case wrongPage
    case unknown

    /// - Parameter target: The target without the provider's prefix.
    init(_ target: RequestTarget) {
        let fields = target["fields"].map { FieldMask($0) } ?? .everything
        switch target.components {
        case ["books", "v1", "volumes"]:
            guard let text = target["q"], !text.isEmpty else {
                self = .withoutQuery
                return
            }
            guard let page = Self.page(target) else {
                self = .wrongPage
                return
            }
            if text.lowercased().contains("isbn:") {
                self = .volumesOf(SearchText.isbns(in: text), fields, page)
            } else {
                let query = SearchText.query(text, titleField: "intitle:", authorField: "inauthor:")
                let order = target["orderBy"].flatMap { Order(rawValue: $0) } ?? .relevance
                self = .search(query.trimmed, fields, order, page)
            }
        case let path where path.count == 4 && path.starts(with: ["books", "v1", "volumes"]):
            self = .volume(id: path[3], fields)
        default: self = .unknown
        }
    }

    var keys: [AskedKey] {
        switch self {
        case .volumesOf(let isbns, _, _): isbns.map { .isbn($0) }
        case .search(let query, _, _, _): query.authorKeys
        default: []
        }
    }

    /// The requested page, by default of ten results; nil if it is invalid.
    private static func page(_ target: RequestTarget) -> ResultPage? {
        let start = target["startIndex"].map { Int($0) } ?? 0
        let count = target["maxResults"].map { Int($0) } ?? 10
        guard let start, let count, start >= 0, (0...maximumResults).contains(count) else { return nil }
        return ResultPage(offset: start, limit: count)
    }
}
