import BookMetadata
import BookstrackContract
import TestSupport
import Testing

@Suite("Matching real titles", .enabled(if: TestData.isExpected, Comment(rawValue: TestData.absence)))
struct GoodbooksMatchTests {
    /// One in this many rows is looked up, so an unoptimized build takes only seconds.
    private static let step = 8

    @Test(
        "a reader's title usually matches its own work among its author's other books and similar titles, and almost never another work"
    )
    func goodbooks() throws {
        let catalog = try GoodbooksCatalog()
        var tally = MatchTally()
        for index in stride(from: 0, to: catalog.rows.count, by: Self.step) {
            let row = catalog.rows[index]
            let others = catalog.confusable(with: index)
            let query = Self.query(row, number: index / Self.step)
            let all = (others + [index]).sorted().map { catalog.works[$0] }
            tally.add(TitleMatch.best(for: query, among: all), of: query, expected: catalog.works[index])
            // The same query without the book among the candidates: any verified candidate is a mistake.
            let without = others.map { catalog.works[$0] }
            tally.add(TitleMatch.best(for: query, among: without), of: query, expected: nil)
        }
        print("goodbooks10k titles: \(tally)")
        for confusion in tally.confusions { print("  mistaken for another: \(confusion)") }
        #expect(tally.precision >= 0.995)
        #expect(tally.recall >= 0.9)
    }

    @Test("a work listed only under its original title is usually matched, and another work almost never is")
    func originalTitles() throws {
        let catalog = try GoodbooksCatalog()
        var tally = MatchTally()
        for index in stride(from: 3, to: catalog.rows.count, by: Self.step) {
            let query = Self.query(catalog.rows[index], number: index / Self.step)
            let others = catalog.confusable(with: index)
            let all = (others + [index]).sorted().map { catalog.originals[$0] }
            tally.add(TitleMatch.best(for: query, among: all), of: query, expected: catalog.originals[index])
            let without = others.map { catalog.originals[$0] }
            tally.add(TitleMatch.best(for: query, among: without), of: query, expected: nil)
        }
        print("goodbooks10k original titles: \(tally.figures)")
        for confusion in tally.confusions { print("  mistaken for another: \(confusion)") }
        #expect(tally.wrongShare <= 0.005)
        #expect(tally.recall >= 0.88)
    }

    @Test(
        "a title in a reader's export almost always matches its own record in the list, and almost never another book"
    )
    func readersTitles() throws {
        let catalog = try GoodbooksCatalog()
        let records = Dictionary(
            catalog.rows.enumerated().map { ($0.element.record, $0.offset) }, uniquingKeysWith: { one, _ in one })
        var (natural, instead) = (MatchTally(), MatchTally())
        for reader in try NearDuplicateTests.readers(every: 1) {
            guard let index = records[reader.record] else { continue }
            let row = catalog.rows[index]
            let book = try candidate(row.title, by: row.authors)
            natural.add(TitleMatch.best(for: reader.query, among: [book]), of: reader.query, expected: book)
            let others = catalog.confusable(with: index).map { catalog.originals[$0] }
            instead.add(TitleMatch.best(for: reader.query, among: others), of: reader.query, expected: nil)
        }
        print("readers' titles in the list: \(natural.figures); other books alone: \(instead.figures)")
        for miss in natural.misses { print("  missed: \(miss)") }
        for confusion in instead.confusions { print("  mistaken for another: \(confusion)") }
        #expect(natural.asked > 300)
        #expect(natural.recall >= 0.98)
        #expect(instead.wrongShare <= 0.005)
    }

    @Test(
        "if a provider has only other books of a series, they are almost never mistaken for the requested book"
    )
    func siblings() throws {
        var (searches, forReview) = (0, 0)
        var confusions: [String] = []
        for books in try GoodbooksRow.series() where books.count > 1 {
            for (number, book) in books.enumerated() {
                let others = books.filter { !$0.row.isTwin(of: book.row) }
                let asked = [book.row.title, book.row.printedTitle, "\(book.series): \(book.row.printedTitle)"]
                for form in 0..<4 where !others.isEmpty {
                    let candidates = try others.map {
                        let title = $0.row.printedTitle
                        let forms = [
                            title, $0.row.title, "\($0.series): \(title)", "\($0.series) \($0.number): \(title)",
                        ]
                        return try candidate(forms[form], by: $0.row.authors)
                    }
                    let query = BookQuery(title: asked[(number + form) % asked.count], author: book.row.authors[0])
                    searches += 1
                    switch TitleMatch.best(for: query, among: candidates) {
                    case .verified(let match, _): confusions.append("\(query.displayTitle) → \(match.explanation)")
                    case .needsReview: forReview += 1
                    case .notFound: break
                    }
                }
            }
        }
        print("goodbooks10k siblings only: \(searches) searches, verified \(confusions.count), for review \(forReview)")
        for confusion in confusions { print("  mistaken for another: \(confusion)") }
        #expect(searches > 3000)
        #expect(Double(confusions.count) <= 0.005 * Double(searches))
        #expect(Double(forReview) <= 0.01 * Double(searches))
    }

    /// A request for the book, which varies with `number` like the requests of different clients.
    private static func query(_ row: GoodbooksRow, number: Int) -> BookQuery {
        let authors = [
            row.authors.joined(separator: ", "), row.authors[0], row.invertedAuthor, row.authors[0].uppercased(),
        ]
        let titles = [row.title, row.printedTitle, row.title.lowercased(), row.title]
        return BookQuery(title: titles[number / 4 % 4], author: authors[number % 4])
    }
}
