import BookstrackContract
import TestSupport
import Testing

/// Spines that become books, and their results (scans.md "Books" and "Results").
@Suite("Scanned books")
struct ScannedBookTests {
    private static let box = BoundingBox(x1: 0.1, y1: 0, x2: 0.2, y2: 1)

    private func spine(
        title: String? = "Dune", author: String? = "F. Herbert", confidence: Double = 0.9
    ) -> DetectedSpine {
        DetectedSpine(title: title, author: author, isbn: nil, box: Self.box, confidence: confidence)
    }

    private func found(_ format: EditionFormat = .hardcover, authors: [String] = ["Frank Herbert"]) -> EnrichedMetadata
    {
        var edition = EditionDTO(isbns: ["9780441172719"], format: format)
        (edition.coverImageURL, edition.publisher, edition.publicationDate) = ("https://c/e.jpg", "Ace", "1990-09-01")
        var work = WorkDTO(title: "Dune")
        (work.coverImageURL, work.firstPublicationYear) = ("https://c/w.jpg", 1_965)
        return EnrichedMetadata(work: work, edition: edition, authors: authors.map { AuthorDTO(name: $0) })
    }

    @Test("a spine that has not been looked up needs review and contains the text that was read")
    func unread() {
        let book = ScannedBook(spine(), photo: 2)
        #expect(book.photoIndex == 2)
        #expect(book.title == "Dune")
        #expect(book.author == "F. Herbert")
        #expect(book.text == "Dune F. Herbert")
        #expect(book.reviewStatus == .needsReview)
        #expect(book.enrichmentStatus == .failed)
        #expect(book.format == .unknown)
        #expect(book.boundingBox == Self.box)
    }

    @Test("if no author was read from a spine, the book's author is empty rather than absent")
    func noAuthor() throws {
        let book = ScannedBook(spine(author: nil), photo: 0)
        #expect(book.author.isEmpty)
        #expect(try WireForm.of(book).contains(#""author":"""#))
    }

    @Test("a spine of which only the text is known is displayed and looked up by that text on one line")
    func words() {
        let spine = DetectedSpine(
            text: "FRANK\nHERBERT\r\nDune", title: nil, author: nil, isbn: nil, box: .whole, confidence: 0.4)
        #expect(spine.displayTitle == "FRANK HERBERT Dune")
        #expect(spine.query == BookQuery(title: "FRANK HERBERT Dune"))
        #expect(ScannedBook(spine, photo: 0).text == "FRANK HERBERT Dune")
    }

    @Test("a spine with only an ISBN is displayed and looked up by its ISBN")
    func number() {
        let spine = DetectedSpine(
            title: nil, author: nil, isbn: "9780441172719", isBarcode: true, box: .whole, confidence: 1)
        #expect(spine.displayTitle == "9780441172719")
        #expect(spine.query == BookQuery(isbn: "9780441172719"))
    }

    @Test("a spine's query stays within the limits of a query")
    func longSpine() {
        let spine = DetectedSpine(
            title: String(repeating: "t", count: 600), author: String(repeating: "a", count: 400),
            isbn: String(repeating: "9", count: 40), box: .whole, confidence: 1)
        #expect(spine.query.title?.count == 500)
        #expect(spine.query.author?.count == 300)
        #expect(spine.query.isbn?.count == 32)
    }

    @Test(
        "a book is approved if it was read with a confidence of at least 0.7 and its match is verified",
        arguments: [
            (0.7, true, ReviewStatus.verified), (1, true, .verified), (0.69, true, .needsReview),
            (0.9, false, .needsReview), (0, true, .needsReview),
        ])
    func approval(confidence: Double, isVerified: Bool, status: ReviewStatus) {
        var book = ScannedBook(spine(confidence: confidence), photo: 0)
        book.add(found(), photo: "/v1/scan/photos/J/0", isVerified: isVerified)
        #expect(book.reviewStatus == status)
        #expect(book.enrichment?.work.reviewStatus == status)
    }

