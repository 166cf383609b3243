import BookIdentifiers

/// What Google Books knows, indexed by everything it can be asked for.
struct GoogleBooksShelf: Sendable {
    /// Members can be asked for down to those of `volumeInfo`.
    private static let fieldDepth = 2

    let volumes: [RenderedObject]
    let titles: TitleIndex
    /// Dates of publication as they are given.
    let dates: [String?]

    private let byISBN: [ISBN: [Int]]
    private let byID: [String: Int]

    init(_ stock: Stock) {
        volumes = stock.volumes.map { RenderedObject(fieldDepth: Self.fieldDepth, $0.document) }
        titles = TitleIndex(stock.volumes.map { TitleIndex.Entry(title: $0.title, authors: $0.authors) })
        dates = stock.volumes.map(\.date)
        byISBN = Dictionary(
            stock.volumes.enumerated().flatMap { index, volume in volume.isbns.map { ($0, [index]) } },
            uniquingKeysWith: +)
        byID = Dictionary(stock.volumes.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Every volume with this ISBN; several recorded ones may share it.
    func volumes(_ isbn: ISBN) -> [Int] { byISBN[isbn] ?? [] }

    func volume(id: String) -> RenderedObject? { byID[id].map { volumes[$0] } }

    /// A volume that is not the one asked for, always the same one.
    func wrongVolume(for isbn: ISBN) -> Int? {
        wrongIndex(for: isbn, known: volumes(isbn).last, count: volumes.count)
    }
}
