import BookstrackContract
import HTTPTypes
import JSONRPC
import NIOCore
import NIOHTTP1
import SuiteMethods

/// A job's results. JSON documents contain the rows' bytes as progress-host returns them (Services/README.md "JSON-RPC"), except for the errors that
/// shipped apps read.
struct ResultsRoutes: Sendable {
    let host: RPCClient
    let limiter: ReadingLimiter
    let trustedProxies: TrustedProxies

    var routes: [Route] {
        [
            route("/v1/enrichment/results/{jobId}") { _ in [RowsDocument.enrichment] },
            route("/v1/jobs/{jobId}/results") { _ in
                [RowsDocument.enrichment, ImportDocument(shape: .contract), RowsDocument.scan]
            },
            route("/v1/scan/results/{jobId}", key: "scan-results") { _ in [RowsDocument.scan] },
            route("/v1/csv/results/{jobId}", key: "csv-results") { query throws(APIFailure) in
                [try ImportDocuments.document(for: query)]
            },
            route("/api/v2/imports/{jobId}/results") { _ in
                [RowsDocument.scan, ImportDocument(shape: .shippedApp)]
            },
        ]
    }

    private func route(
        _ path: String, key: String? = nil, _ choose: @escaping ResultsReading.Choice
    ) -> Route {
        Route(onLoop: path, limit: .jobReading) { request in
            let client = trustedProxies.clientNetwork(
                peer: request.channel.remoteAddress, headers: request.head.headers)
            return ResultsReading(
                jobId: request.jobId, choose, key: key, host: host, limiter: limiter, client: client)
        }
    }
}

/// How a job's rows become a document: the calls that fetch them, and the text around them.
protocol ResultsDocument {
    /// The kind of job that has such results.
    var pipeline: Pipeline { get }
    /// Fetches the head and the first page; its parameters are those of `ReadResults`.
    var opening: ResultsCall { get }
    /// Fetches a later page; its parameters are those of `ReadResultsPage`.
    var page: ResultsCall { get }
    /// Header fields of the response.
    var fields: HTTPFields { get }
    /// Reads the response to ``opening``; `metadata` is the envelope's. Throws ``OtherPipeline`` if the results need another document; any other
    /// error means that they cannot be read.
    mutating func open(_ answer: ByteBuffer, _ metadata: ResponseMetadata) throws -> ResultsPiece
    /// Reads the response to ``page``.
    mutating func add(_ answer: ByteBuffer) throws -> ResultsPiece
}

extension ResultsDocument {
    /// The rest of an envelope after the lists of rows. Rows and figures form one object.
    static func ending(_ figures: any Encodable, _ metadata: ResponseMetadata) throws -> ByteBuffer {
        var text = ByteBuffer(staticString: "],")
        let members = try BodyCoding.encode(figures)
        // Without the opening brace.
        text.writeBytes(members.readableBytesView.dropFirst())
        text.writeStaticString(",\"metadata\":")
        text.writeImmutableBuffer(try BodyCoding.encode(metadata))
        text.writeStaticString(",\"success\":true}")
        return text
    }
}

/// A call to progress-host that fetches results.
struct ResultsCall {
    static let results = ResultsCall(name: ReadResults.name, deadline: ReadResults.deadline)
    static let resultsPage = ResultsCall(name: ReadResultsPage.name, deadline: ReadResultsPage.deadline)
    static let importResults = ResultsCall(name: ReadImportResults.name, deadline: ReadImportResults.deadline)
    static let importPage = ResultsCall(name: ReadImportPage.name, deadline: ReadImportPage.deadline)

    let name: String
    let deadline: Duration

    /// The decoded response. Throws a protocol violation if it does not have the documented shape.
    func documented<Answer>(_ answer: Answer?) throws(RPCError) -> Answer {
        guard let answer else {
            throw RPCError(.protocolViolation("result of \(name) does not have the documented shape"))
        }
        return answer
    }
}

extension RPCClient {
    /// The head and the first page of a job's results. Throws `RPCError`.
    func results(of jobId: JobID) async throws -> ReadResults {
        try await read(.results, ReadResults.Parameters(jobId: jobId), ReadResults.init(raw:))
    }

    /// The page of a job's results that begins at `cursor`. Throws `RPCError`.
    func resultsPage(of jobId: JobID, at cursor: Int) async throws -> ResultsPage {
        try await read(
            .resultsPage, ReadResultsPage.Parameters(jobId: jobId, cursor: cursor), ResultsPage.init(raw:))
    }

