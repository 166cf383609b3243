import BookIdentifiers
import BookMetadata
import BookstrackContract
import Testing

@Suite("Text searches")
struct SearchByTextTests {
    @Test("each work has an edition at the same index, and further editions follow")
    func pairing() throws {
        let results = SearchAssembly.byText(
            title: "Dune", author: "Frank Herbert",
            openLibrary: try SearchRecords.works(SearchRecords.messiah, SearchRecords.dune, total: 300),
            googleBooks: SearchRecords.page(
                try SearchRecords.volume("g1", "Dune", "Frank Herbert", isbn: "9780593099322"),
                try SearchRecords.volume("g2", "DUNE", "F. Herbert", isbn: "9780441172719", more: #""pageCount": 544"#),
                total: 200),
            limit: 20
        ).results
        #expect(results.works.map(\.title) == ["Dune", "Dune Messiah"])
        #expect(results.totalResults == 300)
        #expect(results.editions.map(\.openLibraryEditionID) == ["OL7M", "OL2M", nil])
        #expect(results.editions[0].isbns == ["9780441172719", "0441172717"])
        #expect(results.editions[0].pageCount == 544)
        #expect(results.editions[0].format == .massMarket)
        #expect(results.editions[0].publicationDate == "1990-09")
        #expect(results.editions[0].contributors == [.openLibrary, .googleBooks])
        #expect(results.editions[1].isbns == [])
        #expect(results.editions[1].coverImageURL?.hasSuffix("/13-L.jpg") == true)
        #expect(results.editions[2].isbn == "9780593099322")
        #expect(results.editions[2].primaryProvider == .googleBooks)
        #expect(results.authors.map(\.name) == ["Frank Herbert"])
        #expect(results.authors[0].openLibraryID == "OL79034A")
        #expect(results.works[0].googleBooksVolumeIDs == ["g2", "g1"])
        #expect(results.works[0].synthetic == false)
        #expect(results.works[0].reviewStatus == .verified)
        #expect(results.works[1].reviewStatus == .needsReview)
        #expect(results.works[0].subjectTags == ["Fiction", "Science Fiction"])
    }

    @Test("an explained search states a reason for each work's rank, in the order of the works")
    func reasons() throws {
        func results(isExplained: Bool) throws -> SearchResults {
            SearchAssembly.byText(
                title: "Dune", author: "Frank Herbert",
                openLibrary: try SearchRecords.works(SearchRecords.messiah, SearchRecords.dune, total: 2), limit: 20,
                isExplained: isExplained
            ).results
        }
        let report = try #require(try results(isExplained: true).matching)
        #expect(report.works.map(\.title) == ["Dune", "Dune Messiah"])
        #expect(report.works.map(\.verdict) == [.verified, .other])
        #expect(report.works.allSatisfy { $0.authors == ["Frank Herbert"] })
        #expect(report.works[0].reasons.map(\.text) == ["the titles agree", "the authors agree"])
        #expect(
            report.works[1].reasons.first == .init(agrees: false, text: "only the candidate has the word “messiah”"))
        #expect(report.works[1].score < report.reviewFrom)
        #expect(report.verifiedFrom == 0.85)
        #expect(try results(isExplained: false).matching == nil)
    }

    @Test(
        "words that name the author are not taken for words of the title, even if the initials are joined",
        arguments: [
            ("the hobbit jrr tolkien", "The Hobbit", "J. R. R. Tolkien"),
            ("2001 a space odyssey by ac clarke", "2001: A Space Odyssey", "Arthur C. Clarke"),
            ("i robot isaac asimov", "I, Robot", "Isaac Asimov"),
        ])
    func authorWords(words: String, title: String, author: String) throws {
        let work = #"{"key": "/works/OL1W", "title": "\#(title)", "author_name": ["\#(author)"]}"#
        let results = SearchAssembly.byText(title: words, openLibrary: try SearchRecords.works(work), limit: 20).results
        #expect(results.works.map(\.reviewStatus) == [.verified])
    }

    @Test("a work's subtitle is part of the title of the edition that represents it")
    func subtitles() throws {
        let results = SearchAssembly.byText(
            title: "The Lord of the Rings",
            openLibrary: try SearchRecords.works(
                #"{"key": "/works/OL1W", "title": "The Lord of The Rings", "subtitle": "The Two Towers"}"#,
                #"{"key": "/works/OL2W", "title": "The Lord of The Rings", "subtitle": "The Return of The King"}"#),
            limit: 20
        ).results
        #expect(results.works.map(\.title) == ["The Lord of The Rings", "The Lord of The Rings"])
        #expect(
            results.editions.map(\.title) == [
                "The Lord of The Rings: The Two Towers", "The Lord of The Rings: The Return of The King",
            ])
    }

