import BookstrackContract
import HTTPTypes
import JSONRPC
import NIOCore
import NIOHTTP1
import Observability
import SuiteMethods

/// A job's results: rows pass through as the bytes that are stored (Services/README.md "JSON-RPC").
struct ResultsRoutes: Sendable {
    let host: RPCClient
    let gate: ReadingGate
    let trustedProxies: TrustedProxies

    var routes: [Route] {
        ["/v1/enrichment/results/{jobId}", "/v1/jobs/{jobId}/results"].map { path in
            Route(onLoop: path, limit: .jobReading) { request in
                let client = trustedProxies.clientNetwork(
                    peer: request.channel.remoteAddress, headers: request.head.headers)
                return ResultsReading(
                    jobId: request.parameter("jobId").flatMap { JobID(String($0)) }, host: host, gate: gate,
                    client: client)
            }
        }
    }
}

/// The results envelope in two halves, between which the rows go.
struct ResultsFrame {
    let opening = ByteBuffer(staticString: "{\"data\":{\"enrichedBooks\":[")
    let closing: ByteBuffer

    /// Throws `EncodingError`.
    init(_ head: ReadResults.Head, metadata: ResponseMetadata) throws {
        let members = try BodyCoding.encode(head)
        var text = ByteBuffer(staticString: "],")
        // Without the brace that opens it: rows and head are one object.
        text.writeImmutableBuffer(
            members.getSlice(at: members.readerIndex + 1, length: members.readableBytes - 1) ?? members)
        text.writeStaticString(",\"metadata\":")
        text.writeImmutableBuffer(try BodyCoding.encode(metadata))
        text.writeStaticString(",\"success\":true}")
        closing = text
    }

    /// The envelope around rows that are all there are.
    func whole(around rows: ByteBuffer) -> ByteBuffer {
        var body = ByteBuffer()
        body.reserveCapacity(opening.readableBytes + rows.readableBytes + closing.readableBytes)
        for part in [opening, rows, closing] { body.writeImmutableBuffer(part) }
        return body
    }
}

/// Sends a job's results page by page, on the event loop of the connection.
///
/// It fetches the next page when the client has taken the one before, so that a slow client makes this process hold one page. Until the 200
/// is sent a failure becomes an error answer; afterwards the connection ends inside the body.
final class ResultsReading: LoopWork {
    /// A client that takes no page for this long is disconnected, since its reading holds a place that others may wait for.
    private static let stallLimit = TimeAmount.seconds(20)
    /// Tries of a page whose failure may pass, after the 200 is sent.
    private static let pageTries = 4
    private static let connectionWait = Duration.seconds(1)
    private static let pause = TimeAmount.milliseconds(250)

    /// Nil when the path has none.
    private let jobId: JobID?
    private let host: RPCClient
    private let gate: ReadingGate
    private let client: ClientNetwork
    /// Nil before the reading begins and when it is over.
    private var exchange: LoopExchange?
    private var ticket: ReadingGate.Ticket?
    private var place: ReadingPlace?
    private var stall: Scheduled<Void>?
    private var frame: ResultsFrame?
    private var hasRows = false

    init(jobId: JobID?, host: RPCClient, gate: ReadingGate, client: ClientNetwork) {
        self.jobId = jobId
        self.host = host
        self.gate = gate
        self.client = client
    }

    func start(_ exchange: LoopExchange) {
        guard let jobId else { return exchange.fail(APIFailure.invalid("jobId", JobID.rule())) }
        exchange.activity.concern(job: jobId.text)
        self.exchange = exchange
        let reading = NIOLoopBound(self, eventLoop: exchange.eventLoop)
        ticket = gate.enter(client, on: exchange.eventLoop) { reading.value.entered($0, jobId) }
    }

    func cancel() { end() }

    /// Releases the place.
    private func end() {
        if let ticket { gate.giveUp(ticket) }
        stall?.cancel()
        (exchange, ticket, place, stall) = (nil, nil, nil, nil)
    }

    private func fail(_ error: any Error) {
        let exchange = exchange
        end()
        if frame == nil { exchange?.fail(error) } else { exchange?.breakOff(error) }
    }
}

// MARK: The opening

extension ResultsReading {
    private func entered(_ outcome: ReadingGate.Outcome, _ jobId: JobID) {
        guard exchange != nil else { return }
        ticket = nil
        switch outcome {
        case .failure(let failure): fail(failure)
        case .success(let place):
            self.place = place
            whenConnected(within: Self.connectionWait) { reading in
                reading.call(ReadResults.name, ReadResults.Parameters(jobId: jobId), deadline: ReadResults.deadline) {
                    reading.opened($0, jobId)
                }
            }
        }
    }

