import BookstrackContract
import Foundation
import ImageFiles
import TestSupport
import Testing

@testable import BookstrackCLI

@Suite("Scan results on a terminal") struct ScanTextTests {
    private let results = ScanSamples.results

    @Test(
        "approved books and books to review are listed in two tables within 80 columns, with the numbers of their boxes"
    )
    func tables() {
        let text = ScanText(style: OutputStyle(width: 80, colors: false)).text(results, names: ["left.jpg", "b.jpg"])
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines[0] == "Approved (1):")
        #expect(lines[1] == "#  Title             Author               ISBN           Photo  Sure")
        #expect(lines[3] == "1  The Great Gatsby  F. Scott Fitzgerald  9780743273565      1  95 %")
        #expect(lines[4] == "To review (2):")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(text.contains("Photo 1, left.jpg: 3 books\nPhoto 2, b.jpg: The photo is damaged.\n"))
        #expect(text.hasSuffix("3 books in 2 photos: 1 approved, 2 to review.\n"))
    }

    @Test("a book to review shows the reason and the text on the spine")
    func reasons() {
        let text = ScanText(style: OutputStyle(width: 200, colors: false)).text(results)
        #expect(text.contains("hard to read; the spine reads: TALE 2 CITIES"))
        #expect(text.contains("Not found by openlibrary (may succeed later)"))
    }

    @Test("a scan with no books reports that none were found")
    func empty() {
        var empty = results
        (empty.books, empty.totalDetected, empty.approved, empty.needsReview) = ([], 0, 0, 0)
        empty.photos = [empty.photos[0]]
        let text = ScanText(style: OutputStyle(width: 80, colors: false)).text(empty)
        #expect(text == "No books were found in 1 photo.\n")
        #expect(empty.exitStatus == .incomplete)
    }

    @Test("CSV has a row for each book")
    func csv() throws {
        let text = try ScanText(style: .standard).text(results, as: .csv)
        #expect(text.split(separator: "\r\n").count == 4)
        let header = "number,photo,review_status,title,author,isbn,confidence,text,error_code,error"
        #expect(text.hasPrefix("\(header)\r\n1,1,verified,"))
    }

    @Test("numbers that are too large are shown as the largest possible one")
    func tooLarge() throws {
        var results = results
        (results.books[0].confidence, results.books[0].photoIndex, results.photos[0].index) = (1e300, .max, .max)
        let text = ScanText(style: OutputStyle(width: 200, colors: false)).text(results)
        #expect(text.contains("  \(Int.max)  \(Int.max) %\n"))
        #expect(text.contains("Photo \(Int.max): 3 books\n"))
        #expect(try ScanText(style: .standard).text(results, as: .csv).contains("\r\n1,\(Int.max),verified,"))
    }

    @Test("a scan succeeds only if all its photos were read and all its books were approved")
    func status() {
        #expect(results.exitStatus == .incomplete)
        var sure = results
        sure.needsReview = 0
        #expect(sure.exitStatus == .incomplete)
        sure.photos = [sure.photos[0]]
        #expect(sure.exitStatus == .success)
    }
}

@Suite("Scan progress bars") struct PhotoBarsTests {
    @Test("each photo has a line, and the books have one as soon as any are found")
    func lines() {
        var bars = PhotoBars(names: ["left.jpg", "a-very-long-name-of-a-photo-from-a-camera.jpg"])
        let bar = ProgressBar(columns: 79, unicode: false)
        bars.photos[0].status = .processing
        #expect(
            bars.lines(bar) == [
                "left.jpg                      [##########----------]  being read",
                "a-very-long-name-of-a-photo…  [--------------------]  waiting",
            ])
        bars.photos = ScanSamples.results.photos
        bars.books = ProgressCount(total: 3)
        bars.books.found = 1
        #expect(
            bars.lines(bar) == [
                "left.jpg                      [####################]  3 books",
                "a-very-long-name-of-a-photo…  [--------------------]  could not be read",
                "Books                         [######--------------]  33 %  1/3  1 found",
            ])
    }

    @Test("no line is wider than the terminal, however narrow it is", arguments: [20, 30, 45])
    func narrow(columns: Int) {
        var bars = PhotoBars(names: ["left.jpg"])
        bars.books = ProgressCount(total: 3)
        for line in bars.lines(ProgressBar(columns: columns, unicode: true)) { #expect(line.count <= columns) }
    }
}

@Suite("Uploaded and annotated photos") struct AnnotatedPhotoTests {
    private func photo(_ image: SampleImage = .jpeg, name: String = "shelf.jpg") throws -> PhotoUpload.Photo {
        try .init(name: name, bytes: Data(image.file))
    }

    @Test("boxes are numbered, labeled, and placed on the photo as displayed")
    func boxes() throws {
        let boxes = zip(1..., ScanSamples.results.books).map(AnnotatedPhoto.Box.init)
        let svg = try #require(AnnotatedPhoto(try photo(), boxes: boxes)).svg
        // 640 by 480 pixels, rotated.
        #expect(svg.contains("viewBox=\"0 0 480 640\""))
        #expect(svg.contains("transform=\"matrix(0 1 -1 0 480 0)\""))
        #expect(svg.contains("<rect x=\"48\" y=\"64\" width=\"96\" height=\"512\""))
        #expect(svg.contains("<title>1: The Great Gatsby, F. Scott Fitzgerald</title>"))
        #expect(svg.contains("(to review)</title>"))
        #expect(svg.count(of: "stroke-dasharray") == 2)
    }

