import BookMetadata
import BookstrackContract
import Testing

@Suite("Lists of an author's works")
struct AuthorWorksTests {
    private static let author = "Ursula K. Le Guin"

    private func work(_ key: String, _ title: String, year: Int?) -> String {
        let year = year.map { #", "first_publish_year": \#($0)"# } ?? ""
        return #"{"key": "/works/\#(key)", "title": "\#(title)", "author_name": ["\#(Self.author)"]\#(year)}"#
    }

    private func volumes() throws -> EditionPage {
        SearchRecords.page(
            try SearchRecords.volume(
                "g1", "Lavinia", Self.author, isbn: "9780151014248", more: #""publishedDate": "2008-04-21""#),
            try SearchRecords.volume("g2", "Malafrena", Self.author, more: #""publishedDate": "2014""#), total: 40)
    }

    private func hits(
        _ order: AuthorWorksOrder?, offset: Int = 0, limit: Int = 20, total: Int = 3
    ) throws -> BookHits {
        let works = try SearchRecords.works(
            work("OL1W", "Malafrena", year: 1979), work("OL2W", "Rocannon's World", year: 1966),
            work("OL3W", "Buffalo Gals", year: nil), total: total)
        return SearchAssembly.byAuthor(
            Self.author, openLibrary: works, googleBooks: try volumes(), order: order, offset: offset, limit: limit)
    }

    @Test(
        "the works from all providers are sorted together, and works without a sort key come last",
        arguments: [
            (.newest, ["Lavinia", "Malafrena", "Rocannon's World", "Buffalo Gals"]),
            (.oldest, ["Rocannon's World", "Malafrena", "Lavinia", "Buffalo Gals"]),
            (.title, ["Buffalo Gals", "Lavinia", "Malafrena", "Rocannon's World"]),
            (.popularity, ["Malafrena", "Rocannon's World", "Buffalo Gals", "Lavinia"]),
            (nil, ["Malafrena", "Lavinia", "Rocannon's World", "Buffalo Gals"]),
        ] as [(AuthorWorksOrder?, [String])])
    func orders(order: AuthorWorksOrder?, titles: [String]) throws {
        #expect(try hits(order).books.map(\.work.title) == titles)
    }

    @Test(
        "a work with an implausible year of publication is sorted with the works without a year",
        arguments: [Int.min, -10_000, 0, 10_000, .max], [AuthorWorksOrder.newest, .oldest])
    func implausibleYears(year: Int, order: AuthorWorksOrder) throws {
        let works = try SearchRecords.works(
            work("OL1W", "Malafrena", year: year), work("OL2W", "Buffalo Gals", year: nil),
            work("OL3W", "Rocannon's World", year: -44))
        let hits = SearchAssembly.byAuthor(
            Self.author, openLibrary: works, googleBooks: .none, order: order, offset: 0, limit: 3)
        #expect(hits.books.map(\.work.title) == ["Rocannon's World", "Malafrena", "Buffalo Gals"])
        #expect(hits.books.map(\.work.firstPublicationYear) == [-44, nil, nil])
    }

    @Test("pages are slices of the sorted list and together form the whole list")
    func pages() throws {
        let pages = try stride(from: 0, to: 6, by: 2).map {
            try hits(.newest, offset: $0, limit: 2).books.map(\.work.title)
        }
        #expect(pages == [["Lavinia", "Malafrena"], ["Rocannon's World", "Buffalo Gals"], []])
    }

    @Test("the total on every page counts the whole list, including works that Open Library did not return")
    func totals() throws {
        #expect(try hits(.title).total == 4)
        #expect(try hits(.title, offset: 3, limit: 1).total == 4)
        #expect(try hits(.title, total: 93).total == 94)
    }

    @Test("a part of Open Library's list keeps its order and its works, to which Google's volumes only add")
    func part() throws {
        let works = try SearchRecords.works(
            work("OL1W", "Malafrena", year: 1979), work("OL3W", "Buffalo Gals", year: nil),
            work("OL4W", "Malafrena", year: 2014), total: 250)
        let hits = SearchAssembly.part(ofWorksBy: Self.author, openLibrary: works, googleBooks: try volumes())
        #expect(hits.books.map(\.work.openLibraryWorkID) == ["OL1W", "OL3W", "OL4W"])
        #expect(hits.books.map(\.work.googleBooksVolumeIDs) == [["g2"], [], []])
        #expect(hits.total == 250)
    }

    @Test(
        "a bibliography shows the first publication dates by which it is sorted, and other lists show the edition's date"
    )
    func dates() throws {
        let works = try SearchRecords.works(SearchRecords.dune, total: 1)
        let hits = SearchAssembly.byAuthor(
            "Frank Herbert", openLibrary: works, googleBooks: .none, order: .oldest, offset: 0, limit: 1)
        #expect(hits.volumes(isBibliography: true).items.map(\.volumeInfo.publishedDate) == ["1965"])
        #expect(hits.volumes(isBibliography: false).items.map(\.volumeInfo.publishedDate) == ["1990-09"])
    }
}
