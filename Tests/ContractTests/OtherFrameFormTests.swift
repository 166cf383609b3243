import BookstrackContract
import TestSupport
import Testing

/// Frames of photo batches (scans.md "Frames") and of the v1 dialect (websocket.md "v1 dialect").
@Suite("JSON of photo batch and v1 frames")
struct OtherFrameFormTests {
    private static let job = JobID("job-under-test")!

    private func photos() -> [ScannedPhoto] {
        var read = ScannedPhoto(index: 0)
        (read.status, read.booksFound, read.width, read.height, read.engine) = (.complete, 3, 4_032, 3_024, "gemini")
        var unreadable = ScannedPhoto(index: 1)
        (unreadable.status, unreadable.error) = (.error, "No book can be seen.")
        return [read, unreadable, ScannedPhoto(index: 2)]
    }

    private static let photosText = """
        [{"index":0,"status":"complete","booksFound":3,"width":4032,"height":3024,"engine":"gemini"},
        {"index":1,"status":"error","booksFound":0,"error":"No book can be seen."},
        {"index":2,"status":"queued","booksFound":0}]
        """

    private func expect<Payload: FramePayload>(
        _ payload: Payload, type: String, _ members: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let frame = ServerFrame(jobId: Self.job, pipeline: .aiScan, timestamp: 1_700, seq: 3, payload: payload)
        let single = WireForm.line("{\"type\":\"\(type)\",\(members)}")
        #expect(try WireForm.of(payload) == single, sourceLocation: sourceLocation)
        let text = try WireForm.of(BatchFrame(frame))
        #expect(try WireForm.repeatedMembers(in: text.utf8) == [], sourceLocation: sourceLocation)
        let read = try WireForm.read(Everywhere<Payload>.self, text)
        #expect(read.payload == payload, sourceLocation: sourceLocation)
        #expect(read.data == payload, sourceLocation: sourceLocation)
        #expect(read.top == payload, sourceLocation: sourceLocation)
        #expect(try WireForm.read(ServerFrame<Payload>.self, text) == frame, sourceLocation: sourceLocation)
    }

    /// The three parts of a frame from which different generations of apps read the content.
    private struct Everywhere<Payload: FramePayload>: Decodable {
        var payload: Payload
        var data: Payload
        var top: Payload

