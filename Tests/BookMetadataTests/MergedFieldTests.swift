import BookIdentifiers
import BookMetadata
import BookstrackContract
import Testing

/// metadata.md "Merging" and "Mapping", field by field: which of several records supplies a field, and how a record's
/// quality is rated.
@Suite("Fields of merged records")
struct MergedFieldTests {
    private static let isbn = ISBN("9780441172719")!

    private func record(
        _ provider: DataProvider, _ change: (inout EditionRecord) -> Void = { _ in }
    ) -> EditionRecord {
        var record = EditionRecord(provider: provider)
        record.isbns = [Self.isbn]
        record.title = "Dune (\(provider.rawValue))"
        change(&record)
        return record
    }

    private func work(_ change: (inout WorkRecord) -> Void = { _ in }) -> WorkRecord {
        var work = WorkRecord(provider: .openLibrary, key: "OL893415W")
        work.title = "Dune"
        work.statedISBNs = [Self.isbn.isbn13]
        change(&work)
        return work
    }

    private func merged(_ editions: [EditionRecord], _ works: [WorkRecord] = []) throws -> EnrichedMetadata {
        try #require(MetadataMerge.merged(asked: Self.isbn, editions: editions, works: works)?.book)
    }

    @Test("an edition's field comes from the most preferred provider that has it")
    func preference() throws {
        let open = record(.openLibrary) { $0.publisher = nil }
        let google = record(.googleBooks) { ($0.publisher, $0.pageCount) = ("Google's", 544) }
        let isbndb = record(.isbndb) { ($0.publisher, $0.pageCount, $0.publicationDate) = ("ISBNdb's", 535, "1990") }
        for editions in [[open, google, isbndb], [isbndb, google, open]] {
            let edition = try #require(try merged(editions).edition)
            #expect(edition.title == "Dune (openlibrary)")
            #expect(edition.publisher == "Google's")
            #expect(edition.pageCount == 544)
            #expect(edition.publicationDate == "1990")
            #expect(edition.primaryProvider == .openLibrary)
            #expect(edition.contributors == [.openLibrary, .googleBooks, .isbndb])
        }
    }

    @Test("a provider that supplied no field is not a contributor")
    func contributors() throws {
        let open = record(.openLibrary)
        var google = record(.googleBooks)
        google.isbns = [Self.isbn]
        google.title = nil
        let book = try merged([open, google])
        #expect(book.work.contributors == [.openLibrary])
        // The Google Books record states the edition's ISBN.
        #expect(book.edition?.contributors == [.openLibrary, .googleBooks])
    }

