import BookIdentifiers
import BookMetadata
import BookstrackContract
import Testing

@Suite("Merging provider records")
struct MetadataMergeTests {
    let isbn = ISBN("9780441172719")!

    private func openLibraryEdition() throws -> EditionRecord {
        try OpenLibrary.decodeEdition(
            #"""
            {"key": "/books/OL1M", "title": "Dune", "subtitle": "25th anniversary", "isbn_10": ["0441172717"], "publishers": ["Ace"], "covers": [7],
             "description": "Short.", "subjects": ["Ecology"], "works": [{"key": "/works/OL893415W"}], "publish_date": "1990",
             "authors": [{"key": "/authors/OL79034A", "name": "Herbert, Frank"}]}
            """#.utf8)
    }

    private func googleVolume(isbn: String = "9780441172719") throws -> EditionRecord {
        try GoogleBooks.volume(
            #"""
            {"id": "gid", "volumeInfo": {"title": "DUNE", "authors": ["Frank Herbert"], "publisher": "Penguin", "pageCount": 544, "language": "en",
             "industryIdentifiers": [{"type": "ISBN_13", "identifier": "\#(isbn)"}], "categories": ["Fiction / Science Fiction / General"],
             "description": "A description that is longer than fifty characters, surely.",
             "imageLinks": {"thumbnail": "http://books.google.com/c?id=gid&zoom=1", "large": "x"}}}
            """#.utf8)
    }

    private func work() throws -> WorkRecord {
        try #require(
            try OpenLibrary.decodeSearch(
                #"{"docs": [{"key": "/works/OL893415W", "title": "Dune", "author_name": ["Frank Herbert"], "author_key": ["OL79034A"], "first_publish_year": 1965}]}"#
                    .utf8
            ).first)
    }

    @Test("each field comes from the provider preferred for it")
    func perField() throws {
        let book = try #require(
            MetadataMerge.merged(asked: isbn, editions: [googleVolume(), openLibraryEdition()], works: [work()])?.book)
        #expect(book.work.title == "Dune")
        #expect(book.work.firstPublicationYear == 1965)
        #expect(book.work.synthetic == false)
        #expect(book.authors.map(\.name) == ["Frank Herbert"])
        #expect(book.authors.first?.openLibraryID == "OL79034A")
        #expect(book.work.description?.hasPrefix("A description that is longer") == true)
        #expect(book.work.coverImageURL == "https://books.google.com/c?id=gid&zoom=3")
        #expect(book.work.subjectTags == ["Fiction", "Science Fiction", "Ecology"])
        #expect(book.work.openLibraryWorkID == "OL893415W")
        #expect(book.work.googleBooksVolumeID == "gid")
        let edition = try #require(book.edition)
        #expect(edition.title == "Dune: 25th anniversary")
        #expect(edition.publisher == "Ace")
        #expect(edition.pageCount == 544)
        #expect(edition.isbns == ["9780441172719", "0441172717"])
        #expect(edition.isbn == "9780441172719")
        #expect(edition.format == .paperback)
        #expect(edition.language == "en")
        #expect(edition.publicationDate == "1990")
        #expect(edition.openLibraryEditionID == "OL1M")
        #expect(edition.editionDescription == "Short.")
        #expect(book.work.primaryProvider == .openLibrary)
        #expect(edition.primaryProvider == .openLibrary)
        #expect(book.work.contributors == [.openLibrary, .googleBooks])
        #expect(edition.contributors == [.openLibrary, .googleBooks])
        #expect(book.work.isbndbQuality == 100)
        #expect(edition.isbndbQuality == 100)
    }

    @Test("the result states which fields each provider contributed")
    func sources() throws {
        let merged = try #require(
            MetadataMerge.merged(asked: isbn, editions: [googleVolume(), openLibraryEdition()], works: [work()]))
        let both: [BookField] = [.description, .subjects]
        #expect(
            Set(merged.sources[.openLibrary].fields)
                == Set([.title, .authors, .publisher, .publicationDate] + both))
        #expect(Set(merged.sources[.googleBooks].fields) == Set([.cover, .pageCount, .language] + both))
        #expect(merged.sources[.isbndb].fields == [])
    }

    @Test("an edition with an unknown binding is a paperback marked as a guess, and a known binding is not marked")
    func inferredFormat() throws {
        var bound = EditionRecord(provider: .openLibrary)
        (bound.title, bound.isbns, bound.format) = ("Dune", [isbn], .paperback)
        var unbound = bound
        unbound.format = nil
        let guessed = try #require(MetadataMerge.merged(asked: isbn, editions: [unbound], works: [])?.book.edition)
        #expect(guessed.format == .paperback)
        #expect(guessed.formatInferred == true)
        let known = try #require(MetadataMerge.merged(asked: isbn, editions: [bound], works: [])?.book.edition)
        #expect(known.format == .paperback)
        #expect(known.formatInferred == nil)
    }

    @Test("a work has only the Goodreads identifiers in its own record, not those of its editions")
    func goodreadsWorks() throws {
        let record = try OpenLibrary.decodeWork(
            #"{"key": "/works/OL893415W", "title": "Dune", "identifiers": {"goodreads": ["3634639", "234225", "3634639"]}}"#
                .utf8)
        var edition = try openLibraryEdition()
        edition.identifiers.goodreads = ["53732"]
        let book = try #require(
            MetadataMerge.merged(asked: isbn, editions: [edition], works: [try work(), record])?.book)
        #expect(book.work.goodreadsWorkIDs == ["3634639", "234225"])
        #expect(book.work.goodreadsID == "3634639")
        #expect(book.edition?.goodreadsID == "53732")
        let without = try #require(MetadataMerge.merged(asked: isbn, editions: [edition], works: [try work()])?.book)
        #expect(without.work.goodreadsWorkIDs == [])
        #expect(without.work.goodreadsID == nil)
    }

    @Test("a book with a field from ISBNdb states when the field was retrieved, in whole seconds")
    func lastISBNdbSync() throws {
        let fields =
            #""title": "Dune", "isbn13": "9780441172719", "synopsis": "Longer than the other description by far.""#
        var answer = try #require(try ISBNdb.decodeBook("{\"book\": {\(fields)}}".utf8))
        answer.retrievedAt = 1_763_236_800
        let book = try #require(
            MetadataMerge.merged(asked: isbn, editions: [try openLibraryEdition(), answer], works: [try work()])?.book)
        #expect(book.work.contributors?.contains(.isbndb) == true)
        #expect(book.work.lastISBNDBSync == "2025-11-15T20:00:00Z")
        #expect(book.edition?.lastISBNDBSync == "2025-11-15T20:00:00Z")
    }

    @Test("a work without a field from ISBNdb has no retrieval time, even if its edition has one")
    func noISBNdbSync() throws {
        var answer = EditionRecord(provider: .isbndb)
        (answer.isbns, answer.retrievedAt) = ([isbn], 1_763_236_800)
        let book = try #require(
            MetadataMerge.merged(asked: isbn, editions: [try openLibraryEdition(), answer], works: [try work()])?.book)
        #expect(book.work.lastISBNDBSync == nil)
        #expect(book.edition?.lastISBNDBSync == "2025-11-15T20:00:00Z")
    }

    @Test("a record that does not state the requested ISBN is ignored, whatever its title")
    func wrongBook() throws {
        let other = try googleVolume(isbn: "9780141439587")
        #expect(MetadataMerge.merged(asked: isbn, editions: [other], works: [try work()])?.book == nil)
        let book = try #require(
            MetadataMerge.merged(asked: isbn, editions: [other, openLibraryEdition()], works: [])?.book)
        #expect(book.work.contributors == [.openLibrary])
        #expect(book.work.googleBooksVolumeIDs == [])
    }

    @Test("a work that is only implied by an edition is synthetic and has no first publication year")
    func syntheticWork() throws {
        let book = try #require(MetadataMerge.merged(asked: isbn, editions: [googleVolume()], works: [])?.book)
        #expect(book.work.synthetic == true)
        #expect(book.work.firstPublicationYear == nil)
        #expect(book.work.primaryProvider == .googleBooks)
        #expect(book.work.title == "DUNE")
    }

    @Test("a work that states the ISBN yields a book, and no edition fields are invented")
    func workOnly() throws {
        var stating = try work()
        stating.statedISBNs = ["0441172717"]
        let book = try #require(MetadataMerge.merged(asked: isbn, editions: [], works: [stating])?.book)
        #expect(book.edition?.isbns == ["9780441172719", "0441172717"])
        #expect(book.edition?.title == nil)
        #expect(book.edition?.pageCount == nil)
        #expect(book.work.isbndbQuality == 55)
    }

    private let potter = ISBN("9780747532699")!

    /// Two works that state the ISBN: a box set, which the search ranks first, and the book.
    private func potterFacts() throws -> [WorkRecord] {
        let body = #"""
            {"docs": [
              {"key": "/works/OL2W", "title": "Harry Potter Boxed Set (Books 1-7)", "first_publish_year": 2007, "isbn": ["9780747532699"]},
              {"key": "/works/OL1W", "title": "Harry Potter and the Philosopher's Stone", "first_publish_year": 1997, "isbn": ["0747532699"]}]}
            """#
        return try #require(try OpenLibrary.decodeWorkFacts(body.utf8, asked: [potter])[potter])
    }

    private func potterEdition(of work: String = "OL1W") throws -> EditionRecord {
        try OpenLibrary.decodeEdition(
            #"""
            {"key": "/books/OL1M", "title": "Harry Potter and the Philosopher's Stone", "isbn_10": ["0747532699"],
             "works": [{"key": "/works/\#(work)"}]}
            """#.utf8)
    }

    @Test("if several works state the ISBN, the edition's own work is used, even if the search ranks a box set first")
    func ownWork() throws {
        let book = try #require(
            MetadataMerge.merged(asked: potter, editions: [potterEdition()], works: potterFacts())?.book)
        #expect(book.work.title == "Harry Potter and the Philosopher's Stone")
        #expect(book.work.firstPublicationYear == 1997)
        #expect(book.work.openLibraryWorkID == "OL1W")
    }

    @Test("a work to which the edition does not refer is used only if it has the edition's title")
    func otherWork() throws {
        let edition = try potterEdition(of: "OL3W")
        let merged = try #require(MetadataMerge.merged(asked: potter, editions: [edition], works: potterFacts())?.book)
        #expect(merged.work.firstPublicationYear == 1997)
        let boxedSet = try potterFacts()[0]
        let book = try #require(MetadataMerge.merged(asked: potter, editions: [edition], works: [boxedSet])?.book)
        #expect(book.work.title == "Harry Potter and the Philosopher's Stone")
        #expect(book.work.firstPublicationYear == nil)
        #expect(book.work.openLibraryWorkID == "OL3W")
    }

    @Test("the edition's subtitle decides between a series' box set and one of its books with the same main title")
    func ownSubtitle() throws {
        let towers = try #require(ISBN("9780345339713"))
        let body = #"""
            {"docs": [
              {"key": "/works/OL27448W", "title": "The Lord of the Rings", "isbn": ["0345339711"]},
              {"key": "/works/OL262757W", "title": "The Lord of The Rings", "subtitle": "The Two Towers", "isbn": ["0345339711"]}]}
            """#
        let works = try #require(try OpenLibrary.decodeWorkFacts(body.utf8, asked: [towers])[towers])
        var edition = EditionRecord(provider: .googleBooks)
        (edition.title, edition.subtitle, edition.isbns) = ("The Lord of the Rings", "The Two Towers", [towers])
        let book = try #require(MetadataMerge.merged(asked: towers, editions: [edition], works: works)?.book)
        #expect(book.work.openLibraryWorkID == "OL262757W")
    }

    @Test("records without a title do not yield a book")
    func noTitle() throws {
        let nameless = try OpenLibrary.decodeEdition(#"{"key": "/books/OL1M", "isbn_10": ["0441172717"]}"#.utf8)
        #expect(MetadataMerge.merged(asked: isbn, editions: [nameless], works: [])?.book == nil)
    }

    @Test("a title match uses the edition of an agreeing provider and keeps the review status")
    func titleMatch() throws {
        let book = try #require(
            MetadataMerge.merged(
                match: .work(work()), agreeing: [.edition(googleVolume())], reviewStatus: .needsReview)?.book)
        #expect(book.work.reviewStatus == .needsReview)
        #expect(book.work.primaryProvider == .openLibrary)
        #expect(book.edition?.googleBooksVolumeID == "gid")
        #expect(book.work.contributors == [.openLibrary, .googleBooks])
        let alone = try #require(MetadataMerge.merged(match: .work(work()), reviewStatus: .verified)?.book)
        #expect(alone.edition == nil)
    }

    @Test("a match without an edition keeps the work's subtitle, and the key of the edition that its cover belongs to")
    func representedMatch() throws {
        var towers = WorkRecord(provider: .openLibrary, key: "OL262757W")
        (towers.title, towers.subtitle) = ("The Lord of The Rings", "The Two Towers")
        let subtitled = try #require(MetadataMerge.merged(match: .work(towers), reviewStatus: .verified)?.book)
        #expect(subtitled.work.title == "The Lord of The Rings")
        #expect(subtitled.edition?.title == "The Lord of The Rings: The Two Towers")
        #expect(subtitled.edition?.isbns == [])
        #expect(subtitled.edition?.formatInferred == true)
        var dune = try work()
        dune.representativeEditionKey = "OL1M"
        let keyed = try #require(MetadataMerge.merged(match: .work(dune), reviewStatus: .verified)?.book)
        #expect(keyed.edition?.openLibraryEditionID == "OL1M")
        let edition = try openLibraryEdition()
        let fetched = try #require(
            MetadataMerge.merged(match: .work(dune), editions: [edition], reviewStatus: .verified)?.book)
        #expect(fetched.edition?.title == "Dune: 25th anniversary")
    }
}
