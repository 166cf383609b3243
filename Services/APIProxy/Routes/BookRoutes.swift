import BookstrackContract
import HTTPTypes
import Hummingbird
import JSON
import JSONRPC
import NIOCore
import Observability
import SuiteMethods

/// `POST /v1/books/enrich` and its alias: one book, looked up by its own job (http-api.md "One book").
///
/// The lookup is a job rather than a search. If its result is not ready in time, the job continues, and the client receives the job or, on the
/// alias, 503.
struct BookRoutes: Sendable {
    static let path = "/v1/books/enrich"
    static let appPath = "/api/v2/books/enrich"

    let host: RPCClient
    let ends: JobEnds
    let bodies: JSONBodies
    let aborted: AbortedConnections
    let trustedProxies: TrustedProxies
    /// How long a request waits for its job, measured from the arrival of the request's head.
    let limit: Duration

    private enum Outcome {
        case found(BookEnrichment)
        case unfinished(CreatedJob)
    }

    var routes: [Route] {
        [
            Route(.post, Self.path, limit: .search) { request, context in
                switch try await enrich(request, context) {
                case .found(let book):
                    .json(.ok, SuccessEnvelope(data: book, metadata: metadata(of: book, context)))
                case .unfinished(let job): .envelope(.accepted, StartedJob(job), context)
                }
            },
            Route(.post, Self.appPath, limit: .search) { request, context in
                guard case .found(let book) = try await enrich(request, context) else { throw APIFailure.unfinished }
                return .json(.ok, FlatEnvelope(data: book, metadata: metadata(of: book, context)))
            },
        ]
    }

    private func metadata(of book: BookEnrichment, _ context: ProxyContext) -> ResponseMetadata {
        var metadata = context.exchange.metadata
        metadata.provider = book.provider.rawValue
        return metadata
    }

    private func enrich(_ request: Request, _ context: ProxyContext) async throws -> Outcome {
        let client = trustedProxies.clientAddress(peer: context.peer, fields: request.headers)
        let asked = try await bodies.read(request, context) { try BookRequest(body: $0) }
        let origin = JobOrigin(
            client: client.shareKey, shownToken: BearerToken.read(request.headers[.authorization]),
            isKeyed: asked.idempotencyKey == nil ? nil : true, priority: .high)
        let job = try await JobStarter(host: host).start(
            asked.jobId(of: client.shareKey), items: [asked.book], origin: origin)
        let activity = context.exchange.activity
        if !job.status.isTerminal {
            let channel = context.channel
            do {
                try await aborted.cancelling(channel, gracePeriod: .zero) {
                    await ends.wait(
                        for: job, ClientNetwork(client), on: channel, activity, within: limit - activity.elapsed)
                    // After a restart of progress-host, events arrive before its connection is ready for calls.
                    try? await host.waitUntilConnected(
                        within: min(ResultsReading.connectionWait, max(.zero, limit - activity.elapsed)))
                    try Task.checkCancellation()
                }
            } catch is ServerStops {
                return .unfinished(job)
            }
        }
        return try await outcome(of: job, asked.book)
    }

    /// The outcome of the job. If progress-host cannot be queried, the job continues, so its outcome is `unfinished` rather than a failure.
    private func outcome(of job: CreatedJob, _ book: BookQuery) async throws -> Outcome {
        let (endedAt, results): (String, ReadResults)
        do {
            let state = try await host.call(ReadJobState.self, JobAccess(jobId: job.jobId, token: job.token))
            guard state.status.isTerminal, let end = state.endedAt else { return .unfinished(job) }
            (endedAt, results) = (end, try await host.results(of: job.jobId))
        } catch let error as RPCError where error.applicationCode == nil {
            return .unfinished(job)
        }
        // The only row of the job.
        let row = try BodyCoding.decode(EnrichedBook.self, from: results.page.rows)
        guard let found = row.enriched else { throw APIFailure(row) }
        guard let answer = BookEnrichment(found, asked: book.isbn, enrichedAt: endedAt) else {
            throw APIFailure.internalError
        }
        return .found(answer)
    }
}

extension APIFailure {
    /// The response to a shipped app, which cannot watch the job that continues.
    fileprivate static let unfinished = APIFailure(
        .serviceUnavailable, "Looking up this book is taking longer than usual. Please try again.", retryAfter: 5)

    /// Why there is no result; if the providers failed, with the same code as for a search (http-api.md "Searches").
    fileprivate init(_ row: EnrichedBook) {
        let code: APIErrorCode
        var retryAfter: Int?
        switch row.errorCode {
        case .invalidISBN: code = .invalidISBN
        case .notFound: code = .notFound
        case .providerTimeout: code = .providerTimeout
        case .providerError: code = .providerError
        case .quotaExhausted: (code, retryAfter) = (.quotaExhausted, 60)
        case .cancelled, .deadlineExceeded, nil: (code, retryAfter) = (.serviceUnavailable, 5)
        }
        self.init(code, row.error ?? "The book was not looked up.", retryAfter: retryAfter)
    }
}

/// A validated request for one book.
struct BookRequest: Equatable {
    var book: BookQuery
    /// The client's own key for the job; nil if none was sent.
    var idempotencyKey: String?

    /// Reads a body. Unknown members are refused, as for every book (http-api.md "Validation"). A blank text counts as absent, because a form sends
    /// the fields that its user left empty, too. Throws `APIFailure`.
    init(body: [UInt8]) throws {
        var (isbn, barcode, title, author): (String?, String?, String?, String?)
        var key: String?
        try JSONReader.readBody(body) { reader, name in
            switch name {
            case "isbn": isbn = try reader.readFilledText(at: name, limit: BookQuery.isbnLimit.characters)
            case "barcode": barcode = try reader.readFilledText(at: name, limit: BookQuery.isbnLimit.characters)
            case "title": title = try reader.readFilledText(at: name, limit: BookQuery.titleLimit.characters)
            case "author": author = try reader.readFilledText(at: name, limit: BookQuery.authorLimit.characters)
            case "preferProvider": let _: DataProvider? = try reader.readCase(at: name)
            case "idempotencyKey": key = try reader.readJobID(at: name, shortest: JobID.shortestNew)?.text
            default: throw APIFailure.invalid(String(name.prefix(32)), "is unknown")
            }
        }
        guard [isbn, barcode, title].count(where: { $0 != nil }) == 1 else {
            throw APIFailure(.invalidRequest, "Provide exactly one of isbn, title and barcode.")
        }
        guard author == nil || title != nil else { throw APIFailure.invalid("author", "is only allowed with title") }
        book = BookQuery(title: title, author: author, isbn: isbn ?? barcode)
        idempotencyKey = key
    }

    /// The job's identifier: derived from the client's key, or a new one.
    func jobId(of client: String) -> JobID { idempotencyKey.map { .derived(from: $0, of: client) } ?? .random() }
}

extension JSONReader {
    /// Like ``readText(at:limit:)``, but a blank string counts as absent, too.
    fileprivate mutating func readFilledText(at place: String, limit: Int) throws -> String? {
        try readText(at: place, limit: limit).flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }
}
