import BookstrackContract
import HTTPTypes
import JSONRPC
import NIOCore
import NIOHTTP1
import SuiteMethods

/// A job's results: rows are passed through as the stored bytes (Services/README.md "JSON-RPC").
struct ResultsRoutes: Sendable {
    let host: RPCClient
    let gate: ReadingGate
    let trustedProxies: TrustedProxies

    var routes: [Route] {
        [
            route("/v1/enrichment/results/{jobId}") { _ in .success((EnrichmentDocument(), [])) },
            route("/v1/jobs/{jobId}/results") { _ in
                .success((EnrichmentDocument(), [ImportDocument(shape: .contract), ScanDocument()]))
            },
            route("/v1/scan/results/{jobId}") { _ in .success((ScanDocument(), [])) },
            route("/v1/csv/results/{jobId}") { query in
                do throws(APIFailure) {
                    return .success((try ImportDocuments.document(for: query), []))
                } catch {
                    return .failure(error)
                }
            },
            route("/api/v2/imports/{jobId}/results") { _ in
                .success((ScanDocument(), [ImportDocument(shape: .shippedApp)]))
            },
        ]
    }

    /// A document, and the alternatives for jobs of other kinds.
    private typealias Documents = (any ResultsDocument, or: [any ResultsDocument])

    private func route(
        _ path: String, _ documents: @escaping @Sendable (QueryItems) -> Result<Documents, APIFailure>
    ) -> Route {
        Route(onLoop: path, limit: .jobReading) { request in
            switch documents(QueryItems(uri: request.head.uri)) {
            case .failure(let failure): return RefusedReading(failure)
            case .success(let (document, alternatives)):
                let client = trustedProxies.clientNetwork(
                    peer: request.channel.remoteAddress, headers: request.head.headers)
                return ResultsReading(
                    jobId: request.jobId, document, or: alternatives,
                    host: host, gate: gate, client: client)
            }
        }
    }
}

/// A reading whose query is refused.
private final class RefusedReading: LoopWork {
    private let failure: APIFailure

    init(_ failure: APIFailure) { self.failure = failure }

    func start(_ exchange: LoopExchange) { exchange.fail(failure) }

    func cancel() {}
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
    /// Reads the response to ``opening``; `metadata` is the envelope's. Throws `APIFailure`, `OtherPipeline`, `RPCError` or
    /// `EncodingError`.
    mutating func open(_ answer: ByteBuffer, _ metadata: ResponseMetadata) throws -> ResultsPiece
    /// Reads the response to ``page``.
    mutating func add(_ answer: ByteBuffer) throws -> ResultsPiece
}

extension ResultsDocument {
    /// The decoded response. Throws a protocol violation if it does not have the documented shape.
    func documented<Answer>(_ answer: Answer?, of call: ResultsCall) throws(RPCError) -> Answer {
        guard let answer else {
            throw RPCError(.protocolViolation("result of \(call.name) does not have the documented shape"))
        }
        return answer
    }
}

/// A call to progress-host that fetches results.
struct ResultsCall {
    var name: String
    var deadline: Duration
}

/// The job is not of the document's kind, and its results must be fetched with other calls.
struct OtherPipeline: Error {
    let jobId: JobID
    let pipeline: Pipeline

    /// The failure of a route that serves only one kind of results.
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

/// The results of a batch enrichment in their envelope.
struct EnrichmentDocument: ResultsDocument {
    let pipeline = Pipeline.batchEnrichment
    let opening = ResultsCall(name: ReadResults.name, deadline: ReadResults.deadline)
    let page = ResultsCall(name: ReadResultsPage.name, deadline: ReadResultsPage.deadline)
    let fields: HTTPFields = [.contentType: StandardFields.json]
    private var closing = ByteBuffer()
    private var hasRows = false

    /// The members that are not rows.
    private struct Figures: Encodable {
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

    mutating func open(_ answer: ByteBuffer, _ metadata: ResponseMetadata) throws -> ResultsPiece {
        let results = try documented(ReadResults(raw: answer), of: opening)
        guard results.head.pipeline == pipeline else {
            throw OtherPipeline(jobId: results.head.jobId, pipeline: results.head.pipeline)
        }
        closing = ByteBuffer(staticString: "],")
        // Rows and figures form one object.
        closing.writeImmutableBuffer(try BodyCoding.encode(Figures(results.head)).withoutOpeningBrace)
        closing.writeStaticString(",\"metadata\":")
        closing.writeImmutableBuffer(try BodyCoding.encode(metadata))
        closing.writeStaticString(",\"success\":true}")
        var first = piece(results.page, behind: "{\"data\":{\"enrichedBooks\":[")
        first.revision = results.head.resultsRevision
        return first
    }

    mutating func add(_ answer: ByteBuffer) throws -> ResultsPiece {
        piece(try documented(ResultsPage(raw: answer), of: page))
    }

    private mutating func piece(_ page: ResultsPage, behind start: StaticString = "") -> ResultsPiece {
        var text = ByteBuffer()
        let ending = page.next == nil ? closing : ByteBuffer()
        text.reserveCapacity(start.utf8CodeUnitCount + page.rows.readableBytes + ending.readableBytes + 1)
        text.writeStaticString(start)
        if hasRows, page.rows.readableBytes > 0 { text.writeStaticString(",") }
        hasRows = hasRows || page.rows.readableBytes > 0
        text.writeImmutableBuffer(page.rows)
        text.writeImmutableBuffer(ending)
        return ResultsPiece(text: text, next: page.next.map { .page($0) } ?? .end)
    }
}

extension ByteBuffer {
    /// The members of an object and its closing brace, for continuing another object.
    var withoutOpeningBrace: ByteBuffer {
        getSlice(at: readerIndex + 1, length: readableBytes - 1) ?? self
    }
}
