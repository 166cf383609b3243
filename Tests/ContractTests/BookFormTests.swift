import BookstrackContract
import TestSupport
import Testing

/// Works, editions and authors as clients decode them (metadata.md "Books").
@Suite("JSON of books")
struct BookFormTests {
    @Test("a work with only a title has empty lists and no nulls")
    func bareWork() throws {
        #expect(
            try WireForm.of(WorkDTO(title: "Dune"))
                == WireForm.line(
                    """
                    {"title":"Dune","subjectTags":[],"goodreadsWorkIDs":[],"amazonASINs":[],"librarythingIDs":[],
                    "googleBooksVolumeIDs":[],"isbndbQuality":0,"reviewStatus":"verified"}
                    """))
    }

    private static let fullWork = """
        {"title":"Dune","subjectTags":["Science Fiction"],"goodreadsWorkIDs":["3634639"],"amazonASINs":["B00B7NPRY8"],
        "librarythingIDs":["2882"],"googleBooksVolumeIDs":["B1hSG45JCX4C"],"isbndbQuality":95,
        "reviewStatus":"needsReview","originalLanguage":"en","firstPublicationYear":1965,"description":"A planet.",
        "coverImageURL":"https://covers.openlibrary.org/b/id/1-L.jpg","synthetic":true,
        "primaryProvider":"openlibrary","contributors":["openlibrary","google-books"],"openLibraryID":"OL893415W",
        "openLibraryWorkID":"OL893415W","isbndbID":"i","googleBooksVolumeID":"B1hSG45JCX4C","goodreadsID":"3634639",
        "lastISBNDBSync":"2025-11-15T20:00:00Z","originalImagePath":"/v1/scan/photos/J/0",
        "boundingBox":{"x":0.1,"y":0.2,"width":0.3,"height":0.4,"x1":0.1,"y1":0.2,"x2":0.4,"y2":0.6}}
        """

    @Test("a work has every member under its documented name")
    func fullWork() throws {
        var work = WorkDTO(title: "Dune", reviewStatus: .needsReview)
        work.subjectTags = ["Science Fiction"]
        work.goodreadsWorkIDs = ["3634639"]
        work.amazonASINs = ["B00B7NPRY8"]
        work.librarythingIDs = ["2882"]
        work.googleBooksVolumeIDs = ["B1hSG45JCX4C"]
        work.isbndbQuality = 95
        (work.originalLanguage, work.firstPublicationYear, work.description) = ("en", 1_965, "A planet.")
        work.coverImageURL = "https://covers.openlibrary.org/b/id/1-L.jpg"
        (work.synthetic, work.primaryProvider, work.contributors) = (true, .openLibrary, [.openLibrary, .googleBooks])
        (work.openLibraryID, work.openLibraryWorkID, work.isbndbID) = ("OL893415W", "OL893415W", "i")
        (work.googleBooksVolumeID, work.goodreadsID) = ("B1hSG45JCX4C", "3634639")
        work.lastISBNDBSync = "2025-11-15T20:00:00Z"
        work.originalImagePath = "/v1/scan/photos/J/0"
        work.boundingBox = BoundingBox(x1: 0.1, y1: 0.2, x2: 0.4, y2: 0.6)
        #expect(try WireForm.of(work) == WireForm.line(Self.fullWork))
        #expect(try WireForm.read(WorkDTO.self, WireForm.line(Self.fullWork)) == work)
    }

    @Test("an edition with only ISBNs contains their list and, as a separate member, the first one")
    func bareEdition() throws {
        #expect(
            try WireForm.of(EditionDTO(isbns: ["9780441172719", "0441172717"], format: .massMarket))
                == WireForm.line(
                    """
                    {"isbns":["9780441172719","0441172717"],"format":"Mass Market","amazonASINs":[],
                    "googleBooksVolumeIDs":[],"librarythingIDs":[],"isbndbQuality":0,"isbn":"9780441172719"}
                    """))
        #expect(EditionDTO(isbns: [], format: .ebook).isbn == nil)
    }

    private static let fullEdition = """
        {"isbns":["9780441172719"],"format":"E-book","amazonASINs":["B00B7NPRY8"],"googleBooksVolumeIDs":["v"],
        "librarythingIDs":["l"],"isbndbQuality":80,"formatInferred":true,"isbn":"9780441172719","title":"Dune",
        "publisher":"Ace","publicationDate":"1990-09","pageCount":535,"coverImageURL":"https://c/1.jpg",
        "editionTitle":"Deluxe","editionDescription":"d","language":"en","primaryProvider":"isbndb",
        "contributors":["isbndb"],"openLibraryID":"OL1M","openLibraryEditionID":"OL1M","isbndbID":"i",
        "googleBooksVolumeID":"v","goodreadsID":"g","lastISBNDBSync":"2025-11-15T20:00:00Z"}
        """

    @Test("an edition has every member under its documented name")
    func fullEdition() throws {
        var edition = EditionDTO(isbns: ["9780441172719"], format: .ebook)
        edition.amazonASINs = ["B00B7NPRY8"]
        (edition.googleBooksVolumeIDs, edition.librarythingIDs, edition.isbndbQuality) = (["v"], ["l"], 80)
        (edition.formatInferred, edition.title, edition.publisher) = (true, "Dune", "Ace")
        (edition.publicationDate, edition.pageCount, edition.coverImageURL) = ("1990-09", 535, "https://c/1.jpg")
        (edition.editionTitle, edition.editionDescription, edition.language) = ("Deluxe", "d", "en")
        (edition.primaryProvider, edition.contributors) = (.isbndb, [.isbndb])
        (edition.openLibraryID, edition.openLibraryEditionID, edition.isbndbID) = ("OL1M", "OL1M", "i")
        (edition.googleBooksVolumeID, edition.goodreadsID) = ("v", "g")
        edition.lastISBNDBSync = "2025-11-15T20:00:00Z"
        #expect(try WireForm.of(edition) == WireForm.line(Self.fullEdition))
        #expect(try WireForm.read(EditionDTO.self, WireForm.line(Self.fullEdition)) == edition)
    }

    @Test("an author with only a name is encoded with the gender Unknown")
    func bareAuthor() throws {
        #expect(try WireForm.of(AuthorDTO(name: "Homer")) == #"{"name":"Homer","gender":"Unknown"}"#)
    }

    @Test("an author has every member under its documented name, and years BCE are negative")
    func fullAuthor() throws {
        var author = AuthorDTO(name: "Homer", openLibraryID: "OL6848355A")
        (author.gender, author.culturalRegion, author.nationality) = (.male, .europe, "Greece")
        (author.birthYear, author.deathYear, author.isbndbID) = (-750, -700, "i")
        (author.googleBooksID, author.goodreadsID, author.bookCount) = ("g", "903", 411)
        let text = WireForm.line(
            """
            {"name":"Homer","gender":"Male","culturalRegion":"Europe","nationality":"Greece","birthYear":-750,
            "deathYear":-700,"openLibraryID":"OL6848355A","isbndbID":"i","googleBooksID":"g","goodreadsID":"903",
            "bookCount":411}
            """)
        #expect(try WireForm.of(author) == text)
        #expect(try WireForm.read(AuthorDTO.self, text) == author)
    }

    @Test("decoding requires only the members that every version sends")
    func required() throws {
        #expect(
            try WireForm.requiredMembers(of: WorkDTO.self, in: WireForm.line(Self.fullWork)) == [
                "amazonASINs", "goodreadsWorkIDs", "googleBooksVolumeIDs", "isbndbQuality", "librarythingIDs",
                "reviewStatus", "subjectTags", "title",
            ])
        #expect(
            try WireForm.requiredMembers(of: EditionDTO.self, in: WireForm.line(Self.fullEdition)) == [
                "amazonASINs", "format", "googleBooksVolumeIDs", "isbndbQuality", "isbns", "librarythingIDs",
            ])
        #expect(
            try WireForm.requiredMembers(of: AuthorDTO.self, in: #"{"name":"a","gender":"Female","bookCount":1}"#) == [
                "gender", "name",
            ])
    }

    @Test("members from a newer version are ignored, and null counts as absent")
    func tolerance() throws {
        let text = #"{"name":"Ann","gender":"Female","birthYear":null,"pronouns":["she"],"x":{"y":[1]}}"#
        var author = AuthorDTO(name: "Ann")
        author.gender = .female
        #expect(try WireForm.read(AuthorDTO.self, text) == author)
    }

    @Test(
        "an author that is not an object or has an invalid member is rejected",
        arguments: [
            #"{"name":5,"gender":"Female"}"#, #"{"name":"Ann","gender":"female"}"#, #"{"name":"Ann","gender":null}"#,
            #"{"name":"Ann","gender":"Female","birthYear":"1901"}"#, #"[]"#, #""Ann""#,
        ])
    func wrongTypes(text: String) {
        #expect(throws: DecodingError.self) { try WireForm.read(AuthorDTO.self, text) }
    }

    @Test("titles in any script are unchanged by encoding and decoding")
    func scripts() throws {
        for title in ["戦争と平和", "Война и мир", "ألف ليلة وليلة", "Ἰλιάς", "🦊 \"fox\"", "a\\b\tc\u{0}\u{7f}"] {
            let text = try WireForm.of(WorkDTO(title: title))
            #expect(try WireForm.read(WorkDTO.self, text).title == title)
        }
    }
}
