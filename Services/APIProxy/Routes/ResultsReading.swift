import BookstrackContract
import HTTPTypes
import JSONRPC
import NIOCore
import NIOHTTP1
import Observability
import SuiteMethods

/// Sends a job's results page by page, on the event loop of the connection.
///
/// It fetches the next page once the previous one has been written to the client's socket, so a slow client costs this process one page of memory.
/// Until the 200 status is sent, a failure becomes an error response; afterwards, a failure closes the connection in the middle of the body.
final class ResultsReading: LoopWork {
    /// Chooses the document that a query requests, followed by those to use if the job turns out to be of another kind.
    typealias Choice = @Sendable (QueryItems) throws(APIFailure) -> [any ResultsDocument]

    /// Timeout for writing a page to the client's socket. After that, the client is disconnected, because its reading holds a permit for which others
    /// may be waiting.
    private static let stallLimit = TimeAmount.seconds(20)
    /// Maximum number of attempts to fetch a page after the 200 status is sent, if the failure may be temporary.
    private static let pageTries = 4
    /// Maximum time that a request waits for its connection to progress-host before a call.
    static let connectionWait = Duration.seconds(1)
    private static let pause = TimeAmount.milliseconds(250)

    /// The job's identifier; nil if the one in the path is not valid.
    private let jobId: JobID?
    private let host: RPCClient
    private let limiter: ReadingLimiter
    private let client: ClientNetwork
    /// The exchange to answer; nil before the reading starts and after it has ended.
    private var exchange: LoopExchange?
    private var ticket: ReadingLimiter.Ticket?
    private var permit: ReadingPermit?
    private var stall: Scheduled<Void>?
    private var pace = ReadingPace()
    private let choose: Choice
    /// The document that is sent, followed by those for jobs of other kinds.
    private var documents: [any ResultsDocument] = []
    /// What precedes the jobId in the `resultsKey` of a 404; nil to keep progress-host's key, which does not depend on the route.
    private let key: String?
    private var hasBegun = false

    init(
        jobId: JobID?, _ choose: @escaping Choice, key: String?, host: RPCClient, limiter: ReadingLimiter,
        client: ClientNetwork
    ) {
        self.jobId = jobId
        self.choose = choose
        self.key = key
        self.host = host
        self.limiter = limiter
        self.client = client
    }

    func start(_ exchange: LoopExchange) {
        do throws(APIFailure) {
            documents = try choose(QueryItems(uri: exchange.head.uri))
        } catch {
            return exchange.fail(error)
        }
        guard let jobId else { return exchange.fail(APIFailure.invalid("jobId", JobID.rule())) }
        exchange.activity.concern(job: jobId.text)
        self.exchange = exchange
        let reading = NIOLoopBound(self, eventLoop: exchange.eventLoop)
        ticket = limiter.enter(client, on: exchange.eventLoop) { reading.value.entered($0, jobId) }
        if exchange.hasClientEnded { inputClosed() }
    }

    func cancel() { end() }

    /// Treats a client that closes its sending side while it waits for a permit as gone (``AbortedConnections``).
    func inputClosed() { if ticket != nil { exchange?.abandon() } }

    /// Ends the reading and releases its permit.
    private func end() {
        if let ticket { limiter.giveUp(ticket) }
        stall?.cancel()
        (exchange, ticket, permit, stall) = (nil, nil, nil, nil)
    }

    private func fail(_ error: any Error) {
        let exchange = exchange
        end()
        if hasBegun { exchange?.breakOff(error) } else { exchange?.fail(error) }
    }
}

// MARK: The opening

extension ResultsReading {
    private func entered(_ outcome: ReadingLimiter.Outcome, _ jobId: JobID) {
        guard exchange != nil else { return }
        ticket = nil
        switch outcome {
        case .failure(let failure): fail(failure)
        case .success(let permit):
            self.permit = permit
            whenConnected(within: Self.connectionWait) { $0.open(jobId) }
        }
    }

    private func open(_ jobId: JobID) {
        call(documents[0].opening, ReadResults.Parameters(jobId: jobId)) { self.opened($0, jobId) }
    }

    /// Called before the status is sent, so that a failure still becomes an error response.
    private func opened(_ outcome: Result<ByteBuffer, RPCError>, _ jobId: JobID) {
        guard let exchange else { return }
        let piece: ResultsPiece
        do {
            piece = try documents[0].open(outcome.get(), metadata(of: exchange))
        } catch let other as OtherPipeline {
            documents = documents.dropFirst().filter { $0.pipeline == other.pipeline }
            return documents.isEmpty ? fail(other.failure) : open(jobId)
        } catch {
            return fail(keyed(error, jobId))
        }
        var fields = documents[0].fields
        if let revision = piece.revision {
            let tag = EntityTag(weak: "\(revision)")
            fields[.eTag] = tag.description
            if tag.matches(exchange.ifNoneMatch) {
                end()
                return exchange.answerNotModified(fields)
            }
        }
        guard piece.next != .end else {
            end()
            return exchange.answer(.ok, fields, piece.text)
        }
        hasBegun = true
        exchange.begin(fields)
        if exchange.head.method == .HEAD {
            end()
            return exchange.end()
        }
        take(piece, of: jobId)
    }

