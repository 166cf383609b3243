import BookstrackContract
import TestSupport
import Testing

/// `POST /v1/books/enrich` (http-api.md "One book").
@Suite("Enriching a single book")
struct OneBookTests {
    private func found(_ change: (inout WorkDTO, inout EditionDTO) -> Void = { _, _ in }) -> EnrichedMetadata {
        var work = WorkDTO(title: "Dune Chronicles")
        (work.primaryProvider, work.coverImageURL, work.description) = (.openLibrary, "https://c/w.jpg", "Of the work")
        var edition = EditionDTO(isbns: ["9780441172719", "0441172717"], format: .paperback)
        (edition.title, edition.publisher, edition.publicationDate) = ("Dune", "Ace", "1990-09-01")
        (edition.pageCount, edition.coverImageURL) = (535, "https://c/e.jpg")
        edition.editionDescription = "Of the edition"
        change(&work, &edition)
        return EnrichedMetadata(
            work: work, edition: edition, authors: [AuthorDTO(name: "Frank Herbert"), AuthorDTO(name: "B")])
    }

    private func answer(_ found: EnrichedMetadata, asked: String? = nil) throws -> BookEnrichment {
        try #require(BookEnrichment(found, asked: asked, enrichedAt: "2025-11-15T20:00:00.000Z"))
    }

    @Test("the flat members come from the edition, and the description comes from the work")
    func flat() throws {
        let answer = try answer(found())
        #expect(answer.isbn == "9780441172719")
        #expect(answer.title == "Dune")
        #expect(answer.authors == ["Frank Herbert", "B"])
        #expect(answer.publisher == "Ace")
        #expect(answer.publishedDate == "1990-09-01")
        #expect(answer.pageCount == 535)
        #expect(answer.coverUrl == "https://c/e.jpg")
        #expect(answer.description == "Of the work")
        #expect(answer.provider == .openLibrary)
        #expect(answer.enrichedAt == "2025-11-15T20:00:00.000Z")
    }

    @Test("members that the edition lacks come from the work, and a missing description comes from the edition")
    func fallback() throws {
        let answer = try answer(
            found { work, edition in
                (edition.title, edition.coverImageURL, work.description) = (nil, nil, nil)
            })
        #expect(answer.title == "Dune Chronicles")
        #expect(answer.coverUrl == "https://c/w.jpg")
        #expect(answer.description == "Of the edition")
    }

    @Test("without an edition, the ISBN is the requested one, if any")
    func noEdition() throws {
        var metadata = found()
        metadata.edition = nil
        #expect(try answer(metadata, asked: "9780441172719").isbn == "9780441172719")
        let byTitle = try answer(metadata)
        #expect(byTitle.isbn == nil)
        #expect(byTitle.publisher == nil)
        let text = try WireForm.of(byTitle)
        #expect(!text.contains(#""edition""#))
        #expect(!text.contains("null"))
    }

    @Test("a result without a known provider yields no response")
    func noProvider() {
        let metadata = found { work, _ in work.primaryProvider = nil }
        #expect(BookEnrichment(metadata, asked: nil, enrichedAt: "t") == nil)
    }

    @Test("a response contains the flat members first, followed by the full records")
    func form() throws {
        let text = try WireForm.of(try answer(found { work, _ in work.description = nil }))
        #expect(
            text.hasPrefix(
                WireForm.line(
                    """
                    {"isbn":"9780441172719","title":"Dune","authors":["Frank Herbert","B"],"publisher":"Ace",
                    "publishedDate":"1990-09-01","pageCount":535,"coverUrl":"https://c/e.jpg",
                    "description":"Of the edition","provider":"openlibrary","enrichedAt":"2025-11-15T20:00:00.000Z",
                    "work":{"title":"Dune Chronicles",
                    """)))
        #expect(try WireForm.read(BookEnrichment.self, text).edition?.pageCount == 535)
    }

    @Test("a request may contain every member that the shipped apps send")
    func request() throws {
        let request = try WireForm.read(
            BookEnrichmentRequest.self,
            """
            {"barcode":"9780441172719","title":"t","author":"a","preferProvider":"google-books",
            "idempotencyKey":"key-00001"}
            """)
        #expect(request.barcode == "9780441172719")
        #expect(request.isbn == nil)
        #expect(request.title == "t")
        #expect(request.author == "a")
        #expect(request.preferProvider == .googleBooks)
        #expect(request.idempotencyKey == "key-00001")
        #expect(try WireForm.of(BookEnrichmentRequest(isbn: "1")) == #"{"isbn":"1"}"#)
    }

    @Test(
        "a request that is not an object or has an invalid member is rejected",
        arguments: [#"{"preferProvider":"amazon"}"#, #"{"isbn":9780441172719}"#, #"{"title":["a"]}"#, "[]", "null"])
    func refusedRequest(json: String) {
        #expect(throws: DecodingError.self) { try WireForm.read(BookEnrichmentRequest.self, json) }
    }
}