    @Test("a book known only from an edition has a synthetic work")
    func synthetic() throws {
        let results = SearchAssembly.byText(
            title: "Emma", googleBooks: SearchRecords.page(try SearchRecords.volume("g", "Emma", "Jane Austen")),
            limit: 5
        ).results
        #expect(results.works.map(\.synthetic) == [true])
        #expect(results.works[0].primaryProvider == .googleBooks)
        #expect(results.works[0].firstPublicationYear == nil)
        #expect(results.editions.map(\.googleBooksVolumeID) == ["g"])
    }

    @Test("books from another provider that do not match the words are omitted")
    func unrelated() throws {
        let stray = try SearchRecords.volume("g", "Gardening for Beginners", "Ann Other")
        let works = try SearchRecords.works(SearchRecords.messiah)
        let results = SearchAssembly.byText(
            title: "Dune Messiah", openLibrary: works, googleBooks: SearchRecords.page(stray), limit: 5
        ).results
        #expect(results.works.map(\.title) == ["Dune Messiah"])
    }

    @Test("a total beyond any catalog's size is limited, so the search still has a result")
    func hugeTotal() throws {
        let works = try SearchRecords.works(SearchRecords.dune, total: .max)
        #expect(works.total == 1_000_000_000)
        let author = "Frank Herbert"
        let volumes = SearchRecords.page(
            try SearchRecords.volume("g1", "Dune", author), try SearchRecords.volume("g2", "Dune Messiah", author),
            total: .max)
        #expect(volumes.total == 1_000_000_000)
        let found = SearchAssembly.byText(
            title: "Dune", author: author, openLibrary: works, googleBooks: volumes, limit: 20)
        #expect(found.total >= 1_000_000_000)
        let listed = SearchAssembly.byAuthor(
            author, openLibrary: works, googleBooks: volumes, order: nil, offset: 0, limit: 20)
        #expect(listed.total >= 1_000_000_000)
        #expect(try SearchRecords.works(total: .min).total == 0)
    }

    @Test("the total counts only books that can be shown, each once")
    func total() throws {
        let volumes = SearchRecords.page(
            try SearchRecords.volume("g1", "Dune", "Frank Herbert"),
            try SearchRecords.volume("g2", "Dune", "F. Herbert"),
            try SearchRecords.volume("g3", "Gardening for Beginners", "Ann Other"), total: 3)
        let works = try SearchRecords.works(SearchRecords.dune, total: 1)
        let hits = SearchAssembly.byText(title: "Dune", openLibrary: works, googleBooks: volumes, limit: 1)
        #expect(hits.total == 1)
        #expect(hits.volumes(isBibliography: false).totalItems == 1)
    }

