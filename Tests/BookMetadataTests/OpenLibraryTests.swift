import BookIdentifiers
import BookMetadata
import BookstrackContract
import Testing
import TestSupport

@Suite("Open Library responses")
struct OpenLibraryTests {
    let isbn = ISBN("9780441172719")!

    @Test("a details response yields each edition under the requested ISBN")
    func details() throws {
        let body = #"""
            {"ISBN:9780441172719": {"bib_key": "ISBN:9780441172719", "info_url": "https://openlibrary.org/books/OL1M", "details": {
              "key": "/books/OL1M", "title": "Dune ", "subtitle": "a novel", "authors": [{"key": "/authors/OL79034A", "name": "Frank Herbert"},
              {"key": "/authors/OL79034A", "name": "Frank  Herbert"}, {"name": "Unknown"}], "isbn_10": ["0-441-17271-7"],
              "publishers": ["Ace"], "publish_date": "Sept 1990", "number_of_pages": 535, "languages": [{"key": "/languages/eng"}],
              "physical_format": "Mass Market Paperback", "covers": [-1, 11], "description": {"type": "/type/text", "value": "Sand &amp; spice"},
              "subjects": ["Science fiction."], "identifiers": {"goodreads": ["1"], "librarything": ["2"], "amazon": ["B0"], "google": ["g"]},
              "works": [{"key": "/works/OL893415W"}], "translated_from": [{"key": "/languages/fre"}], "edition_name": "25th"}}}
            """#
        let record = try #require(try OpenLibrary.decodeDetails(body.utf8)[isbn])
        #expect(record.title == "Dune")
        #expect(record.fullTitle == "Dune: a novel")
        #expect(record.authors.map(\.name) == ["Frank Herbert"])
        #expect(record.authors.map(\.openLibraryKey) == ["OL79034A"])
        #expect(record.isbns == [isbn])
        #expect(record.states(isbn))
        #expect(record.publisher == "Ace")
        #expect(record.publicationDate == "1990-09")
        #expect(record.pageCount == 535)
        #expect(record.language == "en")
        #expect(record.originalLanguage == "fr")
        #expect(record.format == .massMarket)
        #expect(record.cover?.url == "https://covers.openlibrary.org/b/id/11-L.jpg")
        #expect(record.description == "Sand & spice")
        #expect(record.editionTitle == "25th")
        #expect(record.workKeys == ["OL893415W"])
        #expect(record.identifiers.openLibraryEdition == "OL1M")
        #expect(record.identifiers.goodreads == ["1"])
        #expect(record.identifiers.librarything == ["2"])
        #expect(record.identifiers.amazon == ["B0"])
        #expect(record.identifiers.googleVolumes == ["g"])
    }

    @Test(
        "an article that an edition record stores separately is added to the title",
        arguments: [
            ("The ", "idiot", "The idiot"), ("Der", "Zauberberg", "Der Zauberberg"), ("L'", "étranger", "L'étranger"),
        ])
    func titlePrefix(prefix: String, title: String, expected: String) throws {
        let edition = try OpenLibrary.decodeEdition(#"{"title_prefix": "\#(prefix)", "title": "\#(title)"}"#.utf8)
        #expect(edition.title == expected)
    }

    @Test("a field of the wrong type counts as missing, and the fields next to it are read")
    func wronglyTypedFields() throws {
        let body = #"""
            {"ISBN:0441172717": {"details": {"key": 7, "title": ["Dune"], "authors": "Frank", "isbn_13": [9780441172719, "9780441172719", null],
              "publishers": [5, {"name": "Ace"}], "publish_date": 1990, "number_of_pages": "535", "languages": {"key": "x"}, "covers": ["a", 3],
              "description": {"value": 4}, "subjects": null, "identifiers": ["x"], "works": [[]]}}, "ISBN:9780141439587": "oops", "LCCN:1": {}}
            """#
        let editions = try OpenLibrary.decodeDetails(body.utf8)
        let record = try #require(editions[isbn])
        #expect(editions.count == 1)
        #expect(record.isbns == [isbn])
        #expect(record.publisher == "Ace")
        #expect(record.cover?.url.contains("/3-L") == true)
        #expect(record.title == nil)
        #expect(record.authors == [])
        #expect(record.publicationDate == nil)
        #expect(record.pageCount == nil)
        #expect(record.language == nil)
        #expect(record.description == nil)
        #expect(record.subjects == [])
        #expect(record.workKeys == [])
    }

    @Test("the page count is read from the pagination if no number is stated")
    func pagination() throws {
        let record = try OpenLibrary.decodeEdition(#"{"key": "/books/OL1M", "pagination": "xii, 159 p. :"}"#.utf8)
        #expect(record.pageCount == 159)
    }

    @Test("an unknown ISBN is absent from the result, and a malformed response or an error body is rejected")
    func emptyAndMalformed() throws {
        #expect(try OpenLibrary.decodeDetails("{}".utf8).isEmpty)
        for body in ["", "[]", "{", "<html>", "\u{0}", String(repeating: "[", count: 100_000)] {
            #expect(throws: ProviderBodyError.malformed) { try OpenLibrary.decodeDetails(body.utf8) }
        }
        #expect(throws: ProviderBodyError.refused(reason: "notfound")) {
            try OpenLibrary.decodeWork(#"{"error": "notfound", "key": "/works/OL1W"}"#.utf8)
        }
    }

    @Test("an article that a work record stores separately is also added to the title")
    func workTitlePrefix() throws {
        let body = #"{"key": "/works/OL1W", "title_prefix": "The ", "title": "idiot"}"#
        let work = try OpenLibrary.decodeWork(body.utf8)
        #expect(work.title == "The idiot")
    }

    @Test(
        "the record of a merged work yields the key of its replacement, and that of a deleted work is recognized",
        arguments: [
            (
                #""type": {"key": "/type/redirect"}, "location": "/works/OL45804W""#,
                RetiredWork.merged(into: "OL45804W")
            ),
            (#""type": {"key": "/type/redirect"}"#, .deleted), (#""type": {"key": "/type/delete"}"#, .deleted),
            (#""type": {"key": "/type/work"}, "title": "Dune""#, nil),
        ])
    func retirement(fields: String, expected: RetiredWork?) throws {
        let retired = try OpenLibrary.decodeRetirement(#"{"key": "/works/OL1W", \#(fields)}"#.utf8)
        #expect(retired == expected)
    }

    @Test("search results are assigned to each of the requested ISBNs that they state")
    func workFacts() throws {
        let other = try #require(ISBN("9780141439587"))
        let body = #"""
            {"docs": [{"key": "/works/OL1W", "title": "Dune", "author_name": ["Frank Herbert", "Various"], "author_key": ["OL79034A", "OL2A"],
              "first_publish_year": 1965, "isbn": ["0441172717", "9780000000002"], "cover_i": 5, "subject": ["Ecology"]},
              {"key": "/works/OL2W", "title": "Another Dune", "isbn": ["9780441172719"]}, {"title": "no key"}, 7]}
            """#
        let works = try OpenLibrary.decodeWorkFacts(body.utf8, asked: [isbn, other])
        #expect(works.count == 1)
        #expect(works[isbn]?.map(\.key) == ["OL1W", "OL2W"])
        let work = try #require(works[isbn]?.first)
        #expect(work.firstPublicationYear == 1965)
        #expect(work.authors.map(\.name) == ["Frank Herbert"])
        #expect(work.authors.first?.openLibraryKey == "OL79034A")
        #expect(work.cover?.url == "https://covers.openlibrary.org/b/id/5-L.jpg")
        #expect(work.states(isbn))
        #expect(!work.states(other))
    }

    @Test("works are counted by author, authors without a key or count are ignored, and an error body is rejected")
    func workCounts() throws {
        let body = #"{"docs": [{"key": "OL1A", "name": "Ann", "work_count": 7}, {"key": "OL2A"}, {"work_count": 3}]}"#
        #expect(try OpenLibrary.decodeWorkCounts(body.utf8) == ["OL1A": 7])
        #expect(throws: ProviderBodyError.refused(reason: "notfound")) {
            try OpenLibrary.decodeWorkCounts(#"{"error": "notfound"}"#.utf8)
        }
    }
}

extension OpenLibrary {
    /// Reads an edition record, as it occurs in dumps, in a response of the kind that the worker requests.
    static func decodeEdition(_ record: some Sequence<UInt8>) throws -> EditionRecord {
        try #require(try decodeDetailsByEditionKey(TestData.detailsResponse(with: record))["OL1M"])
    }
}
