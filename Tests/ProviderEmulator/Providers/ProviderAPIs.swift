import NIOHTTP1

/// Every emulated provider with what it knows.
struct ProviderAPIs: Sendable {
    private let openLibrary: OpenLibraryAPI
    private let googleBooks: GoogleBooksAPI
    private let isbndb: ISBNdbAPI
    private let wikidata: WikidataAPI
    private let covers: CoverAPI

    init(_ stock: Stock) {
        openLibrary = OpenLibraryAPI(shelf: OpenLibraryShelf(stock))
        googleBooks = GoogleBooksAPI(shelf: GoogleBooksShelf(stock))
        isbndb = ISBNdbAPI(shelf: ISBNdbShelf(stock))
        wikidata = WikidataAPI(shelf: WikidataShelf(stock))
        covers = CoverAPI(shelf: CoverShelf(stock))
    }

    /// - Parameter target: The request's target without the provider's prefix.
    func call(_ provider: Provider, _ target: RequestTarget, _ request: ReceivedRequest) -> ProviderCall {
        switch provider {
        case .openLibrary:
            let asked = OpenLibraryRequest(target)
            return ProviderCall(keys: asked.keys) {
                openLibrary.answer(asked, $0, base: "\(request.origin)/\(provider.rawValue)")
            }
        case .googleBooks:
            let asked = GoogleBooksRequest(target)
            return ProviderCall(keys: asked.keys, credential: target["key"], country: target["country"]) {
                googleBooks.answer(asked, $0)
            }
        case .isbndb:
            let asked = ISBNdbRequest(request.head.method, target, body: request.body)
            let key = request.head.headers.first(name: "Authorization")
            return ProviderCall(keys: asked.keys, credential: key) { isbndb.answer(asked, $0, key: key) }
        case .wikidata:
            let asked = WikidataRequest(target)
            let agent = request.head.headers.first(name: "User-Agent")
            return ProviderCall(keys: asked.keys) { wikidata.answer(asked, $0, userAgent: agent) }
        case .covers:
            let asked = CoverRequest(target)
            return ProviderCall(keys: asked.keys) {
                covers.answer(asked, $0, base: "\(request.origin)/\(provider.rawValue)")
            }
        }
    }
}