        private enum CodingKeys: String, CodingKey { case payload, data }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            payload = try container.decode(Payload.self, forKey: .payload)
            data = try container.decode(Payload.self, forKey: .data)
            top = try Payload(from: decoder)
        }
    }

    @Test("batch-init contains the number of photos")
    func batchInit() throws {
        try expect(
            BatchInitPayload(totalPhotos: 3), type: "batch-init", #""totalPhotos":3,"status":"processing""#)
    }

    @Test("batch-progress contains the photo that changed and the state of all photos")
    func batchProgress() throws {
        let payload = try #require(BatchProgressPayload(photo: 0, photos: photos(), totalBooksFound: 3))
        try expect(
            payload, type: "batch-progress",
            """
            "currentPhoto":0,"totalPhotos":3,"photoStatus":"complete","booksFound":3,"totalBooksFound":3,
            "photos":\(Self.photosText)
            """)
    }

    @Test("a photo that is not part of the batch has no progress", arguments: [-1, 3, .max])
    func unknownPhoto(index: Int) {
        #expect(BatchProgressPayload(photo: index, photos: photos(), totalBooksFound: 0) == nil)
    }

    @Test("batch-complete lists every photo that did not fail as a success, with its index under both names")
    func batchComplete() throws {
        try expect(
            BatchCompletePayload(jobId: Self.job, totalBooks: 3, photos: photos()), type: "batch-complete",
            """
            "totalBooks":3,"photoResults":[
            {"photoIndex":0,"index":0,"booksFound":3,"status":"success"},
            {"photoIndex":1,"index":1,"booksFound":0,"status":"error","error":"No book can be seen."},
            {"photoIndex":2,"index":2,"booksFound":0,"status":"success"}],
            "books":[],"resultsUrl":"/v1/scan/results/job-under-test"
            """)
    }

    @Test("batch-canceling contains the status of a cancelled job")
    func batchCanceling() throws {
        try expect(BatchCancelingPayload(), type: "batch-canceling", #""status":"job_cancelled""#)
    }

    private func v1(_ kind: V1Frame.Kind, _ content: V1Frame.Content) throws -> String {
        try WireForm.of(V1Frame(type: kind, jobId: Self.job, timestamp: 1_697_654_321_000, data: content))
    }

    @Test("flat progress contains the status under both names, but no pipeline, version or sequence number")
    func flatProgress() throws {
        let content = V1Frame.Content(
            counts: JobCounts(total: 4, succeeded: 1, failed: 0), status: "Processing book 1 of 4")
        #expect(
            try v1(.progress, content)
                == WireForm.line(
                    """
                    {"type":"progress","jobId":"job-under-test","timestamp":1697654321000,"data":{
                    "progress":0.25,"status":"Processing book 1 of 4","currentStatus":"Processing book 1 of 4",
                    "processedItems":1,"totalItems":4}}
                    """))
    }

    @Test("flat progress can contain a work identifier, an error and a keep-alive mark")
    func flatExtras() throws {
        var content = V1Frame.Content(counts: JobCounts(total: 4), status: "s")
        (content.currentWorkId, content.error, content.keepAlive) = ("OL45804W", "no provider", true)
        #expect(
            try v1(.progress, content)
                == WireForm.line(
                    """
                    {"type":"progress","jobId":"job-under-test","timestamp":1697654321000,"data":{
                    "progress":0,"status":"s","currentStatus":"s","processedItems":0,"totalItems":4,
                    "currentWorkId":"OL45804W","error":"no provider","keepAlive":true}}
                    """))
    }

    @Test("a flat completion contains the works that were found")
    func flatComplete() throws {
        var content = V1Frame.Content(counts: JobCounts(total: 2, succeeded: 1, failed: 1), status: "s")
        (content.successCount, content.failedCount) = (1, 1)
        content.enrichedWorks = [
            .init(isbn: "9780441172719", title: "Dune", coverUrl: "https://c/1.jpg", genres: ["Sci"], description: "D"),
            .init(isbn: nil, title: "Emma", coverUrl: nil, genres: [], description: nil),
        ]
        #expect(
            try v1(.complete, content)
                == WireForm.line(
                    """
                    {"type":"complete","jobId":"job-under-test","timestamp":1697654321000,"data":{
                    "progress":1,"status":"s","currentStatus":"s","processedItems":2,"totalItems":2,
                    "successCount":1,"failedCount":1,"enrichedWorks":[
                    {"isbn":"9780441172719","title":"Dune","coverUrl":"https://c/1.jpg","genres":["Sci"],
                        "description":"D"},
                    {"title":"Emma","genres":[]}]}}
                    """))
    }

    @Test("a scan's flat completion contains its counts and how the photos were read")
    func flatScan() throws {
        var content = V1Frame.Content(counts: JobCounts(total: 2, succeeded: 2), status: StatusText.scanComplete)
        content.result = .init(
            detected: 7, approved: 5,
            metadata: .init(modelUsed: "m", processingTime: 9, enrichedCount: 6, timestamp: "t"))
        #expect(
            try v1(.complete, content)
                == WireForm.line(
                    """
                    {"type":"complete","jobId":"job-under-test","timestamp":1697654321000,"data":{
                    "progress":1,"status":"Scan complete","currentStatus":"Scan complete","processedItems":2,
                    "totalItems":2,"result":{"totalDetected":7,"approved":5,"needsReview":2,"books":[],
                    "metadata":{"modelUsed":"m","processingTime":9,"enrichedCount":6,"timestamp":"t"}}}}
                    """))
    }
}
