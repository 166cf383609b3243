import BookstrackContract
import TestSupport
import Testing

/// Enrichment results and search responses (http-api.md "Results", "Searches" and "Deprecated searches").
@Suite("JSON of results and searches")
struct ResultsFormTests {
    private static let job = JobID("job-under-test")!
    private static let work = """
        {"title":"Dune","subjectTags":[],"goodreadsWorkIDs":[],"amazonASINs":[],"librarythingIDs":[],
        "googleBooksVolumeIDs":[],"isbndbQuality":0,"reviewStatus":"verified"}
        """
    private static let edition = """
        {"isbns":["9780441172719"],"format":"Paperback","amazonASINs":[],"googleBooksVolumeIDs":[],
        "librarythingIDs":[],"isbndbQuality":0,"isbn":"9780441172719"}
        """
    private static let author = #"{"name":"Frank Herbert","gender":"Unknown"}"#
    private static let dune = EnrichedMetadata(
        work: WorkDTO(title: "Dune"), edition: EditionDTO(isbns: ["9780441172719"], format: .paperback),
        authors: [AuthorDTO(name: "Frank Herbert")])

    private func found() -> EnrichedBook {
        var row = EnrichedBook(
            asked: BookQuery(title: "Dune", author: "Frank Herbert", isbn: "441172717"), success: true)
        (row.matchedBy, row.isbnRepair, row.enriched) = (.isbn, "lost_leading_zeros", Self.dune)
        return row
    }

    private func missing() -> EnrichedBook {
        var row = EnrichedBook(asked: BookQuery(isbn: "9780000000002", row: 3), success: false)
        (row.error, row.errorCode, row.retryable) = ("Not found by openlibrary, google-books", .notFound, false)
        return row
    }

    @Test("a row repeats the request, followed by the result or by the reason for its absence")
    func results() throws {
        let results = EnrichmentResults(
            jobId: Self.job, resultsRevision: 1, expiresAt: "2025-11-16T20:00:00.000Z", successCount: 1,
            failureCount: 1, enrichedBooks: [found(), missing()])
        let text = WireForm.line(
            """
            {"jobId":"job-under-test","resultsRevision":1,"expiresAt":"2025-11-16T20:00:00.000Z","successCount":1,
            "failureCount":1,"enrichedBooks":[
            {"title":"Dune","author":"Frank Herbert","isbn":"441172717","success":true,"matchedBy":"isbn",
                "isbnRepair":"lost_leading_zeros",
                "enriched":{"work":\(Self.work),"edition":\(Self.edition),"authors":[\(Self.author)]}},
            {"isbn":"9780000000002","row":3,"success":false,"error":"Not found by openlibrary, google-books",
                "errorCode":"NOT_FOUND","retryable":false}]}
            """)
        #expect(try WireForm.of(results) == text)
        #expect(try WireForm.read(EnrichmentResults.self, text) == results)
    }

