import BookMetadata
import BookstrackContract
import Testing

@Suite("Matching imported rows")
struct ImportedRowMatchTests {
    private func work(_ title: String, _ authors: [String]) throws -> BookCandidate {
        var work = WorkRecord(provider: .openLibrary, key: "OL\(abs(title.hashValue % 1000))W")
        let names = authors.map { "{\"name\": \"\($0)\"}" }.joined(separator: ",")
        work.title = title
        work.authors = try OpenLibrary.decodeEdition("{\"authors\": [\(names)]}".utf8).authors
        return .work(work)
    }

    private func isVerified(_ verdict: MatchVerdict) -> String? {
        if case .verified(let match, _) = verdict { match.candidate.title } else { nil }
    }

    /// An imported row without an ISBN.
    private func row(_ title: String, subtitle: String? = nil, series: ImportedSeries? = nil) -> BookQuery {
        var book = ImportedBook(row: 1, lineNumber: 2, title: title, author: "Ann Author")
        (book.subtitle, book.series) = (subtitle, series)
        return BookQuery(title: book.lookupTitle, author: book.author)
    }

    @Test(
        "an imported row is never matched with another book of its series, and is matched with the book itself",
        arguments: [
            ("The Lord of the Rings", "The Two Towers", nil, "The Lord of the Rings", "The Two Towers"),
            ("Mistborn", "The Hero of Ages", nil, "Mistborn", "Mistborn: The Hero of Ages"),
            ("Maus", "And Here My Troubles Began", nil, "Maus", "Maus: And Here My Troubles Began"),
            ("Saga", nil, ImportedSeries(name: "Saga", position: "2"), "Saga", "Saga, Volume 2"),
        ] as [(String, String?, ImportedSeries?, String, String)])
    func importedVolumes(title: String, subtitle: String?, series: ImportedSeries?, sibling: String, book: String)
        throws
    {
        let query = row(title, subtitle: subtitle, series: series)
        let candidates = [try work(sibling, ["Ann Author"]), try work(book, ["Ann Author"])]
        #expect(isVerified(TitleMatch.best(for: query, among: candidates)) == book)
        guard case .notFound = TitleMatch.best(for: query, among: [candidates[0]]) else {
            Issue.record("another book of the series was accepted")
            return
        }
    }

    @Test(
        "an imported row whose subtitle describes the book is matched with a record that has no subtitle or another one",
        arguments: [
            ("Sapiens", "A Brief History of Humankind", "Sapiens"), ("Emma", "A Novel", "Emma"),
            ("Hillel the Elder", "The Emergence of Classical Judaism", "Hillel the Elder"),
            (
                "Why We Sleep", "Unlocking the Power of Sleep and Dreams",
                "Why We Sleep: The New Science of Sleep and Dreams"
            ),
        ])
    func importedSubtitles(title: String, subtitle: String, book: String) throws {
        let verdict = TitleMatch.best(for: row(title, subtitle: subtitle), among: [try work(book, ["Ann Author"])])
        #expect(isVerified(verdict) == book)
    }

    @Test(
        "an imported first volume or whole series that has the series' name is matched with a record without a number",
        arguments: ["1", "1-3"])
    func firstVolume(position: String) throws {
        let query = row("Dune", series: ImportedSeries(name: "Dune", position: position))
        #expect(isVerified(TitleMatch.best(for: query, among: [try work("Dune", ["Ann Author"])])) == "Dune")
    }
}
