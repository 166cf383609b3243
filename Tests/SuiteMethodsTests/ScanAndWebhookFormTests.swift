import BookstrackContract
import JSONRPC
import Observability
import SuiteMethods
import TestSupport
import Testing

/// Bodies of the methods about scans, webhooks and covers (scans.md "Life", jobs.md "Webhooks").
@Suite("JSON of scan, webhook and cover methods")
struct ScanAndWebhookFormTests {
    private static let job = JobID("job-under-test")!
    private static let key = ReadingStepKey(jobId: job, attempt: 1)
    private static let keyText = #""key":{"jobId":"job-under-test","attempt":1}"#

    @Test("the start of a scan contains the sizes of its photos")
    func begin() throws {
        #expect(BeginScan.name == "scans.begin")
        let text = WireForm.line(
            """
            {"jobId":"job-under-test","sha256":"s","photos":[10,20],"isBatch":true,"isTokenless":false,
            "origin":{"client":"peer","completionBooks":"none"}}
            """)
        #expect(
            try WireForm.of(
                BeginScan.Parameters(jobId: Self.job, sha256: "s", photos: [10, 20], isBatch: true, origin: .peer))
                == text)
        #expect(try WireForm.read(BeginScan.Parameters.self, text).photos == [10, 20])
    }

    @Test("a scan step lists its photos")
    func step() throws {
        #expect(ClaimScan.name == "scans.claim")
        #expect(try WireForm.of(ClaimScan.Result(step: nil)) == "{}")
        let trace = TraceContext(traceID: "0af7651916cd43dd8448eb211c80319c", requestID: nil)
        let step = ScanStep(
            key: Self.key, photos: [.init(index: 0, path: "uploads/J/photo-0", bytes: 10)], trace: trace)
        let text = WireForm.line(
            """
            {"step":{\(Self.keyText),"photos":[{"index":0,"path":"uploads/J/photo-0","bytes":10}],
            "traceId":"0af7651916cd43dd8448eb211c80319c"}}
            """)
        #expect(try WireForm.of(ClaimScan.Result(step: step)) == text)
        #expect(try WireForm.read(ClaimScan.Result.self, text).step?.trace == trace)
    }

    @Test("a photo that was read contains its spines")
    func reading() throws {
        #expect(RecordPhoto.name == "scans.record")
        #expect(ScanProgress.name == "scans.progress")
        #expect(
            try WireForm.of(ScanProgress.Parameters(key: Self.key, photo: 0)) == "{\(Self.keyText),\"photo\":0}")
        var parameters = RecordPhoto.Parameters(
            key: Self.key, photo: 0,
            outcome: .success(
                PhotoReading(
                    engine: "gemini", model: "gemini-2.5-flash",
                    spines: [
                        DetectedSpine(
                            title: "Dune", author: "F. Herbert", isbn: "9780441172719", isBarcode: true, box: .whole,
                            confidence: 1)
                    ])))
        (parameters.width, parameters.height) = (4_032, 3_024)
        let text = WireForm.line(
            """
            {\(Self.keyText),"photo":0,"width":4032,"height":3024,"reading":{"engine":"gemini",
            "model":"gemini-2.5-flash","spines":[{"title":"Dune","author":"F. Herbert","isbn":"9780441172719",
            "isBarcode":true,"box":{"x":0,"y":0,"width":1,"height":1,"x1":0,"y1":0,"x2":1,"y2":1},"confidence":1}]}}
            """)
        #expect(try WireForm.of(parameters) == text)
        #expect(try WireForm.read(RecordPhoto.Parameters.self, text).reading == parameters.reading)
        #expect(PhotoReading.maxSpines == 100)
    }

    @Test("a photo that cannot be read has a fault instead of spines")
    func fault() throws {
        let fault = PhotoFault(.noBooksDetected, "No book can be seen on the photo.", isRetryable: false)
        let text = WireForm.line(
            """
            {\(Self.keyText),"photo":1,"fault":{"code":"E_NO_BOOKS_DETECTED",
            "message":"No book can be seen on the photo.","isRetryable":false}}
            """)
        #expect(
            try WireForm.of(RecordPhoto.Parameters(key: Self.key, photo: 1, outcome: .failure(fault))) == text)
        let read = try WireForm.read(RecordPhoto.Parameters.self, text)
        #expect(read.fault == fault)
        #expect(read.reading == nil)
    }

    @Test("a scan's figures are converted to the metadata that clients receive")
    func figures() throws {
        let figures = ScanFigures(
            detected: 7, approved: 5, enriched: 6, photos: [ScannedPhoto(index: 0)], modelUsed: "m",
            processingTime: 9_000, endedAt: 1_763_236_800_000)
        #expect(
            try WireForm.of(figures.reading)
                == WireForm.line(
                    """
                    {"modelUsed":"m","processingTime":9000,"enrichedCount":6,"timestamp":"2025-11-15T20:00:00.000Z"}
                    """))
        let text = WireForm.line(
            """
            {"detected":7,"approved":5,"enriched":6,"photos":[{"index":0,"status":"queued","booksFound":0}],
            "modelUsed":"m","processingTime":9000,"endedAt":1763236800000}
            """)
        #expect(try WireForm.of(figures) == text)
        #expect(try WireForm.read(ScanFigures.self, text) == figures)
    }

    @Test("a claimed webhook contains everything that its message needs")
    func webhook() throws {
        #expect(ClaimWebhook.name == "webhooks.claim")
        #expect(try WireForm.of(ClaimWebhook.Result(webhook: nil)) == "{}")
        let call = WebhookCall(
            id: "msg_1", attempt: 2, url: "https://a.example/books", jobId: Self.job, resultsRevision: 2, improved: 3)
        let text = WireForm.line(
            """
            {"webhook":{"id":"msg_1","attempt":2,"url":"https://a.example/books","jobId":"job-under-test",
            "resultsRevision":2,"improved":3}}
            """)
        #expect(try WireForm.of(ClaimWebhook.Result(webhook: call)) == text)
        #expect(try WireForm.read(ClaimWebhook.Result.self, text).webhook == call)
    }

    @Test("the record of a webhook contains a fault only if the delivery failed")
    func webhookRecord() throws {
        #expect(RecordWebhook.name == "webhooks.record")
        #expect(
            try WireForm.of(RecordWebhook.Parameters(id: "msg_1", attempt: 2, fault: nil))
                == #"{"id":"msg_1","attempt":2}"#)
        #expect(
            try WireForm.of(RecordWebhook.Parameters(id: "msg_1", attempt: 2, fault: "status 500"))
                == #"{"id":"msg_1","attempt":2,"fault":"status 500"}"#)
    }

    @Test("a cover is fetched in one of three sizes, and the result contains its file name, type and length")
    func cover() throws {
        #expect(FetchCover.name == "covers.fetch")
        #expect(
            try WireForm.of(FetchCover.Parameters(url: "https://covers.openlibrary.org/b/id/1-L.jpg", size: .medium))
                == #"{"url":"https://covers.openlibrary.org/b/id/1-L.jpg","size":"medium"}"#)
        let name = String(repeating: "0a", count: 32)
        let text = "{\"file\":\"\(name)\",\"contentType\":\"image/webp\",\"bytes\":5}"
        let result = try WireForm.read(FetchCover.Result.self, text)
        #expect(result.file.description == name)
        #expect(result.contentType == .webp)
        #expect(try WireForm.of(result) == text)
        #expect(CoverSize.allCases.map(\.rawValue) == ["small", "medium", "large"])
        #expect(
            PictureType.allCases.map(\.rawValue) == ["image/jpeg", "image/png", "image/gif", "image/webp"])
    }

    @Test("a file name that does not belong to a cover is rejected", arguments: ["", "../jobs.sqlite", "0a"])
    func wrongCover(name: String) {
        #expect(throws: DecodingError.self) {
            try WireForm.read(
                FetchCover.Result.self, "{\"file\":\"\(name)\",\"contentType\":\"image/png\",\"bytes\":5}")
        }
    }
}
