import BookstrackContract
import HTTPTypes
import JSONRPC
import NIOCore
import SuiteMethods

/// The results of a scan in their envelope: the books page by page, followed by the figures (scans.md "Results").
struct ScanDocument: ResultsDocument {
    let pipeline = Pipeline.aiScan
    let opening = ResultsCall(name: ReadResults.name, deadline: ReadResults.deadline)
    let page = ResultsCall(name: ReadResultsPage.name, deadline: ReadResultsPage.deadline)
    let fields: HTTPFields = [.contentType: StandardFields.json]
    private var closing = ByteBuffer()
    private var hasRows = false

    /// The members that are not books.
    private struct Figures: Encodable {
        let jobId: JobID
        let resultsRevision: Int
        let expiresAt: String
        let totalDetected: Int
        let approved: Int
        let needsReview: Int
        let photos: [ScannedPhoto]
        let metadata: BookstrackContract.ScanResults.Reading

        init(_ head: ReadResults.Head, _ scan: ScanFigures) {
            jobId = head.jobId
            resultsRevision = head.resultsRevision
            expiresAt = head.expiresAt
            totalDetected = scan.detected
            approved = scan.approved
            needsReview = scan.detected - scan.approved
            photos = scan.photos
            metadata = scan.reading
        }
    }

    mutating func open(_ answer: ByteBuffer, _ metadata: ResponseMetadata) throws -> ResultsPiece {
        let results = try documented(ReadResults(raw: answer), of: opening)
        guard results.head.pipeline == pipeline, let scan = results.head.scan else {
            throw OtherPipeline(jobId: results.head.jobId, pipeline: results.head.pipeline)
        }
        closing = ByteBuffer(staticString: "],")
        // Books and figures form one object.
        closing.writeImmutableBuffer(try BodyCoding.encode(Figures(results.head, scan)).withoutOpeningBrace)
        closing.writeStaticString(",\"metadata\":")
        closing.writeImmutableBuffer(try BodyCoding.encode(metadata))
        closing.writeStaticString(",\"success\":true}")
        var first = piece(results.page, behind: "{\"data\":{\"books\":[")
        first.revision = results.head.resultsRevision
        return first
    }

    mutating func add(_ answer: ByteBuffer) throws -> ResultsPiece {
        piece(try documented(ResultsPage(raw: answer), of: page))
    }

    private mutating func piece(_ page: ResultsPage, behind start: StaticString = "") -> ResultsPiece {
        var text = ByteBuffer()
        text.writeStaticString(start)
        if hasRows, page.rows.readableBytes > 0 { text.writeStaticString(",") }
        hasRows = hasRows || page.rows.readableBytes > 0
        text.writeImmutableBuffer(page.rows)
        if page.next == nil { text.writeImmutableBuffer(closing) }
        return ResultsPiece(text: text, next: page.next.map { .page($0) } ?? .end)
    }
}