    /// Makes a call whose response is read without being decoded as a whole. Throws `RPCError`.
    func read<Answer>(
        _ call: ResultsCall, _ parameters: some Encodable & Sendable, _ read: (ByteBuffer) -> Answer?
    ) async throws -> Answer {
        try call.documented(read(await callRaw(call.name, BodyCoding.encode(parameters), deadline: call.deadline)))
    }
}

/// The job is not of the document's kind, so its results need another document.
struct OtherPipeline: Error {
    let jobId: JobID
    let pipeline: Pipeline

    /// The failure of a route that does not serve this kind of results.
    var failure: APIFailure {
        APIFailure(
            .notFound, "The job has results of another kind; see /v1/jobs/\(jobId)/results.",
            details: ["jobId": .text(jobId.text), "pipeline": .text(pipeline.rawValue)])
    }
}

/// Part of a document's text, and where the document continues.
struct ResultsPiece {
    enum Next: Equatable {
        case page(Int)
        /// The document continues with the first page again.
        case opening
        case end
    }

    var text: ByteBuffer
    var next: Next
    /// The revision of the results; set only in the first piece.
    var revision: Int?
}

/// Results that are one list of rows, in their envelope, followed by the figures.
struct RowsDocument: ResultsDocument {
    let pipeline: Pipeline
    let opening = ResultsCall.results
    let page = ResultsCall.resultsPage
    let fields: HTTPFields = [.contentType: StandardFields.json]
    /// The text before the first row.
    private let start: StaticString
    /// The members that are not rows; nil for a job of another kind.
    private let figures: (ReadResults.Head) -> (any Encodable)?
    private var ending = ByteBuffer()
    private var hasRows = false

    init(
        _ pipeline: Pipeline, after start: StaticString,
        figures: @escaping (ReadResults.Head) -> (any Encodable)?
    ) {
        self.pipeline = pipeline
        self.start = start
        self.figures = figures
    }

    mutating func open(_ answer: ByteBuffer, _ metadata: ResponseMetadata) throws -> ResultsPiece {
        let results = try opening.documented(ReadResults(raw: answer))
        guard results.head.pipeline == pipeline, let figures = figures(results.head) else {
            throw OtherPipeline(jobId: results.head.jobId, pipeline: results.head.pipeline)
        }
        ending = try Self.ending(figures, metadata)
        var first = piece(results.page, after: start)
        first.revision = results.head.resultsRevision
        return first
    }

    mutating func add(_ answer: ByteBuffer) throws -> ResultsPiece {
        piece(try page.documented(ResultsPage(raw: answer)))
    }

    private mutating func piece(_ page: ResultsPage, after start: StaticString = "") -> ResultsPiece {
        var text = ByteBuffer()
        let ending = page.next == nil ? ending : ByteBuffer()
        text.reserveCapacity(start.utf8CodeUnitCount + page.rows.readableBytes + ending.readableBytes + 1)
        text.writeStaticString(start)
        if hasRows, page.rows.readableBytes > 0 { text.writeStaticString(",") }
        hasRows = hasRows || page.rows.readableBytes > 0
        text.writeImmutableBuffer(page.rows)
        text.writeImmutableBuffer(ending)
        return ResultsPiece(text: text, next: page.next.map { .page($0) } ?? .end)
    }
}

/// The members of an enrichment's results that are not rows.
private struct EnrichmentSummary: Encodable {
    let jobId: JobID
    let resultsRevision: Int
    let expiresAt: String
    let successCount: Int
    let failureCount: Int

    init(_ head: ReadResults.Head) {
        jobId = head.jobId
        resultsRevision = head.resultsRevision
        expiresAt = head.expiresAt
        successCount = head.successCount
        failureCount = head.failureCount
    }
}

/// The members of a scan's results that are not books.
private struct ScanSummary: Encodable {
    let jobId: JobID
    let resultsRevision: Int
    let expiresAt: String
    let totalDetected: Int
    let approved: Int
    let needsReview: Int
    let photos: [ScannedPhoto]
    let metadata: ScanResults.Reading

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

extension RowsDocument {
    /// The results of a batch enrichment.
    static var enrichment: RowsDocument {
        RowsDocument(.batchEnrichment, after: "{\"data\":{\"enrichedBooks\":[") { EnrichmentSummary($0) }
    }

    /// The results of a scan (scans.md "Results").
    static var scan: RowsDocument {
        RowsDocument(.aiScan, after: "{\"data\":{\"books\":[") { head in head.scan.map { ScanSummary(head, $0) } }
    }
}
