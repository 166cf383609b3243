import BookMetadata
import BookstrackContract
import Foundation
import TestSupport
import Testing

@Suite("Searches with recorded responses", .enabled(if: TestData.isExpected, Comment(rawValue: TestData.absence)))
struct RecordedSearchTests {
    private func works(_ file: String) throws -> WorkPage {
        try OpenLibrary.decodeSearchPage(TestData.bytes("api_responses/openlibrary/\(file)"))
    }

    private func volumes(_ file: String) throws -> EditionPage {
        try GoogleBooks.decodeVolumePage(TestData.bytes("api_responses/google_books/\(file)"))
    }

    @Test(
        "works, editions and authors in search results are consistent",
        arguments: [
            ("The Lord of the Rings", "J. R. R. Tolkien", "jayfajardo_search.json", "gb_android_findabook.json"),
            ("Dune", nil, "pipeline_search.json", "gb_russian_presaved.json"),
            ("Fantastic beasts", nil, "jayfajardo_search.json", "gb_fantasticbeasts_10a.json"),
        ] as [(String, String?, String, String)])
    func invariants(title: String, author: String?, search: String, volumePage: String) throws {
        let (works, volumes) = (try works(search), try volumes(volumePage))
        let results = SearchAssembly.byText(
            title: title, author: author, openLibrary: works, googleBooks: volumes, limit: 20
        ).results
        #expect(results.resultCount > 0)
        #expect(results.resultCount <= 20)
        #expect(results.editions.count >= results.resultCount)
        #expect(results.totalResults >= max(works.total, results.resultCount))
        for (work, edition) in zip(results.works, results.editions) {
            #expect(work.synthetic == true || work.openLibraryWorkID != nil)
            #expect(work.subjectTags.count <= 25)
            #expect((50...100).contains(work.isbndbQuality))
            #expect(edition.isbn == edition.isbns.first)
            #expect(edition.primaryProvider != nil)
            #expect(
                work.googleBooksVolumeIDs.contains { edition.googleBooksVolumeIDs.contains($0) }
                    || edition.googleBooksVolumeIDs.isEmpty)
        }
        #expect(Set(results.authors.map(\.name)).count == results.authors.count)
        #expect(
            Set(results.works.compactMap(\.openLibraryWorkID)).count
                == results.works.count { $0.openLibraryWorkID != nil })
    }

    @Test("the first result of a search for a famous title is that title")
    func famousTitle() throws {
        let results = SearchAssembly.byText(
            title: "lord of the rings tolkien", openLibrary: try works("jayfajardo_search.json"), limit: 20
        ).results
        #expect(results.works.first?.openLibraryWorkID == "OL27448W")
        #expect(results.works[0].reviewStatus == .verified)
        let dune = SearchAssembly.byText(title: "dune", openLibrary: try works("pipeline_search.json"), limit: 20)
            .results
        #expect(dune.works.map(\.title) == ["Dune", "Children of Dune", "God Emperor of Dune"])
        #expect(dune.totalResults == 259)
    }

    @Test("a work's editions have distinct ISBNs and are sorted by quality")
    func editions() throws {
        let page = try OpenLibrary.decodeEditions(
            TestData.bytes("api_responses/openlibrary/bookwyrm_ol_edition_list.json"))
        let results = SearchAssembly.editions(title: "Sabriel", author: "Garth Nix", openLibrary: page, limit: 50)
        let numbers = results.editions.compactMap(\.isbn)
        #expect(Set(numbers).count == numbers.count)
        #expect(results.resultCount < page.editions.count)
        #expect(results.editions.map(\.isbndbQuality) == results.editions.map(\.isbndbQuality).sorted(by: >))
    }
}
