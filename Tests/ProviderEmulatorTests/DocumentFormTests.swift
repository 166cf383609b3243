import NIOHTTP1
import Testing

@testable import ProviderEmulator

/// One book as each provider documents it: the exact shape that a decoder of the real service meets, oddities included.
@Suite("Documents of providers")
struct DocumentFormTests {
    private let emulator: EmulatorInMemory

    init() throws { emulator = try EmulatorInMemory() }

    /// Compares members in any layout, but in their order.
    private func expect(
        _ target: String, _ document: String, _ headers: HTTPHeaders = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let answer = try emulator.answer(.GET, target, "", headers)
        #expect(answer.status == .ok, sourceLocation: sourceLocation)
        let expected = document.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
        #expect(answer.text == expected, sourceLocation: sourceLocation)
    }

    private static let edition = """
        {"publishers":["Ace Books"],"number_of_pages":535,"isbn_10":["0441172717"],"isbn_13":["9780441172719"],
        "covers":[13473958],"physical_format":"Mass Market Paperback","key":"/books/OL979640124265M",
        "authors":[{"key":"/authors/OL90656767A"}],"languages":[{"key":"/languages/eng"}],"title":"Dune",
        "series":["Dune #1"],"publish_date":"September 1, 1990","works":[{"key":"/works/OL974020521219W"}],
        "type":{"key":"/type/edition"},"latest_revision":3,"revision":3,
        "created":{"type":"/type/datetime","value":"2024-02-29T12:00:00.000000"},
        "last_modified":{"type":"/type/datetime","value":"2024-02-29T12:00:00.000000"}}
        """

    @Test("Open Library's edition has keys as paths, lists for single facts and a date as printed")
    func edition() throws {
        try expect("/openlibrary/books/OL979640124265M.json", Self.edition)
    }

    @Test("Open Library redirects an ISBN to its edition")
    func redirect() throws {
        let answer = try emulator.answer(.GET, "/openlibrary/isbn/9780441172719.json")
        #expect(answer.status == .found)
        #expect(answer.headers["Location"].first?.hasSuffix("/openlibrary/books/OL979640124265M.json") == true)
    }

    @Test("Open Library's details are the edition with the names of its authors")
    func details() throws {
        try expect(
            "/openlibrary/api/books?bibkeys=ISBN:9780441172719&jscmd=details&format=json",
            """
            {"ISBN:9780441172719":{"bib_key":"ISBN:9780441172719",
            "info_url":"https://openlibrary.org/books/OL979640124265M","preview":"noview",
            "preview_url":"https://openlibrary.org/books/OL979640124265M",
            "thumbnail_url":"https://covers.openlibrary.org/b/id/13473958-S.jpg","details":
            \(Self.edition.replacing("OL90656767A\"}", with: "OL90656767A\",\"name\":\"Frank Herbert\"}"))}}
            """)
    }

    @Test("Open Library's data have names and addresses instead of keys")
    func data() throws {
        try expect(
            "/openlibrary/api/books?bibkeys=ISBN:9780441172719&jscmd=data&format=json",
            """
            {"ISBN:9780441172719":{"url":"https://openlibrary.org/books/OL979640124265M",
            "key":"/books/OL979640124265M","title":"Dune",
            "authors":[{"url":"https://openlibrary.org/authors/OL90656767A","name":"Frank Herbert"}],
            "number_of_pages":535,"identifiers":{"isbn_10":["0441172717"],"isbn_13":["9780441172719"],
            "openlibrary":["OL979640124265M"]},"publishers":[{"name":"Ace Books"}],"publish_date":"September 1, 1990",
            "subjects":[{"name":"Science Fiction","url":"https://openlibrary.org/subjects/science_fiction"},
            {"name":"Fantasy","url":"https://openlibrary.org/subjects/fantasy"}],
            "cover":{"small":"https://covers.openlibrary.org/b/id/13473958-S.jpg",
            "medium":"https://covers.openlibrary.org/b/id/13473958-M.jpg",
            "large":"https://covers.openlibrary.org/b/id/13473958-L.jpg"}}}
            """)
    }

    @Test("Open Library's search has a document of standard fields for each work")
    func search() throws {
        try expect(
            "/openlibrary/search.json?title=dune&author=herbert",
            """
            {"numFound":1,"start":0,"numFoundExact":true,"num_found":1,"docs":[{"author_key":["OL90656767A"],
            "author_name":["Frank Herbert"],"cover_i":13473958,"edition_count":8,"first_publish_year":1965,
            "key":"/works/OL974020521219W","language":["eng","ger","fre"],"title":"Dune"}]}
            """)
    }

    @Test("Open Library's search has the best edition below its work if it is named")
    func searchedEdition() throws {
        try expect(
            "/openlibrary/search.json?q=isbn:9780441172719&fields=key,editions",
            """
            {"numFound":1,"start":0,"numFoundExact":true,"num_found":1,"docs":[{"key":"/works/OL974020521219W",
            "editions":{"numFound":1,"start":0,"numFoundExact":true,"docs":[{"key":"/books/OL979640124265M",
            "type":"edition","title":"Dune","cover_i":13473958,"language":["eng"],"publisher":["Ace Books"],
            "format":["Mass Market Paperback"],"publish_date":["September 1, 1990"],"publish_year":[1990],
            "isbn":["9780441172719","0441172717"],"ebook_access":"no_ebook"}]}}]}
            """)
    }