    @Test("a work has the longest description of all records, whichever provider it comes from")
    func longestDescription() throws {
        let editions = [
            record(.openLibrary) { $0.description = "Short." },
            record(.googleBooks) { $0.description = "A longer one." },
        ]
        #expect(try merged(editions, [work { $0.description = "Of the work." }]).work.description == "A longer one.")
        #expect(
            try merged(editions, [work { $0.description = "Of the work, and the longest." }]).work.description
                == "Of the work, and the longest.")
    }

    @Test("an edition does not repeat the work's description")
    func sameDescription() throws {
        let book = try merged([record(.openLibrary) { $0.description = "A tale." }])
        #expect(book.work.description == "A tale.")
        #expect(try #require(book.edition).editionDescription == nil)
    }

    @Test("the subjects of all records are combined, with genres first")
    func subjects() throws {
        let book = try merged(
            [
                record(.openLibrary) { $0.subjects = ["Deserts", "Fantasy fiction"] },
                record(.googleBooks) { $0.subjects = ["Fiction / Science Fiction / General", "deserts"] },
            ], [work { $0.subjects = ["Spices"] }])
        #expect(book.work.subjectTags == ["Fantasy", "Fiction", "Science Fiction", "Spices", "Deserts"])
    }

    @Test("authors come from the work, or else from the first edition that has any")
    func authors() throws {
        let herbert = try #require(AuthorCredit(name: "Frank Herbert", openLibraryKey: "OL79034A"))
        let other = try #require(AuthorCredit(name: "F. Herbert"))
        let google = record(.googleBooks) { $0.authors = [other] }
        #expect(try merged([google], [work { $0.authors = [herbert] }]).authors.map(\.name) == ["Frank Herbert"])
        #expect(try merged([record(.openLibrary), google], [work()]).authors.map(\.name) == ["F. Herbert"])
        #expect(try merged([record(.openLibrary)]).authors.isEmpty)
    }

    @Test("an author receives the key that another record has for the same name")
    func authorKeys() throws {
        let named = try #require(AuthorCredit(name: "Frank Herbert"))
        let keyed = try #require(AuthorCredit(name: "Frank Herbert", openLibraryKey: "OL79034A"))
        let book = try merged(
            [record(.openLibrary) { $0.authors = [keyed] }], [work { $0.authors = [named] }])
        #expect(book.authors.map(\.openLibraryID) == ["OL79034A"])
    }

    @Test("year and title come from the work, and a work that only editions imply is synthetic")
    func works() throws {
        let described = try merged([record(.googleBooks)], [work { $0.firstPublicationYear = 1_965 }])
        #expect(described.work.title == "Dune")
        #expect(described.work.firstPublicationYear == 1_965)
        #expect(described.work.synthetic == false)
        let implied = try merged([record(.googleBooks)])
        #expect(implied.work.title == "Dune (google-books)")
        #expect(implied.work.firstPublicationYear == nil)
        #expect(implied.work.synthetic == true)
    }

    @Test("an edition has the ISBNs of all records, with the requested one first and ISBN-13 before ISBN-10")
    func isbns() throws {
        let other = try #require(ISBN("9780441013593"))
        let book = try merged([record(.googleBooks) { $0.isbns = [other, Self.isbn] }])
        #expect(
            book.edition?.isbns == ["9780441172719", "9780441013593", "0441172717", "0441013597"])
        #expect(book.edition?.isbn == "9780441172719")
    }

    @Test("the identifiers of all records are kept, and the first of some kinds also has a member of its own")
    func identifiers() throws {
        let book = try merged([
            record(.openLibrary) {
                $0.identifiers.openLibraryEdition = "OL1M"
                $0.identifiers.goodreads = ["53732"]
                $0.identifiers.librarything = ["2882"]
                $0.identifiers.amazon = ["B00B7NPRY8"]
            },
            record(.googleBooks) { $0.identifiers.googleVolumes = ["B1hSG45JCX4C"] },
            record(.isbndb) {
                $0.identifiers.isbndb = "i"
                $0.identifiers.amazon = ["B00B7NPRY8", "B000000000"]
            },
        ])
        let edition = try #require(book.edition)
        #expect(edition.openLibraryID == "OL1M")
        #expect(edition.openLibraryEditionID == "OL1M")
        #expect(edition.goodreadsID == "53732")
        #expect(edition.librarythingIDs == ["2882"])
        #expect(edition.amazonASINs == ["B00B7NPRY8", "B000000000"])
        #expect(edition.googleBooksVolumeIDs == ["B1hSG45JCX4C"])
        #expect(edition.googleBooksVolumeID == "B1hSG45JCX4C")
        #expect(edition.isbndbID == "i")
        #expect(book.work.amazonASINs == ["B00B7NPRY8", "B000000000"])
        #expect(book.work.googleBooksVolumeID == "B1hSG45JCX4C")
    }

    @Test(
        "a subtitle is appended to the title unless the title already contains it",
        arguments: [
            ("Dune", nil, "Dune"), ("Dune", "A Novel", "Dune: A Novel"), ("Dune: a novel", "A Novel", "Dune: a novel"),
            ("Dune, A Novel (1965)", "a novel", "Dune, A Novel (1965)"),
        ] as [(String, String?, String)])
    func subtitles(title: String, subtitle: String?, whole: String) {
        #expect(record(.openLibrary) { ($0.title, $0.subtitle) = (title, subtitle) }.fullTitle == whole)
        #expect(record(.openLibrary) { ($0.title, $0.subtitle) = (nil, subtitle) }.fullTitle == nil)
    }

    /// A fact, and the points that it adds to a bare record's quality of 50.
    struct Fact: Sendable, CustomTestStringConvertible {
        let name: String
        let points: Int
        let add: @Sendable (inout EditionRecord) -> Void

        var testDescription: String { name }
    }

    private static let facts = [
        Fact(name: "pages", points: 5) { $0.pageCount = 535 },
        Fact(name: "publisher", points: 5) { $0.publisher = "Ace" },
        Fact(name: "subjects", points: 5) { $0.subjects = ["Deserts"] },
        Fact(name: "authors", points: 5) { $0.authors = [AuthorCredit(name: "Frank Herbert")].compactMap(\.self) },
        Fact(name: "a synopsis of 51 characters", points: 10) { $0.description = String(repeating: "x", count: 51) },
        Fact(name: "a synopsis of 50 characters", points: 0) { $0.description = String(repeating: "x", count: 50) },
        Fact(name: "a language", points: 0) { $0.language = "en" },
        Fact(name: "a date", points: 0) { $0.publicationDate = "1990" },
    ]

    @Test("a record's quality is 50 plus the points for each fact", arguments: facts)
    func quality(fact: Fact) throws {
        let book = try merged([record(.openLibrary, fact.add)])
        #expect(book.work.isbndbQuality == 50 + fact.points)
        #expect(book.edition?.isbndbQuality == 50 + fact.points)
    }

    @Test("a record with all facts except a cover has a quality of 80, or of 70 if its synopsis is short")
    func wholeQuality() throws {
        let book = try merged([record(.openLibrary) { record in for fact in Self.facts { fact.add(&record) } }])
        // Of the two synopses, the one of 50 characters is set last.
        #expect(book.work.isbndbQuality == 70)
        let longer = try merged([
            record(.openLibrary) { record in
                for fact in Self.facts.reversed() { fact.add(&record) }
            }
        ])
        #expect(longer.work.isbndbQuality == 80)
    }
}