    @Test("a book that was found contains the title, author and ISBN of its match, its position and its photo")
    func match() throws {
        var book = ScannedBook(spine(title: "DUNE"), photo: 0)
        book.add(found(), photo: "/v1/scan/photos/J/0", isVerified: true)
        #expect(book.title == "Dune")
        #expect(book.author == "Frank Herbert")
        #expect(book.isbn == "9780441172719")
        #expect(book.text == "DUNE F. Herbert")
        #expect(book.enrichmentStatus == .success)
        let enrichment = try #require(book.enrichment)
        #expect(enrichment.status == "success")
        #expect(enrichment.work.originalImagePath == "/v1/scan/photos/J/0")
        #expect(enrichment.work.boundingBox == Self.box)
        #expect(enrichment.editions.map(\.isbn) == ["9780441172719"])
        #expect(
            try WireForm.of(enrichment.apiData)
                == WireForm.line(
                    """
                    {"title":"Dune","authors":["Frank Herbert"],"isbn":"9780441172719","coverUrl":"https://c/e.jpg",
                    "publisher":"Ace","publicationYear":"1990"}
                    """))
    }

    @Test("a match without an edition has an unknown format and uses the work's cover and year")
    func noEdition() throws {
        var book = ScannedBook(spine(), photo: 0)
        var metadata = found()
        metadata.edition = nil
        book.add(metadata, photo: "p", isVerified: true)
        #expect(book.format == .unknown)
        #expect(book.isbn == nil)
        let enrichment = try #require(book.enrichment)
        #expect(enrichment.editions.map(\.formatInferred) == [true])
        #expect(enrichment.apiData.coverUrl == "https://c/w.jpg")
        #expect(enrichment.apiData.publicationYear == "1965")
    }

    @Test("for a match without authors, the author on the spine is kept")
    func spineAuthor() {
        var book = ScannedBook(spine(), photo: 0)
        book.add(found(authors: []), photo: "p", isVerified: true)
        #expect(book.author == "F. Herbert")
        #expect(book.enrichment?.authors.map(\.name) == ["F. Herbert"])
        #expect(book.enrichment?.apiData.authors == [])
    }

    @Test(
        "a book's format is one of the words that the apps recognize",
        arguments: [
            (EditionFormat.hardcover, "hardcover"), (.paperback, "paperback"), (.massMarket, "mass-market"),
            (.ebook, "unknown"), (.audiobook, "unknown"),
        ])
    func formats(format: EditionFormat, word: String) {
        var book = ScannedBook(spine(), photo: 0)
        book.add(found(format), photo: "p", isVerified: true)
        #expect(book.format.rawValue == word)
    }

    @Test("a guessed format is reported as unknown")
    func guessedFormat() {
        var metadata = found(.paperback)
        metadata.edition?.formatInferred = true
        var book = ScannedBook(spine(), photo: 0)
        book.add(metadata, photo: "p", isVerified: true)
        #expect(book.format == .unknown)
    }

    @Test(
        "a box has a size and ordered corners, and is limited to the photo",
        arguments: [
            (BoundingBox(x1: 0.1, y1: 0.2, x2: 0.4, y2: 0.6), [0.1, 0.2, 0.3, 0.4, 0.1, 0.2, 0.4, 0.6]),
            (BoundingBox(x1: 0.4, y1: 0.6, x2: 0.1, y2: 0.2), [0.1, 0.2, 0.3, 0.4, 0.1, 0.2, 0.4, 0.6]),
            (BoundingBox(x1: -1, y1: 0.5, x2: 2, y2: 9), [0, 0.5, 1, 0.5, 0, 0.5, 1, 1]),
            (BoundingBox(x1: .nan, y1: .infinity, x2: 1, y2: 1), [0, 0, 1, 1, 0, 0, 1, 1]),
            (BoundingBox(x1: 0.123456, y1: 0, x2: 0.5, y2: 1), [0.1235, 0, 0.3765, 1, 0.1235, 0, 0.5, 1]),
            (BoundingBox.whole, [0, 0, 1, 1, 0, 0, 1, 1]),
        ])
    func boxes(box: BoundingBox, numbers: [Double]) {
        #expect([box.x, box.y, box.width, box.height, box.x1, box.y1, box.x2, box.y2] == numbers)
    }

    @Test("a scan's results contain its books, its photos and how they were read")
    func results() throws {
        let text = WireForm.line(
            """
            {"jobId":"job-under-test","resultsRevision":1,"expiresAt":"e","totalDetected":1,"approved":0,
            "needsReview":1,"books":[{"photoIndex":0,"title":"Dune","author":"","text":"DUNE","confidence":0.5,
            "boundingBox":{"x":0,"y":0,"width":1,"height":1,"x1":0,"y1":0,"x2":1,"y2":1},
            "reviewStatus":"needsReview","format":"unknown","enrichmentStatus":"not_found",
            "error":"Not found","errorCode":"NOT_FOUND","retryable":false}],
            "photos":[{"index":0,"status":"complete","booksFound":1}],
            "metadata":{"modelUsed":"m","processingTime":9,"enrichedCount":0,"timestamp":"t"}}
            """)
        let results = try WireForm.read(ScanResults.self, text)
        #expect(results.books.first?.enrichmentStatus == .notFound)
        #expect(try WireForm.of(results) == text)
    }
}