    /// The error; if the results do not exist, with the route's own `resultsKey` (http-api.md "Results").
    private func keyed(_ error: any Error, _ jobId: JobID) -> any Error {
        guard let key, var failure = APIFailure(answering: error), failure.details?["resultsKey"] != nil else {
            return error
        }
        failure.details?["resultsKey"] = .text("\(key):\(jobId)")
        return failure
    }

    private func metadata(of exchange: LoopExchange) -> ResponseMetadata {
        var metadata = exchange.exchange.metadata
        // The provider reported for everything that is read from storage (http-api.md "Envelope").
        metadata.provider = "kv_cache"
        metadata.cached = true
        return metadata
    }
}

// MARK: Pages

extension ResultsReading {
    /// Writes a piece, and requests the next one once the piece has been written to the socket.
    private func take(_ piece: ResultsPiece, of jobId: JobID) {
        guard let exchange else { return }
        guard piece.next != .end else {
            exchange.write([piece.text], promise: nil)
            end()
            return exchange.end()
        }
        let channel = exchange.channel
        stall = exchange.eventLoop.scheduleTask(in: Self.stallLimit) { channel.close(promise: nil) }
        let written = exchange.eventLoop.makePromise(of: Void.self)
        let (bytes, next, start) = (piece.text.readableBytes, piece.next, exchange.eventLoop.now)
        written.futureResult.assumeIsolated().whenSuccess { self.received(bytes, since: start, next, of: jobId) }
        exchange.write([piece.text], promise: written)
    }

    /// Requests the next piece. If the client is slow and others are waiting for its permit, breaks off the response instead.
    private func received(_ bytes: Int, since start: NIODeadline, _ next: ResultsPiece.Next, of jobId: JobID) {
        stall?.cancel()
        guard let exchange, let permit else { return }
        pace.add(bytes, in: exchange.eventLoop.now - start)
        if permit.mustEnd(pace) { return fail(APIFailure.tooManyReadings) }
        fetch(next, of: jobId)
    }

    private func fetch(_ next: ResultsPiece.Next, of jobId: JobID, tries: Int = pageTries) {
        let complete: (Result<ByteBuffer, RPCError>) -> Void = { outcome in
            do {
                let answer = try outcome.get()
                guard let exchange = self.exchange else { return }
                let piece =
                    next == .opening
                    ? try self.documents[0].open(answer, self.metadata(of: exchange))
                    : try self.documents[0].add(answer)
                self.take(piece, of: jobId)
            } catch let error as RPCError where error.isPassing && tries > 1 {
                self.retry(next, of: jobId, tries: tries - 1)
            } catch {
                self.fail(error)
            }
        }
        switch next {
        case .page(let cursor):
            call(documents[0].page, ReadResultsPage.Parameters(jobId: jobId, cursor: cursor), complete)
        case .opening: call(documents[0].opening, ReadResults.Parameters(jobId: jobId), complete)
        case .end: break
        }
    }

    /// Fetches again after a pause, so that a temporary failure does not end the response prematurely.
    private func retry(_ next: ResultsPiece.Next, of jobId: JobID, tries: Int) {
        exchange?.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            self.whenConnected(within: ReadResultsPage.deadline) { $0.fetch(next, of: jobId, tries: tries) }
        }
    }
}

// MARK: Calls

extension ResultsReading {
    /// Calls `then` once this connection to progress-host is established; fails the reading if that takes longer than `limit`. Readiness depends on
    /// another connection, so this one may be established later.
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

    /// Calls progress-host once the pacer allows it. Calls `complete` on the event loop, unless the reading ends first.
    private func call(
        _ call: ResultsCall, _ parameters: some Encodable & Sendable,
        _ complete: @escaping (Result<ByteBuffer, RPCError>) -> Void
    ) {
        guard let exchange else { return }
        let reservation = limiter.reservePage()
        let settle: (Result<ByteBuffer, RPCError>) -> Void = { [limiter] outcome in
            if let page = try? outcome.get() { limiter.settle(reservation, bytes: page.readableBytes) }
            complete(outcome)
        }
        if reservation.delay <= .zero { return send(call, parameters, settle) }
        exchange.eventLoop.assumeIsolated().scheduleTask(in: reservation.delay) {
            self.send(call, parameters, settle)
        }
    }

    private func send(
        _ call: ResultsCall, _ parameters: some Encodable & Sendable,
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
            host.callRaw(call.name, body, deadline: call.deadline) { outcome in
                eventLoop.runOrExecute {
                    let (reading, complete) = bound.value
                    if reading.exchange != nil { complete(outcome) }
                }
            }
        }
    }
}

extension RPCError {
    /// Whether the failure may be temporary, in which case the same call may soon succeed.
    fileprivate var isPassing: Bool {
        switch kind {
        case .connectionLost, .notConnected, .deadlineExceeded, .overloaded: true
        case .cancelled, .frameTooLarge, .protocolViolation, .remote: false
        }
    }
}
