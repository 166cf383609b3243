import BookIdentifiers
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import ProviderEmulator

/// The emulator without its socket: it takes a request and returns how the response would be delivered. Each instance
/// has its own faults and log.
struct InProcessEmulator {
    /// A user agent that every provider accepts.
    static let agent = "BooksTrackTests/1.0 (tests@example.org)"

    let emulator: Emulator

    /// - Parameters:
    ///   - faults: The rules, as JSON text that `PUT /_emulator/faults` accepts.
    ///   - books: Books in addition to the sample's.
    init(faults: String = "[]", books: [CatalogBook] = [], logLimit: Int = 100) throws {
        var stock = try CatalogSources().stock()
        for book in books { stock.add(book) }
        emulator = Emulator(stock: stock, logLimit: logLimit)
        let answer = try answer(.PUT, "/_emulator/faults", body: faults)
        try #require(answer.status == .ok, "\(answer.text)")
    }

    func delivery(
        _ method: HTTPMethod = .GET, _ target: String, headers: HTTPHeaders = [:], body: String = ""
    ) -> Delivery {
        var headers = headers
        if !headers.contains(name: "User-Agent") { headers.add(name: "User-Agent", value: Self.agent) }
        headers.add(name: "Host", value: "emulator.test")
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: headers)
        return emulator.delivery(for: ReceivedRequest(head: head, body: ByteBuffer(string: body)))
    }

    /// The response; throws if the delivery does not send it as a whole.
    func answer(
        _ method: HTTPMethod = .GET, _ target: String, headers: HTTPHeaders = [:], body: String = ""
    ) throws -> Answer {
        guard case .whole(let answer) = delivery(method, target, headers: headers, body: body).manner else {
            throw UnexpectedManner()
        }
        return answer
    }

    func json(_ target: String, headers: HTTPHeaders = [:]) throws -> JSONValue {
        try answer(.GET, target, headers: headers).json
    }

    private struct UnexpectedManner: Error {}
}

extension Answer {
    var text: String { String(buffer: body) }

    var json: JSONValue {
        get throws { try JSONValue(parsing: Array(body.readableBytesView)) }
    }

    func header(_ name: String) -> String? { headers.first(name: name) }
}

extension JSONValue {
    /// The compact JSON text.
    var json: String { String(decoding: rendered, as: UTF8.self) }
}

extension CatalogBook {
    /// A book with every fact. The identifiers that tests expect were computed with a different implementation of FNV-1a.
    static func example(
        subtitle: String? = "A Novel", published: String? = "1990-09-01", format: Format? = .massMarket,
        language: CatalogLanguage? = .english, series: String? = "Dune #1", hasCover: Bool = true,
        withheld: [Provider: Set<Field>] = [:]
    ) throws -> CatalogBook {
        CatalogBook(
            isbn: try #require(ISBN("9780441172719")), title: "Dune", subtitle: subtitle, authors: ["Frank Herbert"],
            firstPublished: 1965, published: published, publisher: "Ace Books", pages: 535, format: format,
            language: language, subjects: ["Science Fiction", "Desert life"], series: series, about: "Sand.",
            hasCover: hasCover, withheld: withheld)
    }

    /// A book with only an ISBN and a title.
    static func bare() throws -> CatalogBook {
        CatalogBook(isbn: try #require(ISBN("9798400000003")), title: "Untitled", authors: [])
    }
}
