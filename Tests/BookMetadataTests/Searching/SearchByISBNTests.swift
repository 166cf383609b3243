import BookIdentifiers
import BookMetadata
import BookstrackContract
import Testing

@Suite("Answering searches by ISBN")
struct SearchByISBNTests {
    private let dune = ISBN("9780441172719")!

    private func isbndb() throws -> EditionRecord {
        try #require(
            try ISBNdb.decodeBook(
                #"{"book": {"title": "Dune", "isbn13": "9780441172719", "authors": ["Frank Herbert"], "pages": 535, "binding": "Mass Market Paperback"}}"#
                    .utf8))
    }

    @Test("every provider that states the number gives what it has")
    func merged() throws {
        let results = SearchAssembly.byISBN(
            dune, works: try SearchRecords.works(SearchRecords.dune).works,
            googleBooks: [
                try SearchRecords.volume(
                    "g", "Dune", "Frank Herbert", isbn: "9780441172719", more: #""publisher": "Penguin""#)
            ],
            isbndb: [try isbndb()]
        ).results
        #expect(results.works.map(\.title) == ["Dune"] && results.editions.count == 1 && results.totalResults == 1)
        let edition = try #require(results.editions.first)
        #expect(
            edition.isbns == ["9780441172719", "0441172717"] && edition.publisher == "Ace" && edition.pageCount == 535)
        #expect(edition.isbndbID == "9780441172719" && results.works[0].isbndbID == "9780441172719")
        #expect(edition.contributors == [.openLibrary, .googleBooks, .isbndb])
        #expect(results.authors.map(\.openLibraryID) == ["OL79034A"])
    }

    @Test("a provider's other book is no answer")
    func otherBook() throws {
        let other = try SearchRecords.volume("g", "Dune", "Frank Herbert", isbn: "9780593099322")
        #expect(SearchAssembly.byISBN(dune, googleBooks: [other]).results == .none)
    }

    @Test("a provider alone is enough")
    func isbndbAlone() throws {
        let results = SearchAssembly.byISBN(dune, isbndb: [try isbndb()]).results
        #expect(results.works.map(\.primaryProvider) == [.isbndb] && results.works[0].synthetic == true)
        #expect(results.editions.map(\.format) == [.massMarket])
    }
}