    @Test("a box beyond the photo is cut off at the photo's edges")
    func boxBeyondPhoto() throws {
        var book = ScanSamples.results.books[0]
        let box = #"{"x":1e300,"y":-1e300,"width":1e300,"height":2,"x1":0,"y1":0,"x2":1,"y2":1}"#
        book.boundingBox = try JSONDecoder().decode(BoundingBox.self, from: Data(box.utf8))
        let svg = try #require(AnnotatedPhoto(try photo(), boxes: [.init(number: 1, book: book)])).svg
        #expect(svg.contains("<rect x=\"480\" y=\"0\" width=\"480\" height=\"640\""))
    }

    @Test("the embedded photo has no metadata, and titles cannot add elements")
    func safety() throws {
        var book = ScanSamples.results.books[0]
        book.title = "<script>alert(\"1\")</script> & \u{1}"
        let boxes = [AnnotatedPhoto.Box(number: 1, book: book)]
        let svg = try #require(AnnotatedPhoto(try photo(name: "a<b.jpg"), boxes: boxes)).svg
        #expect(svg.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp;  "))
        #expect(svg.contains("<title>a&lt;b.jpg</title>"))
        let image = try #require(svg.firstMatch(of: /base64,([^"]+)"/)?.1)
        let bytes = try #require(Data(base64Encoded: String(image)))
        for secret in SampleImage.secrets { #expect(bytes.firstRange(of: Data(secret.utf8)) == nil) }
    }

    @Test("each photo that was read is annotated in a separate file")
    func files() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bookstrack-scan-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var results = ScanSamples.results
        results.photos[1].status = .complete
        let photos = [try photo(), try photo(.png)]
        let paths = try AnnotationFolder(folder.path).write(photos, results)
        #expect(paths.map { URL(filePath: $0).lastPathComponent } == ["shelf.svg", "shelf-2.svg"])
        results.photos[1].status = .error
        #expect(try AnnotationFolder(folder.path).write(photos, results).count == 1)
    }

    @Test("a number added to a repeated photo name does not produce the file name of another photo")
    func fileNames() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bookstrack-scan-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var results = ScanSamples.results
        results.photos = (0..<3).map { ScannedPhoto(index: $0) }
        for index in results.photos.indices { results.photos[index].status = .complete }
        let photos = [try photo(name: "a.jpg"), try photo(name: "a.jpeg"), try photo(name: "a-2.jpg")]
        let paths = try AnnotationFolder(folder.path).write(photos, results)
        #expect(paths.map { URL(filePath: $0).lastPathComponent } == ["a.svg", "a-2.svg", "a-2-3.svg"])
    }

    @Test("a file that is not a photo, or is too large, is rejected before it is sent")
    func refused() {
        #expect(throws: CommandFailure.self) { try PhotoUpload.Photo(name: "a", bytes: Data("Title".utf8)) }
        #expect(throws: CommandFailure(.badInput, "a is 10.1 MiB; a photo may be at most 10 MiB")) {
            try PhotoUpload.Photo(name: "a", bytes: Data(SampleImage.jpeg.file) + Data(count: ScanLimit.photoBytes))
        }
    }
}

extension String {
    fileprivate func count(of part: String) -> Int {
        split(separator: part, omittingEmptySubsequences: false).count - 1
    }
}

private enum ScanSamples {
    /// Two photos, one of which could not be read, with an approved book and two to review.
    static let results: ScanResults = {
        let json = #"""
            {"jobId":"f2fe9772-0000-4000-8000-000000000000","resultsRevision":1,"expiresAt":"2026-11-24T00:00:00.000Z",
             "totalDetected":3,"approved":1,"needsReview":2,"books":[],"photos":[
             {"index":0,"status":"complete","booksFound":3,"width":480,"height":640,"engine":"gemini"},
             {"index":1,"status":"error","booksFound":0,"error":"The photo is damaged."}],
             "metadata":{"modelUsed":"m","processingTime":5,"enrichedCount":2,"timestamp":"2026-11-23T00:00:00.000Z"}}
            """#
        guard var results = try? JSONDecoder().decode(ScanResults.self, from: Data(json.utf8)) else {
            preconditionFailure("The sample is invalid.")
        }
        results.books = [
            book("The Great Gatsby", "F. Scott Fitzgerald", isbn: "9780743273565", confidence: 0.95, .verified),
            book("A Tale of Two Cities", "Charles Dickens", text: "TALE 2 CITIES", confidence: 0.5, .needsReview),
            book("Glyph", "", confidence: 0.9, .needsReview, error: "Not found by openlibrary"),
        ]
        return results
    }()

    private static func book(
        _ title: String, _ author: String, isbn: String? = nil, text: String? = nil, confidence: Double,
        _ status: ReviewStatus, error: String? = nil
    ) -> ScannedBook {
        let box = BoundingBox(x1: 0.1, y1: 0.1, x2: 0.3, y2: 0.9)
        var book = ScannedBook(
            DetectedSpine(text: text, title: title, author: author, isbn: isbn, box: box, confidence: confidence),
            photo: 0)
        book.isbn = isbn
        book.text = text ?? title
        book.reviewStatus = status
        book.enrichmentStatus = error == nil ? .success : .failed
        book.error = error
        book.retryable = error == nil ? nil : true
        return book
    }
}
