import BookstrackContract
import HTTPTypes
import Hummingbird
import JSONRPC
import NIOCore
import SuiteMethods

/// A job's results, streamed page by page: rows pass through as the bytes that are stored (spec/01, raw pass-through).
///
/// A reading fetches the next page when the client has taken the one before, so that a slow client makes this process hold two pages at
/// the most. Until the 200 is sent a failure becomes an error answer; afterwards the connection ends inside the body.
struct ResultsRoutes: Sendable {
    /// A client that takes no page for so long is cut off, since its reading has a place that others may wait for.
    private static let stallLimit = TimeAmount.seconds(20)
    /// Tries of a page whose failure may pass, after the 200 is sent.
    private static let pageTries = 4
    private static let connectionWait = Duration.seconds(1)
    private static let pause = Duration.milliseconds(250)

    let host: RPCClient
    let gate: ReadingGate
    let trustedProxies: TrustedProxies

    var routes: [Route] {
        ["/v1/enrichment/results/{jobId}", "/v1/jobs/{jobId}/results"].map { path in
            Route(.get, path, limit: .jobReading) { request, context in
                try await answer(try context.jobId(), request, context)
            }
        }
    }

    private func answer(_ jobId: JobID, _ request: Request, _ context: ProxyContext) async throws -> Response {
        let client = trustedProxies.clientNetwork(peer: context.peer, fields: request.headers)
        let place = try await gate.enter(client, on: context.channel.eventLoop)
        // Readiness tells of the other connection; this one may be made a moment later.
        try await host.waitUntilConnected(within: Self.connectionWait)
        try await gate.waitForTurn()
        // Before the status is sent, so that a failure still becomes an error answer.
        let results = try await readOpening(of: jobId)
        var metadata = context.exchange.metadata
        // As the contract's answers say of everything that is read from storage (§6.2).
        metadata.provider = "kv_cache"
        metadata.cached = true
        let frame = ResultsFrame(results.head, metadata: metadata)
        let headers: HTTPFields = [.contentType: StandardFields.json]
        guard results.page.next != nil else {
            return Response(
                status: .ok, headers: headers, body: .init(byteBuffer: frame.whole(around: results.page.rows)))
        }
        let body = ResponseBody { [channel = context.channel] writer in
            defer { withExtendedLifetime(place) {} }
            try await write([frame.opening], to: &writer, channel)
            try await write(results.page, of: jobId, to: &writer, channel)
            try await write([frame.closing], to: &writer, channel)
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    private func write(
        _ first: ResultsPage, of jobId: JobID, to writer: inout any ResponseBodyWriter, _ channel: any Channel
    ) async throws {
        var page = first
        var separator = ByteBuffer()
        while true {
            if page.rows.readableBytes > 0 {
                try await write([separator, page.rows], to: &writer, channel)
                separator = ByteBuffer(string: ",")
            }
            guard let next = page.next else { return }
            page = try await laterPage(of: jobId, cursor: next)
        }
    }

    /// Writes, and closes the connection of a client that takes nothing for too long.
    private func write(
        _ buffers: [ByteBuffer], to writer: inout any ResponseBodyWriter, _ channel: any Channel
    ) async throws {
        let timer = channel.eventLoop.scheduleTask(in: Self.stallLimit) { channel.close(promise: nil) }
        defer { timer.cancel() }
        try await writer.write(contentsOf: buffers)
    }

    /// A page after the 200 was sent. Rather than break the answer off it waits for a failure to pass.
    private func laterPage(of jobId: JobID, cursor: Int) async throws -> ResultsPage {
        for _ in 1..<Self.pageTries {
            do {
                return try await page(of: jobId, cursor: cursor)
            } catch let error as RPCError where error.isPassing {
                try await Task.sleep(for: Self.pause)
                try await host.waitUntilConnected(within: ReadResultsPage.deadline)
            }
        }
        return try await page(of: jobId, cursor: cursor)
    }

    private func page(of jobId: JobID, cursor: Int) async throws -> ResultsPage {
        try await gate.waitForTurn()
        let parameters = try BodyCoding.encode(ReadResultsPage.Parameters(jobId: jobId, cursor: cursor))
        let raw = try await host.callRaw(ReadResultsPage.name, parameters, deadline: ReadResultsPage.deadline)
        return try documented(ResultsPage(raw: raw), of: ReadResultsPage.name)
    }

    private func readOpening(of jobId: JobID) async throws -> ReadResults {
        let parameters = try BodyCoding.encode(ReadResults.Parameters(jobId: jobId))
        let raw = try await host.callRaw(ReadResults.name, parameters, deadline: ReadResults.deadline)
        return try documented(ReadResults(raw: raw), of: ReadResults.name)
    }

    private func documented<Answer>(_ answer: Answer?, of method: String) throws -> Answer {
        guard let answer else { throw RPCError(.protocolViolation("\(method) does not have the documented shape")) }
        return answer
    }
}

extension RPCError {
    /// Whether the same call may succeed soon.
    fileprivate var isPassing: Bool {
        switch kind {
        case .connectionLost, .notConnected, .deadlineExceeded, .overloaded: true
        case .cancelled, .frameTooLarge, .protocolViolation, .remote: false
        }
    }
}

/// The results envelope in two halves, between which the rows go.
private struct ResultsFrame: Sendable {
    let opening: ByteBuffer
    let closing: ByteBuffer

    init(_ head: ReadResults.Head, metadata: ResponseMetadata) {
        let empty = EnrichmentResults(
            jobId: head.jobId, resultsRevision: head.resultsRevision, expiresAt: head.expiresAt,
            successCount: head.successCount, failureCount: head.failureCount, enrichedBooks: [])
        let whole = JSONBody.encode(SuccessEnvelope(data: empty, metadata: metadata))
        // No text before it can look like the key: a jobId has no quotes, the other members are numbers and times.
        let split = whole.range(of: "\"enrichedBooks\":[")?.upperBound ?? whole.readableBytes
        opening = ByteBuffer(whole.readableBytesView.prefix(split))
        closing = ByteBuffer(whole.readableBytesView.dropFirst(split))
    }

    /// The envelope around rows that are all there are.
    func whole(around rows: ByteBuffer) -> ByteBuffer {
        var body = ByteBuffer()
        body.reserveCapacity(opening.readableBytes + rows.readableBytes + closing.readableBytes)
        for part in [opening, rows, closing] { body.writeImmutableBuffer(part) }
        return body
    }
}
