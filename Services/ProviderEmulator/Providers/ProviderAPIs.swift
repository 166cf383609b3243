import BookIdentifiers
import NIOCore
import NIOHTTP1

/// Every emulated provider with its catalog.
struct ProviderAPIs: Sendable {
    private let openLibrary: OpenLibraryAPI
    private let googleBooks: GoogleBooksAPI
    private let isbndb: ISBNdbAPI
    private let wikidata: WikidataAPI
    private let covers: CoverAPI

    init(_ stock: Stock) {
        openLibrary = OpenLibraryAPI(catalog: OpenLibraryCatalog(stock))
        googleBooks = GoogleBooksAPI(catalog: GoogleBooksCatalog(stock))
        isbndb = ISBNdbAPI(catalog: ISBNdbCatalog(stock))
        wikidata = WikidataAPI(catalog: WikidataCatalog(stock))
        covers = CoverAPI(catalog: CoverCatalog(stock))
    }

    /// - Parameter target: The request's target without the provider's prefix.
    func call(_ provider: Provider, _ target: RequestTarget, _ request: ReceivedRequest) -> EmulatedCall {
        switch provider {
        case .openLibrary:
            let asked = OpenLibraryRequest(target)
            return EmulatedCall(keys: asked.keys) {
                openLibrary.answer(asked, $0, base: "\(request.origin)/\(provider.rawValue)")
            }
        case .googleBooks:
            let asked = GoogleBooksRequest(target)
            return EmulatedCall(keys: asked.keys, credential: target["key"], country: target["country"]) {
                googleBooks.answer(asked, $0)
            }
        case .isbndb:
            let asked = ISBNdbRequest(request.head.method, target, body: request.body)
            let key = request.head.headers.first(name: "Authorization")
            return EmulatedCall(keys: asked.keys, credential: key) { isbndb.answer(asked, $0, key: key) }
        case .wikidata:
            let asked = WikidataRequest(target)
            let agent = request.head.headers.first(name: "User-Agent")
            return EmulatedCall(keys: asked.keys) { wikidata.answer(asked, $0, userAgent: agent) }
        case .gemini:
            let api = GeminiAPI(target, body: request.body)
            let key = request.head.headers.first(name: "x-goog-api-key")
            return EmulatedCall(
                keys: api.question.keys, credential: key, faulty: { api.answer([:], key: key, fault: $0) }
            ) {
                api.answer($0, key: key)
            }
        case .openAI:
            let api = ChatCompletionAPI(target, body: request.body)
            let key = request.head.headers.first(name: "Authorization")
            return EmulatedCall(keys: api.question.keys, credential: key, faulty: { api.answer([:], fault: $0) }) {
                api.answer($0)
            }
        case .covers:
            let asked = CoverRequest(target)
            return EmulatedCall(keys: asked.keys) {
                covers.answer(asked, $0, base: "\(request.origin)/\(provider.rawValue)")
            }
        }
    }
}

/// The emulated providers. The raw value is the first component of their paths.
enum Provider: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
    case openLibrary = "openlibrary"
    case googleBooks = "googlebooks"
    case isbndb
    case wikidata
    case covers
    case gemini
    /// An OpenAI-compatible server.
    case openAI = "openai"

    /// The media type of the provider's usual responses.
    var contentType: String { self == .covers ? "image/jpeg" : "application/json" }

    /// Providers that can be queried for a book.
    static let catalogs: Set<Provider> = [.openLibrary, .googleBooks, .isbndb]
}

/// A parsed request to one provider: its keys, and a function that answers it.
struct EmulatedCall {
    /// What the request asks for; used to select fault rules and shown in the log.
    let keys: [AskedKey]
    /// The API key of the request, if the provider uses API keys.
    var credential: String?
    /// The country in the request, if the provider needs one.
    var country: String?
    /// Returns the response of an engine with this fault; nil for other providers.
    var faulty: ((EngineFault) -> Answer)?
    let answer: (Substitutions) -> Answer
}

/// A book, author, item, cover or model that a request asks for. A fault rule can be limited to one key.
enum AskedKey: Hashable, Sendable {
    case isbn(ISBN)
    /// The author's name in a search, folded by `String.folded`; at Wikidata, the whole search text.
    case author(String)
    /// A Wikidata item, for example `Q42`.
    case entity(String)
    /// The number of a cover, or the ID of the volume to which the cover belongs.
    case cover(String)
    /// The name of an engine's model.
    case model(String)

    var isbn: ISBN? {
        if case .isbn(let isbn) = self { isbn } else { nil }
    }

    /// The key as text, for the log.
    var text: String {
        switch self {
        case .isbn(let isbn): isbn.isbn13
        case .author(let text), .entity(let text), .cover(let text), .model(let text): text
        }
    }
}

extension EngineQuestion? {
    fileprivate var keys: [AskedKey] { map { [.model($0.model)] } ?? [] }
}

/// What a provider returns for a key instead of the key's record.
enum Substitution: Equatable, Sendable {
    /// As if the key were unknown.
    case missing
    /// A book, person or image other than the requested one.
    case wrongBook
}

typealias Substitutions = [AskedKey: Substitution]

/// A complete HTTP response.
struct Answer: Sendable {
    var status: HTTPResponseStatus
    var headers: HTTPHeaders
    var body: ByteBuffer

    init(_ status: HTTPResponseStatus = .ok, headers: HTTPHeaders = [:], body: ByteBuffer, type: String) {
        self.status = status
        self.headers = headers
        self.headers.replaceOrAdd(name: "Content-Type", value: type)
        self.body = body
    }

    static func json(_ value: JSONValue, status: HTTPResponseStatus = .ok, headers: HTTPHeaders = [:]) -> Answer {
        json(ByteBuffer(bytes: value.rendered), status: status, headers: headers)
    }

    static func json(_ body: ByteBuffer, status: HTTPResponseStatus = .ok, headers: HTTPHeaders = [:]) -> Answer {
        Answer(status, headers: headers, body: body, type: "application/json; charset=UTF-8")
    }

    static func text(_ text: String, status: HTTPResponseStatus = .ok, type: String = "text/plain") -> Answer {
        Answer(status, body: ByteBuffer(string: text), type: type)
    }
}