    @Test("a translated title is found through the edition that has it")
    func translation() throws {
        let works = try SearchRecords.works(
            #"""
            {"key": "/works/OL166894W", "title": "Преступление и наказание", "author_name": ["Фёдор Достоевский"],
             "editions": {"docs": [{"key": "/books/OL9M", "title": "Crime and Punishment", "language": ["eng"]}]}}
            """#)
        let results = SearchAssembly.byText(title: "Crime and punishment", openLibrary: works, limit: 5).results
        #expect(results.works.map(\.reviewStatus) == [.verified])
        #expect(results.editions.map(\.title) == ["Crime and Punishment"])
        #expect(
            SearchAssembly.byText(title: "преступление и наказание", openLibrary: works, limit: 5).results.works[0]
                .reviewStatus
                == .verified)
    }

    @Test(
        "words that identify the author do not count as part of the title",
        arguments: ["dune frank herbert", "Herbert Dune", "Dune by Frank Herbert"])
    func authorWords(text: String) throws {
        let results = SearchAssembly.byText(
            title: text, openLibrary: try SearchRecords.works(SearchRecords.messiah, SearchRecords.dune), limit: 1
        ).results
        #expect(results.works.map(\.title) == ["Dune"])
        #expect(results.works[0].reviewStatus == .verified)
    }

    @Test("books with the same title by different people stay separate, in their provider's order")
    func homonyms() throws {
        let results = SearchAssembly.byText(
            title: "Legend",
            openLibrary: try SearchRecords.works(
                #"{"key": "/works/OL1W", "title": "Legend", "author_name": ["Marie Lu"]}"#,
                #"{"key": "/works/OL2W", "title": "Legend", "author_name": ["David Gemmell"]}"#),
            googleBooks: SearchRecords.page(try SearchRecords.volume("g", "Legend", "Gemmell, David")), limit: 5
        ).results
        #expect(results.works.map(\.openLibraryWorkID) == ["OL1W", "OL2W"])
        #expect(results.authors.map(\.name) == ["Marie Lu", "David Gemmell"])
        #expect(results.works.map(\.googleBooksVolumeIDs) == [[], ["g"]])
    }

    @Test("volumes of a series are not merged into the book that has the series' name")
    func series() throws {
        let results = SearchAssembly.byText(
            title: "The Lord of the Rings",
            openLibrary: try SearchRecords.works(
                #"{"key": "/works/OL1W", "title": "The Lord of the Rings", "author_name": ["J. R. R. Tolkien"]}"#),
            googleBooks: SearchRecords.page(
                try SearchRecords.volume("a", "The Lord of the Rings: The Two Towers", "J.R.R. Tolkien"),
                try SearchRecords.volume("b", "The Lord of the Rings: The Return of the King", "J.R.R. Tolkien"),
                try SearchRecords.volume("c", "The Lord of the Rings", "J.R.R. Tolkien"),
                try SearchRecords.volume("d", "The Lord of the Rings Box Set", "J.R.R. Tolkien")),
            limit: 20
        ).results
        #expect(results.works.count == 4)
        #expect(results.works[0].googleBooksVolumeIDs == ["c"])
    }

    /// A box set that lists the ISBN of "The Two Towers".
    private static let boxSet = #"""
        {"key": "/works/OL27448W", "title": "The Lord of the Rings", "author_name": ["J. R. R. Tolkien"], "isbn": ["0345339711"]}
        """#

    @Test("an edition belongs to the work that states its ISBN and has its title, even if a box set comes first")
    func boxSets() throws {
        let results = SearchAssembly.byText(
            title: "The Two Towers", author: "Tolkien",
            openLibrary: try SearchRecords.works(
                Self.boxSet,
                #"""
                {"key": "/works/OL262757W", "title": "The Lord of The Rings", "subtitle": "The Two Towers", "author_name": ["J. R. R. Tolkien"],
                 "isbn": ["0345339711"]}
                """#),
            googleBooks: SearchRecords.page(
                try SearchRecords.volume("g", "The Two Towers", "J.R.R. Tolkien", isbn: "9780345339713")), limit: 20
        ).results
        #expect(results.works.map(\.openLibraryWorkID) == ["OL262757W", "OL27448W"])
        #expect(results.works.map(\.reviewStatus) == [.verified, .needsReview])
        #expect(results.works.map(\.googleBooksVolumeIDs) == [["g"], []])
    }

    @Test("an edition belongs to the work with its title and author if only a box set states its ISBN")
    func boxSetAlone() throws {
        let results = SearchAssembly.byText(
            title: "The Two Towers", author: "Tolkien",
            openLibrary: try SearchRecords.works(
                Self.boxSet, #"{"key": "/works/OL1W", "title": "The Two Towers", "author_name": ["J. R. R. Tolkien"]}"#),
            googleBooks: SearchRecords.page(
                try SearchRecords.volume("g", "The Two Towers", "J.R.R. Tolkien", isbn: "9780345339713")), limit: 20
        ).results
        #expect(results.works.map(\.openLibraryWorkID) == ["OL1W", "OL27448W"])
        #expect(results.works.map(\.googleBooksVolumeIDs) == [["g"], []])
    }

    @Test("an edition with a translated title belongs to the only work that states its ISBN")
    func translatedEdition() throws {
        let results = SearchAssembly.byText(
            title: "Dune", openLibrary: try SearchRecords.works(SearchRecords.dune),
            googleBooks: SearchRecords.page(
                try SearchRecords.volume("g", "Der Wüstenplanet", "Frank Herbert", isbn: "9780441172719")), limit: 20
        ).results
        #expect(results.works.map(\.googleBooksVolumeIDs) == [["g"]])
    }

    @Test("one provider's two records for the same book become one work")
    func duplicates() throws {
        let results = SearchAssembly.byText(
            title: "The Hobbit",
            openLibrary: try SearchRecords.works(
                #"{"key": "/works/OL1W", "title": "The Hobbit", "author_name": ["J.R.R. Tolkien"], "author_key": ["OL26320A"]}"#,
                #"{"key": "/works/OL2W", "title": "Hobbit, The", "author_name": ["J. R. R. Tolkien"], "first_publish_year": 1937}"#
            ),
            limit: 20
        ).results
        #expect(results.works.map(\.openLibraryWorkID) == ["OL1W"])
        #expect(results.works[0].firstPublicationYear == 1937)
        #expect(results.authors.count == 1)
    }

    @Test("a search by author alone keeps the provider's order and trusts the provider's choice of author")
    func authorAlone() throws {
        let works = try SearchRecords.works(SearchRecords.messiah, SearchRecords.dune)
        let results = SearchAssembly.byText(title: "", author: "Herbert, Frank", openLibrary: works, limit: 20).results
        #expect(results.works.map(\.title) == ["Dune Messiah", "Dune"])
        #expect(results.works.allSatisfy { $0.reviewStatus == .verified })
    }

    @Test("a search returns no more works than requested, and none if the providers returned none")
    func limits() throws {
        let works = try SearchRecords.works(SearchRecords.messiah, SearchRecords.dune, total: 77)
        let results = SearchAssembly.byText(title: "Dune", openLibrary: works, limit: 1).results
        #expect(results.resultCount == 1)
        #expect(results.totalResults == 77)
        #expect(results.editions.count == 1)
        #expect(SearchAssembly.byText(title: "Dune", limit: 20).results == .none)
    }
}

@Suite("ISBN searches")
struct SearchByISBNTests {
    private let dune = ISBN("9780441172719")!

    private func isbndb() throws -> EditionRecord {
        try #require(
            try ISBNdb.decodeBook(
                #"{"book": {"title": "Dune", "isbn13": "9780441172719", "authors": ["Frank Herbert"], "pages": 535, "binding": "Mass Market Paperback"}}"#
                    .utf8))
    }

    @Test("every provider that states the ISBN contributes its fields")
    func merged() throws {
        let results = SearchAssembly.byISBN(
            dune, works: try SearchRecords.works(SearchRecords.dune).works,
            googleBooks: [
                try SearchRecords.volume(
                    "g", "Dune", "Frank Herbert", isbn: "9780441172719", more: #""publisher": "Penguin""#)
            ],
            isbndb: [try isbndb()]
        ).results
        #expect(results.works.map(\.title) == ["Dune"])
        #expect(results.editions.count == 1)
        #expect(results.totalResults == 1)
        let edition = try #require(results.editions.first)
        #expect(edition.isbns == ["9780441172719", "0441172717"])
        #expect(edition.publisher == "Ace")
        #expect(edition.pageCount == 535)
        #expect(edition.isbndbID == "9780441172719")
        #expect(results.works[0].isbndbID == "9780441172719")
        #expect(edition.contributors == [.openLibrary, .googleBooks, .isbndb])
        #expect(results.authors.map(\.openLibraryID) == ["OL79034A"])
    }

    @Test("a provider's book with a different ISBN is not a result")
    func otherBook() throws {
        let other = try SearchRecords.volume("g", "Dune", "Frank Herbert", isbn: "9780593099322")
        #expect(SearchAssembly.byISBN(dune, googleBooks: [other]).results == .none)
    }

    @Test("a search by ISBN returns a book that only one provider has")
    func isbndbAlone() throws {
        let results = SearchAssembly.byISBN(dune, isbndb: [try isbndb()]).results
        #expect(results.works.map(\.primaryProvider) == [.isbndb])
        #expect(results.works[0].synthetic == true)
        #expect(results.editions.map(\.format) == [.massMarket])
    }
}

/// Records for search tests, decoded from short documents.
enum SearchRecords {
    /// The works in a `search.json` response; each string is one document.
    static func works(_ documents: String..., total: Int = 0) throws -> WorkPage {
        try OpenLibrary.decodeSearchPage(
            #"{"numFound": \#(total), "docs": [\#(documents.joined(separator: ","))]}"#.utf8)
    }

    static func volume(
        _ id: String, _ title: String, _ author: String?, isbn: String? = nil, more: String = #""x": 0"#
    ) throws -> EditionRecord {
        let authors = author.map { #""authors": ["\#($0)"],"# } ?? ""
        let identifiers = isbn.map { #""industryIdentifiers": [{"type": "ISBN_13", "identifier": "\#($0)"}],"# } ?? ""
        return try GoogleBooks.volume(
            #"{"id": "\#(id)", "volumeInfo": {"title": "\#(title)", \#(authors) \#(identifiers) \#(more)}}"#.utf8)
    }

    static func page(_ editions: EditionRecord..., total: Int = 0) -> EditionPage {
        EditionPage(total: total, editions: editions)
    }

    static let dune = #"""
        {"key": "/works/OL893415W", "title": "Dune", "author_name": ["Frank Herbert"], "author_key": ["OL79034A"], "first_publish_year": 1965,
         "isbn": ["9780441172719", "0441172717"], "cover_i": 11, "cover_edition_key": "OL1M", "subject": ["Fiction, science fiction, general"],
         "editions": {"numFound": 1, "docs": [{"key": "/books/OL7M", "title": "Dune", "isbn": ["0441172717"], "publisher": ["Ace"],
         "publish_date": ["Sept 1990"], "language": ["eng"], "cover_i": 12, "format": ["Mass Market Paperback"]}]}}
        """#

    static let messiah = #"""
        {"key": "/works/OL893526W", "title": "Dune Messiah", "author_name": ["Frank Herbert"], "author_key": ["OL79034A"],
         "cover_i": 13, "cover_edition_key": "OL2M"}
        """#
}
