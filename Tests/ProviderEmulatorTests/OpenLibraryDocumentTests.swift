import BookIdentifiers
import Testing

@testable import ProviderEmulator

/// Open Library's documents about one book, written out as text.
@Suite("Open Library documents")
struct OpenLibraryDocumentTests {
    private static let times =
        #""created":{"type":"/type/datetime","value":"2024-02-29T12:00:00.000000"},"#
        + #""last_modified":{"type":"/type/datetime","value":"2024-02-29T12:00:00.000000"}"#

    @Test("an edition has its publisher, pages, format and language, and a date with the name of the month")
    func edition() throws {
        #expect(
            try CatalogBook.example().editionDocument(namingAuthors: false).json
                == #"{"publishers":["Ace Books"],"number_of_pages":535,"isbn_10":["0441172717"],"#
                + #""isbn_13":["9780441172719"],"covers":[13473958],"physical_format":"Mass Market Paperback","#
                + #""key":"/books/OL979640124265M","authors":[{"key":"/authors/OL90656767A"}],"#
                + #""languages":[{"key":"/languages/eng"}],"title":"Dune","subtitle":"A Novel","#
                + #""series":["Dune #1"],"publish_date":"September 1, 1990","#
                + #""works":[{"key":"/works/OL974020521219W"}],"type":{"key":"/type/edition"},"#
                + #""latest_revision":3,"revision":3,\#(Self.times)}"#)
    }

    @Test("an edition's details include the authors' names")
    func details() throws {
        let details = try CatalogBook.example().editionDocument(namingAuthors: true)
        #expect(details["authors"]?.json == #"[{"key":"/authors/OL90656767A","name":"Frank Herbert"}]"#)
    }

    @Test("a work has the first publication year, subjects and a description, and no page count")
    func work() throws {
        #expect(
            try CatalogBook.example().workDocument.json
                == #"{"title":"Dune","key":"/works/OL974020521219W","#
                + #""authors":[{"author":{"key":"/authors/OL90656767A"},"type":{"key":"/type/author_role"}}],"#
                + #""description":{"type":"/type/text","value":"Sand."},"first_publish_date":"1965","#
                + #""subjects":["Science Fiction","Desert life"],"covers":[13473958],"type":{"key":"/type/work"},"#
                + #""latest_revision":5,"revision":5,\#(Self.times)}"#)
    }

    @Test("an author known to Wikidata has the Wikidata item and the dates of birth and death")
    func author() {
        let person = Person("Frank Herbert", "Q7934", .male, [.unitedStates], "1920-10-08", "1986-02-11")
        #expect(
            CatalogBook.authorDocument("Frank Herbert", person: person).json
                == #"{"name":"Frank Herbert","personal_name":"Frank Herbert","key":"/authors/OL90656767A","#
                + #""type":{"key":"/type/author"},"revision":1,"latest_revision":1,\#(Self.times),"#
                + #""birth_date":"October 8, 1920","death_date":"February 11, 1986","#
                + #""remote_ids":{"wikidata":"Q7934"}}"#)
    }

    @Test(
        "an author who is not known to Wikidata has neither dates nor an item",
        arguments: ["birth_date", "death_date", "remote_ids"])
    func unknownAuthor(member: String) {
        #expect(CatalogBook.authorDocument("Nobody", person: nil)[member] == nil)
    }

    @Test("an unknown date of death is left out")
    func unknownDeath() {
        let document = CatalogBook.authorDocument("Homer", person: Person("Homer", "Q6691", .male, [], "-0750", "?"))
        #expect(document["death_date"] == nil)
    }

    @Test("a book's data has URLs, identifiers and covers in three sizes")
    func data() throws {
        #expect(
            try CatalogBook.example().dataDocument.json
                == #"{"url":"https://openlibrary.org/books/OL979640124265M","key":"/books/OL979640124265M","#
                + #""title":"Dune","subtitle":"A Novel","#
                + #""authors":[{"url":"https://openlibrary.org/authors/OL90656767A","name":"Frank Herbert"}],"#
                + #""number_of_pages":535,"identifiers":{"isbn_10":["0441172717"],"isbn_13":["9780441172719"],"#
                + #""openlibrary":["OL979640124265M"]},"publishers":[{"name":"Ace Books"}],"#
                + #""publish_date":"September 1, 1990","#
                + #""subjects":[{"name":"Science Fiction","url":"https://openlibrary.org/subjects/science_fiction"},"#
                + #"{"name":"Desert life","url":"https://openlibrary.org/subjects/desert_life"}],"#
                + #""cover":{"small":"https://covers.openlibrary.org/b/id/13473958-S.jpg","#
                + #""medium":"https://covers.openlibrary.org/b/id/13473958-M.jpg","#
                + #""large":"https://covers.openlibrary.org/b/id/13473958-L.jpg"}}"#)
    }

    @Test(
        "an unknown fact is left out of every document",
        arguments: [
            "publishers", "number_of_pages", "isbn_10", "covers", "physical_format", "languages", "subtitle", "series",
            "publish_date", "cover", "subjects", "description", "first_publish_date",
        ])
    func absent(member: String) throws {
        let book = try CatalogBook.bare()
        #expect(book.editionDocument(namingAuthors: true)[member] == nil)
        #expect(book.workDocument[member] == nil)
        #expect(book.dataDocument[member] == nil)
    }

    @Test("an edition whose work has another title keeps its own, and its work's record has the work's title")
    func sharedWork() throws {
        let translated = CatalogBook(
            isbn: try #require(ISBN("9783453317178")), title: "Der Wüstenplanet", authors: ["Frank Herbert"],
            work: "Dune")
        #expect(translated.workKey == "/works/OL974020521219W")
        #expect(translated.workDocument["title"] == "Dune")
        #expect(translated.editionDocument(namingAuthors: false)["title"] == "Der Wüstenplanet")
    }

    @Test(
        "dates are written with the name of the month and only the known parts, and other text is kept",
        arguments: [
            ("2003-09-01", "September 1, 2003"), ("2003-09", "September 2003"), ("2003", "2003"),
            ("1999-12-31", "December 31, 1999"), ("2003-13", "2003-13"), ("2003-00", "2003-00"), ("", ""),
            ("c. 1850", "c. 1850"),
        ])
    func dates(date: String, words: String) {
        #expect(CatalogDate.inWords(date) == words)
    }

    @Test(
        "the year of a date is its last number with four digits",
        arguments: [
            ("September 1, 2003", 2003), ("2003-09", 2003), ("March 1965", 1965), ("1965 or 1966", 1966),
            ("May 5", nil),
            ("", nil), ("12345", nil),
        ])
    func years(date: String, year: Int?) {
        #expect(CatalogDate.year(date) == year)
    }

    @Test(
        "a merged work states the key of its replacement, and a deleted one is marked as deleted",
        arguments: [
            ("/works/OL1W" as String?, "/type/redirect", "/works/OL1W" as JSONValue?), (nil, "/type/delete", nil),
        ])
    func retired(location: String?, type: String, named: JSONValue?) {
        let document = RetiredRecord(key: "/works/OL2W", location: location).document
        #expect(document["key"] == "/works/OL2W")
        #expect(document["type"]?["key"]?.text == type)
        #expect(document["location"] == named)
    }
}
