import BookMetadata
import BookstrackContract
import Testing

@Suite("Edition searches")
struct EditionSearchTests {
    private func openLibrary() throws -> EditionPage {
        try OpenLibrary.decodeEditions(
            #"""
            {"size": 120, "entries": [
              {"key": "/books/OL1M", "title": "Dune", "isbn_10": ["0441172717"], "works": [{"key": "/works/OL893415W"}], "publish_date": "1990",
               "authors": [{"key": "/authors/OL79034A"}], "publishers": ["Ace"]},
              {"key": "/books/OL2M", "title": "Der Wüstenplanet", "works": [{"key": "/works/OL893415W"}], "publish_date": "2004",
               "authors": [{"key": "/authors/OL79034A"}], "publishers": ["Heyne"], "number_of_pages": 800, "covers": [3]},
              {"key": "/books/OL3M", "title": "Dune", "works": [{"key": "/works/OL893415W"}], "publish_date": "2005",
               "authors": [{"key": "/authors/OL79034A"}], "publishers": ["Ace"]},
              {"key": "/books/OL4M", "title": "Gardening", "works": [{"key": "/works/OL5W"}]}, "broken"]}
            """#.utf8)
    }

    @Test("the editions of a work include translations and are sorted by quality, then newest first")
    func sorted() throws {
        let results = SearchAssembly.editions(
            title: "Dune", author: "Frank Herbert", openLibrary: try openLibrary(), limit: 50)
        #expect(results.editions.map(\.openLibraryEditionID) == ["OL2M", "OL3M", "OL1M"])
        #expect(results.editions.map(\.isbndbQuality) == [85, 60, 60])
        #expect(results.totalResults == 120)
    }

    @Test("an edition from two providers is merged field by field")
    func folded() throws {
        let volume = try SearchRecords.volume(
            "g", "Dune", "Frank Herbert", isbn: "9780441172719", more: #""pageCount": 544, "publisher": "Penguin""#)
        let results = SearchAssembly.editions(
            title: "Dune", author: "Frank Herbert", openLibrary: try openLibrary(), googleBooks: [volume], limit: 2)
        #expect(results.resultCount == 2)
        #expect(results.editions.map(\.openLibraryEditionID) == ["OL2M", "OL1M"])
        #expect(results.editions[1].pageCount == 544)
        #expect(results.editions[1].publisher == "Ace")
        #expect(results.editions[1].contributors == [.openLibrary, .googleBooks])
    }

    @Test("books with other titles or authors are not editions of the work")
    func others() throws {
        let results = SearchAssembly.editions(
            title: "Dune", author: "Frank Herbert",
            googleBooks: [
                try SearchRecords.volume("a", "Dune Messiah", "Frank Herbert"),
                try SearchRecords.volume("b", "Dune", "Ann Other"),
                try SearchRecords.volume("c", "Dune", "Frank Herbert"),
                try SearchRecords.volume("d", "Summary of Dune", "Frank Herbert"),
            ], limit: 50)
        #expect(results.editions.map(\.googleBooksVolumeID) == ["c"])
        #expect(results.totalResults == 1)
    }
}
