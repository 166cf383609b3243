import BookMetadata
import BookstrackContract
import TestSupport
import Testing

@Suite("Matching real titles", .enabled(if: TestData.isExpected, Comment(rawValue: TestData.absence)))
struct GoodbooksMatchTests {
    /// Every so many rows are asked about, so that the test takes seconds where nothing is optimised.
    private static let step = 8

    @Test("a reader's title finds its work among its author's other books and similar titles, and hardly ever another")
    func goodbooks() throws {
        let catalogue = try GoodbooksCatalogue()
        var tally = MatchTally()
        for index in stride(from: 0, to: catalogue.rows.count, by: Self.step) {
            let row = catalogue.rows[index]
            let others = catalogue.confusable(with: index)
            let query = Self.query(row, number: index / Self.step)
            let all = (others + [index]).sorted().map { catalogue.works[$0] }
            tally.add(TitleMatch.best(for: query, among: all), of: query, expected: catalogue.works[index])
            // The same question where the provider does not have the book: nothing may be verified.
            let without = others.map { catalogue.works[$0] }
            tally.add(TitleMatch.best(for: query, among: without), of: query, expected: nil)
        }
        print("goodbooks10k titles: \(tally)")
        for confusion in tally.confusions { print("  taken for another: \(confusion)") }
        #expect(tally.precision >= 0.995)
        #expect(tally.recall >= 0.9)
    }

    @Test("works under titles that are not the reader's are hardly ever taken for another")
    func originalTitles() throws {
        let catalogue = try GoodbooksCatalogue()
        var tally = MatchTally()
        for index in stride(from: 3, to: catalogue.rows.count, by: Self.step) {
            let query = Self.query(catalogue.rows[index], number: index / Self.step)
            let others = catalogue.confusable(with: index)
            let all = (others + [index]).sorted().map { catalogue.originals[$0] }
            tally.add(TitleMatch.best(for: query, among: all), of: query, expected: catalogue.originals[index])
            let without = others.map { catalogue.originals[$0] }
            tally.add(TitleMatch.best(for: query, among: without), of: query, expected: nil)
        }
        print("goodbooks10k original titles: \(tally.figures)")
        for confusion in tally.confusions { print("  taken for another: \(confusion)") }
        #expect(tally.wrongShare <= 0.005)
        #expect(tally.recall >= 0.88)
    }

    /// The book as different clients ask for it.
    private static func query(_ row: GoodbooksRow, number: Int) -> BookQuery {
        let authors = [
            row.authors.joined(separator: ", "), row.authors[0], row.invertedAuthor, row.authors[0].uppercased(),
        ]
        let titles = [row.title, row.printedTitle, row.title.lowercased(), row.title]
        return BookQuery(title: titles[number / 4 % 4], author: authors[number % 4])
    }
}
