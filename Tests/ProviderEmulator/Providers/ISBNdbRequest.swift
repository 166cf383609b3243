import BookIdentifiers

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
    case unknown

    /// - Parameter target: The target without the provider's prefix.
    init(_ target: RequestTarget) {
        let path = target.components
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
        default: []
        }
    }
}
