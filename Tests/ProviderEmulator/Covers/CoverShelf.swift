import BookIdentifiers

/// Which covers there are.
struct CoverShelf: Sendable {
    private let numbers: Set<Int>
    private let numbersByISBN: [ISBN: Int]
    private let volumes: Set<String>
    private let isbndb: Set<ISBN>

    init(_ stock: Stock) {
        numbers = Set(stock.editions.compactMap(\.coverID) + stock.works.compactMap(\.coverID))
        numbersByISBN = Dictionary(
            stock.editions.flatMap { edition in
                edition.isbns.compactMap { isbn in edition.coverID.map { (isbn, $0) } }
            }, uniquingKeysWith: { first, _ in first })
        volumes = Set(stock.volumes.map(\.id))
        isbndb = Set(stock.isbndbBooks.flatMap(\.isbns))
    }

    func has(_ picture: CoverRequest.Picture) -> Bool {
        switch picture {
        case .number(let number): numbers.contains(number)
        case .openLibrary(let isbn): numbersByISBN[isbn] != nil
        case .volume(let id): volumes.contains(id)
        case .isbndb(let isbn): isbndb.contains(isbn)
        }
    }
}