    @Test("Google's volume has markup in its description, http covers and both ISBNs, the older first")
    func volume() throws {
        try expect(
            "/googlebooks/books/v1/volumes?q=isbn:9780441172719",
            """
            {"kind":"books#volumes","totalItems":1,"items":[{"kind":"books#volume","id":"By1T1-W7AAAJ",
            "etag":"JAAA7W-1T1yB","selfLink":"https://www.googleapis.com/books/v1/volumes/By1T1-W7AAAJ",
            "volumeInfo":{"title":"Dune","subtitle":"Dune #1","authors":["Frank Herbert"],"publisher":"Ace Books",
            "publishedDate":"1990-09-01",
            "description":"<p>A duke's son is betrayed on the one planet that has the spice.</p>",
            "industryIdentifiers":[{"type":"ISBN_10","identifier":"0441172717"},
            {"type":"ISBN_13","identifier":"9780441172719"}],"readingModes":{"text":false,"image":false},
            "pageCount":535,"printType":"BOOK","categories":["Science Fiction / Fantasy"],
            "maturityRating":"NOT_MATURE","allowAnonLogging":false,"contentVersion":"preview-1.0.0",
            "imageLinks":{
            "smallThumbnail":"http://books.google.com/books/content?id=By1T1-W7AAAJ&printsec=frontcover&img=1&zoom=5
            &edge=curl&source=gbs_api",
            "thumbnail":"http://books.google.com/books/content?id=By1T1-W7AAAJ&printsec=frontcover&img=1&zoom=1
            &edge=curl&source=gbs_api"},"language":"en",
            "infoLink":"http://books.google.com/books?id=By1T1-W7AAAJ&source=gbs_api",
            "canonicalVolumeLink":"https://books.google.com/books/about/?id=By1T1-W7AAAJ"},
            "saleInfo":{"country":"US","saleability":"NOT_FOR_SALE","isEbook":false},
            "accessInfo":{"country":"US","viewability":"NO_PAGES","embeddable":false,"publicDomain":false,
            "epub":{"isAvailable":false},"pdf":{"isAvailable":false},"accessViewStatus":"NONE"}}]}
            """)
    }

    @Test("a mask leaves of a volume what it names")
    func maskedVolume() throws {
        try expect(
            "/googlebooks/books/v1/volumes?q=isbn:9780441172719&fields=totalItems,items(id,volumeInfo(title,pageCount))",
            #"{"totalItems":1,"items":[{"id":"By1T1-W7AAAJ","volumeInfo":{"title":"Dune","pageCount":535}}]}"#)
    }

    @Test("ISBNdb's book has the ISBN three times and markup in its synopsis")
    func isbndb() throws {
        try expect(
            "/isbndb/book/9780441172719",
            """
            {"book":{"publisher":"Ace Books",
            "synopsis":"A duke's son is betrayed on the one planet that has the spice.<br/><br/>Part of Dune #1.",
            "language":"eng","image":"https://images.isbndb.com/covers/27/19/9780441172719.jpg","title_long":"Dune",
            "pages":535,"date_published":"1990-09-01","subjects":["Science Fiction","Fantasy"],
            "authors":["Frank Herbert"],"title":"Dune","isbn13":"9780441172719","msrp":"0.00",
            "binding":"Mass Market Paperback","isbn":"0441172717","isbn10":"0441172717"}}
            """, ["Authorization": "key"])
    }

    @Test("Wikidata's search has a homonym that is no human")
    func wikidata() throws {
        let answer = try emulator.answer(
            .GET, "/wikidata/w/api.php?action=wbsearchentities&format=json&language=en&search=frank%20herbert")
        let json = try answer.json()
        let found = json["search"]?.elements ?? []
        #expect(json["success"] == 1)
        #expect(json["searchinfo"]?["search"] == "frank herbert")
        #expect(found.map { $0["label"] } == ["Frank Herbert", "Frank Herbert"])
        #expect(found.first?["id"] == "Q7934")
        #expect(found.last?["description"] == "Wikimedia disambiguation page")
        #expect(found.first?["match"] == ["type": "label", "language": "en", "text": "Frank Herbert"])
        #expect(found.first?["concepturi"] == "http://www.wikidata.org/entity/Q7934")
    }

    @Test(
        "what a provider does not know it says in its own way",
        arguments: [
            ("/openlibrary/isbn/9780199535569.json", 404, #"{"error":"notfound""#),
            ("/openlibrary/works/OL1W.json", 404, #"{"error":"notfound""#),
            ("/openlibrary/api/books?bibkeys=ISBN:9780199535569&format=json", 200, "{}"),
            ("/googlebooks/books/v1/volumes?q=isbn:9780199535569", 200, #"{"kind":"books#volumes","totalItems":0}"#),
            ("/googlebooks/books/v1/volumes/nonesuch", 503, #"{"error""#), ("/isbndb/book/9780199535569", 404, "{"),
        ])
    func unknown(target: String, status: UInt, start: String) throws {
        let answer = try emulator.answer(.GET, target, "", ["Authorization": "key"])
        #expect(answer.status.code == status)
        #expect(answer.text.hasPrefix(start))
    }
}