    /// Before the status is sent, so that a failure still becomes an error answer.
    private func opened(_ outcome: Result<ByteBuffer, RPCError>, _ jobId: JobID) {
        guard let exchange else { return }
        var metadata = exchange.exchange.metadata
        // As the contract's answers say of everything that is read from storage (§6.2).
        metadata.provider = "kv_cache"
        metadata.cached = true
        let results: ReadResults
        let frame: ResultsFrame
        do {
            results = try documented(ReadResults(raw: outcome.get()), of: ReadResults.name)
            frame = try ResultsFrame(results.head, metadata: metadata)
        } catch {
            return fail(error)
        }
        let fields: HTTPFields = [.contentType: StandardFields.json]
        guard results.page.next != nil else {
            end()
            return exchange.answer(.ok, fields, frame.whole(around: results.page.rows))
        }
        self.frame = frame
        exchange.begin(fields)
        if exchange.head.method == .HEAD {
            end()
            return exchange.end()
        }
        take(results.page, of: jobId, behind: frame.opening)
    }
}

// MARK: Pages

extension ResultsReading {
    /// Writes a page, and asks for the next one when the client has taken it.
    private func take(_ page: ResultsPage, of jobId: JobID, behind opening: ByteBuffer = ByteBuffer()) {
        guard let exchange, let frame else { return }
        var parts = [opening]
        if page.rows.readableBytes > 0 {
            if hasRows { parts.append(ByteBuffer(staticString: ",")) }
            parts.append(page.rows)
            hasRows = true
        }
        guard let next = page.next else {
            exchange.write(parts + [frame.closing], promise: nil)
            end()
            return exchange.end()
        }
        let channel = exchange.channel
        stall = exchange.eventLoop.scheduleTask(in: Self.stallLimit) { channel.close(promise: nil) }
        let written = exchange.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenSuccess { self.fetch(next, of: jobId) }
        exchange.write(parts, promise: written)
    }

    private func fetch(_ cursor: Int, of jobId: JobID, tries: Int = pageTries) {
        stall?.cancel()
        call(
            ReadResultsPage.name, ReadResultsPage.Parameters(jobId: jobId, cursor: cursor),
            deadline: ReadResultsPage.deadline
        ) { outcome in
            do {
                self.take(try self.documented(ResultsPage(raw: outcome.get()), of: ReadResultsPage.name), of: jobId)
            } catch let error as RPCError where error.isPassing && tries > 1 {
                self.retry(cursor, of: jobId, tries: tries - 1)
            } catch {
                self.fail(error)
            }
        }
    }

    /// Waits for a temporary failure to pass instead of breaking off the answer.
    private func retry(_ cursor: Int, of jobId: JobID, tries: Int) {
        exchange?.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            self.whenConnected(within: ReadResultsPage.deadline) { $0.fetch(cursor, of: jobId, tries: tries) }
        }
    }
}

// MARK: Calls

extension ResultsReading {
    /// Readiness is about the other connection; this one may be connected a moment later.
    private func whenConnected(within limit: Duration, _ then: @escaping @Sendable (ResultsReading) -> Void) {
        guard let exchange else { return }
        if host.isConnected { return then(self) }
        let reading = NIOLoopBound(self, eventLoop: exchange.eventLoop)
        Task { [host, eventLoop = exchange.eventLoop] in
            do {
                try await host.waitUntilConnected(within: limit)
                eventLoop.execute { then(reading.value) }
            } catch {
                eventLoop.execute { reading.value.fail(error) }
            }
        }
    }

    /// Calls progress-host in this reading's turn; `complete` is called on the event loop, unless the reading is over by then.
    private func call(
        _ method: String, _ parameters: some Encodable & Sendable, deadline: Duration,
        _ complete: @escaping (Result<ByteBuffer, RPCError>) -> Void
    ) {
        guard let exchange else { return }
        let wait = gate.waitOfNextPage()
        if wait <= .zero { return send(method, parameters, deadline, complete) }
        exchange.eventLoop.assumeIsolated().scheduleTask(in: wait) {
            self.send(method, parameters, deadline, complete)
        }
    }

    private func send(
        _ method: String, _ parameters: some Encodable & Sendable, _ deadline: Duration,
        _ complete: @escaping (Result<ByteBuffer, RPCError>) -> Void
    ) {
        guard let exchange else { return }
        let body: ByteBuffer
        do {
            body = try BodyCoding.encode(parameters)
        } catch {
            return fail(error)
        }
        let eventLoop = exchange.eventLoop
        let bound = NIOLoopBound((self, complete), eventLoop: eventLoop)
        Activity.$current.withValue(exchange.activity) {
            host.callRaw(method, body, deadline: deadline) { outcome in
                eventLoop.runOrExecute {
                    let (reading, complete) = bound.value
                    if reading.exchange != nil { complete(outcome) }
                }
            }
        }
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