    @Test("a row for a work identifier keeps the identifier and contains candidates for review")
    func candidates() throws {
        var row = EnrichedBook(asked: BookQuery(workId: "Dune"), success: false)
        row.candidates = [EnrichedMetadata(work: WorkDTO(title: "Dune"), edition: nil, authors: [])]
        #expect(
            try WireForm.of(row)
                == WireForm.line(
                    """
                    {"workId":"Dune","success":false,"candidates":[{"work":\(Self.work),"authors":[]}]}
                    """))
    }

    @Test(
        "each way of matching a row has its documented name",
        arguments: [("isbn", MatchKind.isbn), ("title", .title), ("workId", .workId)])
    func matchedBy(text: String, kind: MatchKind) {
        #expect(kind.rawValue == text)
    }

    @Test("messages refer to a row by its title, or else by its ISBN, or else by its work")
    func displayTitle() {
        #expect(BookQuery(title: "t", isbn: "i", workId: "w").displayTitle == "t")
        #expect(BookQuery(isbn: "i", workId: "w").displayTitle == "i")
        #expect(BookQuery(workId: "w").displayTitle == "w")
        #expect(BookQuery(author: "a").displayTitle.isEmpty)
    }

    @Test("a row's title, author and ISBN are limited to 500, 300 and 32 characters")
    func limits() {
        #expect(BookQuery.titleLimit.characters == 500)
        #expect(BookQuery.authorLimit.characters == 300)
        #expect(BookQuery.isbnLimit.characters == 32)
        #expect(BookQuery.titleLimit.bytes == 2_000)
    }

    @Test("a search that finds nothing has empty lists")
    func noResults() throws {
        #expect(
            try WireForm.of(SearchResults.none)
                == #"{"works":[],"editions":[],"authors":[],"totalResults":0,"resultCount":0}"#)
    }

    @Test("a search response states the number of works that it contains and a total that is at least as high")
    func searchCounts() {
        let works = [WorkDTO(title: "a"), WorkDTO(title: "b")]
        let more = SearchResults(works: works, editions: [], authors: [], totalResults: 900)
        #expect(more.totalResults == 900)
        #expect(more.resultCount == 2)
        // Some providers report a total smaller than the number of results that they return.
        #expect(SearchResults(works: works, editions: [], authors: [], totalResults: 1).totalResults == 2)
        let editions = [EditionDTO(isbns: [], format: .paperback)]
        #expect(EditionResults(editions: editions, totalResults: 0).totalResults == 1)
        #expect(EditionResults(editions: editions, totalResults: 40).resultCount == 1)
    }

    @Test("an explained search contains the reasons for each work's rank")
    func explained() throws {
        let report = MatchReport(
            verifiedFrom: 0.85, reviewFrom: 0.6,
            works: [
                .init(
                    title: "Dune", authors: ["Frank Herbert"], verdict: .verified, score: 1,
                    reasons: [.init(agrees: true, text: "same title")]),
                .init(
                    title: "Dune 2", authors: [], verdict: .needsReview, score: 0.7,
                    reasons: [.init(agrees: false, text: "only the candidate has the number 2")]),
            ])
        let results = SearchResults(
            works: [WorkDTO(title: "Dune")], editions: [], authors: [AuthorDTO(name: "Frank Herbert")],
            totalResults: 1, matching: report)
        let text = WireForm.line(
            """
            {"works":[\(Self.work)],"editions":[],"authors":[\(Self.author)],"totalResults":1,"resultCount":1,
            "matching":{"verifiedFrom":0.85,"reviewFrom":0.6,"works":[
            {"title":"Dune","authors":["Frank Herbert"],"verdict":"verified","score":1,
                "reasons":[{"agrees":true,"text":"same title"}]},
            {"title":"Dune 2","authors":[],"verdict":"needsReview","score":0.7,
                "reasons":[{"agrees":false,"text":"only the candidate has the number 2"}]}]}}
            """)
        #expect(try WireForm.of(results) == text)
        #expect(try WireForm.read(SearchResults.self, text) == results)
    }

    @Test("a deprecated search returns volumes in Google Books' format")
    func volumes() throws {
        var info = VolumeInfo(title: "Dune")
        info.authors = ["Frank Herbert"]
        (info.publisher, info.publishedDate, info.description) = ("Ace", "1990-09-01", "A planet.")
        info.industryIdentifiers = [
            .init(type: "ISBN_13", identifier: "9780441172719"), .init(type: "ISBN_10", identifier: "0441172717"),
        ]
        (info.pageCount, info.categories, info.language) = (535, ["Science Fiction"], "en")
        info.imageLinks = .init(thumbnail: "https://c/1.jpg")
        let list = VolumeList(
            items: [Volume(id: "B1", volumeInfo: info), Volume(id: "OL1W", volumeInfo: VolumeInfo(title: "Emma"))],
            totalItems: 12)
        let text = WireForm.line(
            """
            {"items":[{"kind":"books#volume","id":"B1","volumeInfo":{"title":"Dune","authors":["Frank Herbert"],
            "publisher":"Ace","publishedDate":"1990-09-01","description":"A planet.","industryIdentifiers":[
            {"type":"ISBN_13","identifier":"9780441172719"},{"type":"ISBN_10","identifier":"0441172717"}],
            "pageCount":535,"categories":["Science Fiction"],
            "imageLinks":{"thumbnail":"https://c/1.jpg","smallThumbnail":"https://c/1.jpg"},"language":"en"}},
            {"kind":"books#volume","id":"OL1W","volumeInfo":{"title":"Emma"}}],"totalItems":12}
            """)
        #expect(try WireForm.of(list) == text)
        #expect(try WireForm.read(VolumeList.self, text) == list)
    }
}
