import BookstrackContract
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import Observability

/// Answers a route's requests on the event loop of their connection, without a task. If a response is in memory or takes a single RPC call, a task
/// would cost more than the work itself.
///
/// Called with the request's head. If it returns nil, the router answers.
typealias LoopHandler = @Sendable (LoopRequest) -> (any LoopWork)?

/// A request as a ``LoopHandler`` sees it.
struct LoopRequest {
    let head: HTTPRequestHead
    let entry: RouteTable.Entry
    let channel: any Channel

    /// The path segment for the parameter that the route declares with this name; nil if there is none.
    func parameter(_ name: String) -> Substring? { entry.parameter(name, in: head.path) }

    /// The `{jobId}` of the path; nil if it is not a valid identifier.
    var jobId: JobID? { parameter("jobId").flatMap { JobID(String($0)) } }
}

/// Produces one response, on the event loop of the connection.
protocol LoopWork: AnyObject {
    /// Starts the response; called once no earlier response is owed on the connection.
    func start(_ exchange: LoopExchange)
    /// Cancels the work, because the connection has closed, the request is refused, or the work itself has called ``LoopExchange/abandon()``.
    func cancel()
    /// Whether the response needs the request's body. This is checked before each part. The response can start after the last part, or once this is
    /// false.
    var takesBody: Bool { get }
    /// Receives a part of the body. A failure that it throws becomes the response, and the rest of the body is not read.
    func take(_ part: ByteBuffer) throws(APIFailure)
    /// Called when the client is ready for more of a long-running response.
    func clientReads()
    /// Called when the client has closed its sending side. It may do so even before the response starts (``LoopExchange/hasClientEnded``).
    func inputClosed()
    /// Called when the server stops.
    func serverStops()
}

extension LoopWork {
    var takesBody: Bool { false }
    func take(_ part: ByteBuffer) throws(APIFailure) {}
    func clientReads() {}
    func inputClosed() {}
    func serverStops() {}
}

/// One request that is answered on the event loop of its connection, and its response.
final class LoopExchange {
    /// The request's head. For a long-running response, only the method and the version are kept, since the rest takes memory and may contain a
    /// token.
    private(set) var head: HTTPRequestHead
    let channel: any Channel
    let activity: Activity
    private let entry: RouteTable.Entry
    private let rules: EdgeRules
    private let work: any LoopWork
    private weak var connection: HTTPConnection?
    private var verdict: LimitVerdict?
    /// Status of the response; nil until its head is written.
    private var status: HTTPResponse.Status?
    private var isChunked = false
    private var isStream = false
    /// Compresses the response; nil if it is not compressed.
    private var gzip: GzipStream?
    /// How long the request waited because its client asked it to wait; the duration in the metrics does not include this time.
    var waited = Duration.zero
    private(set) var isOver = false
    private var isConcluded = false
    /// The reason why the body is not read, which becomes the response; nil if there is none.
    private var refusal: APIFailure?

    init(_ request: LoopRequest, _ work: any LoopWork, _ rules: EdgeRules, connection: HTTPConnection) {
        head = request.head
        channel = request.channel
        entry = request.entry
        activity = Activity(TraceContext(request.head.headers))
        self.work = work
        self.rules = rules
        self.connection = connection
    }

    var exchange: Exchange { Exchange(activity) }
    var eventLoop: any EventLoop { channel.eventLoop }
    /// Whether the server is stopping.
    var isStopping: Bool { connection?.exchanges.isStopping ?? true }
    /// Whether the client has closed its sending side.
    var hasClientEnded: Bool { connection?.inputIsClosed ?? true }
    private var method: HTTPRequest.Method {
        switch head.method {
        case .HEAD: .head
        case .POST: .post
        default: .get
        }
    }
    private var origin: String? { head.headers["Origin"].first }
    private var acceptedCodings: String? { list(ContentCoding.acceptEncoding) }
    /// The request's `If-None-Match`, for ``EntityTag/matches(_:)``.
    var ifNoneMatch: String? { list("If-None-Match") }

    /// The value of a list field, whose lines count as one (RFC 9110 §5.3); nil if the request does not have it.
    private func list(_ name: String) -> String? {
        let lines = head.headers[name]
        return lines.count > 1 ? lines.joined(separator: ",") : lines.first
    }

    /// Counts the request against its client's limits, and answers the request.
    func start() {
        verdict = rules.limiter?.count(entry.limit(of: method), peer: channel.remoteAddress, headers: head.headers)
        if let verdict, !verdict.isAdmitted {
            rules.metrics.rateLimited(entry.limit(of: method))
            return refuse(verdict.refusal)
        }
        if let refusal { return refuse(refusal) }
        work.start(self)
    }

    private func refuse(_ failure: APIFailure) {
        work.cancel()
        fail(failure)
    }

    /// Whether the response needs the request's body, even if all of it has already been read.
    var awaitsBody: Bool { refusal == nil && work.takesBody }

    func take(_ part: ByteBuffer) {
        do throws(APIFailure) {
            try work.take(part)
        } catch {
            refuseBody(error)
        }
    }

    /// Makes `failure` the response, which no longer waits for the rest of the body.
    func refuseBody(_ failure: APIFailure) { refusal = failure }

    /// Called when the connection, or the client's interest in the response, ends before the response does.
    func connectionEnded() {
        guard !isOver else { return }
        isOver = true
        work.cancel()
        conclude(left: true)
    }

    func clientReads() { work.clientReads() }
    func inputClosed() { work.inputClosed() }
    func serverStops() { work.serverStops() }

    private func conclude(left: Bool = false) {
        guard !isConcluded else { return }
        isConcluded = true
        let headers = head.headers
        rules.conclude(
            head.method.rawValue, head.uri, { HTTPFields(headers, splitCookie: false) }, on: channel,
            status: status?.code, activity, left: left)
    }
}

// MARK: The response

extension LoopExchange {
    /// Writes a complete response.
    func answer(_ status: HTTPResponse.Status, _ fields: consuming HTTPFields, _ body: ByteBuffer) {
        rules.addFields(to: &fields, exchange, origin: origin, verdict)
        write(status, fields, body)
    }

    /// Responds that the client already has the newest version (RFC 9110 §15.4.5). `fields` are those of the 200 response.
    func answerNotModified(_ fields: consuming HTTPFields) {
        fields[.contentType] = nil
        ContentCoding.vary(&fields)
        answer(.notModified, fields, ByteBuffer())
    }

    /// Responds with a failure in its envelope; closes the connection instead if the error has no response (``APIFailure/init(answering:)``).
    func fail(_ error: any Error) {
        guard let failure = rules.failure(answering: error, activity) else { return breakOff(error) }
        if !failure.counts {
            rules.limiter?.takeBack(entry.limit(of: method), peer: channel.remoteAddress, headers: head.headers)
        }
        let answer = FailureAnswer(failure, exchange: exchange, origin: origin, origins: rules.originRule.listed)
        var fields = answer.fields
        rules.addLimit(verdict, to: &fields)
        fields[.contentLength] = nil
        write(answer.status, fields, answer.body)
    }

    private func write(_ status: HTTPResponse.Status, _ fields: consuming HTTPFields, _ body: ByteBuffer) {
        guard !isOver, let connection else { return }
        var body = body
        if let gzip = ContentCoding.choose(for: &fields, accepted: acceptedCodings, length: body.readableBytes) {
            body = gzip.finish(body)
        }
        if status.hasContent {
            fields.append(HTTPField(name: .contentLength, value: "\(body.readableBytes)"))
        }
        var text = self.text(status, fields, connection, sending: body.readableBytes)
        if head.method != .HEAD { text.writeImmutableBuffer(body) }
        end(writing: text, connection)
    }

    /// Begins a response of unknown length. A long-running one (`isStream`) is logged and published to `bookstrack tail` now instead of at its end.
    func begin(_ fields: consuming HTTPFields, isStream: Bool = false) {
        guard !isOver, let connection else { return }
        rules.addFields(to: &fields, exchange, origin: origin, verdict)
        // A client older than HTTP/1.1 reads until the connection ends (RFC 9112 §6.1, §6.3).
        isChunked = head.version == .http1_1 && head.method != .HEAD
        if !isStream { gzip = ContentCoding.choose(for: &fields, accepted: acceptedCodings, length: nil) }
        if isChunked { fields.append(HTTPField(name: .transferEncoding, value: "chunked")) }
        let text = text(.ok, fields, connection, sending: 0)
        guard isStream else { return connection.write(text) }
        // The connection must count as a stream before the client can see the response and open another connection.
        connection.streamBegins()
        connection.write(text)
        conclude()
        (head.uri, head.headers) = ("", HTTPHeaders())
        self.isStream = true
    }

    /// Appends to the body; the promise succeeds when the kernel has accepted the bytes, or immediately if there is nothing to send. It fails if the
    /// response or the connection has ended.
    func write(_ parts: [ByteBuffer], promise: EventLoopPromise<Void>?, flushes: Bool = true) {
        guard !isOver, let connection else { return promise.map { $0.fail(ChannelError.ioOnClosedChannel) } ?? () }
        let coded = gzip.map { gzip in parts.map(gzip.compress) } ?? parts
        let length = coded.reduce(0) { $0 + $1.readableBytes }
        guard head.method != .HEAD, length > 0 else { return promise.map { $0.succeed() } ?? () }
        connection.write(framed(coded, length), promise: promise, flushes: flushes)
    }

    /// Joins parts of the body: into one chunk (RFC 9112 §7.1), or without framing if the body ends with the connection.
    private func framed(_ parts: [ByteBuffer], _ length: Int) -> ByteBuffer {
        var text = ByteBuffer()
        text.reserveCapacity(length + 20)
        if isChunked { text.writeString(String(length, radix: 16) + "\r\n") }
        for part in parts { text.writeImmutableBuffer(part) }
        if isChunked { text.writeString("\r\n") }
        return text
    }

    /// Ends a response that ``begin(_:isStream:)`` has begun.
    func end() {
        guard !isOver, let connection else { return }
        var rest = ByteBuffer()
        if let gzip, head.method != .HEAD {
            let last = gzip.finish()
            rest = framed([last], last.readableBytes)
        }
        if isChunked { rest.writeStaticString("0\r\n\r\n") }
        end(writing: rest, connection)
    }

    /// Ends the request without a response, because its client has closed its sending side (``AbortedConnections``). The connection closes once the
    /// kernel has accepted the responses to earlier requests.
    func abandon() {
        connectionEnded()
        connection?.finish()
    }

    /// Closes the connection without finishing the response, so that the client does not mistake it for a complete one.
    func breakOff(_ error: any Error) {
        guard !isOver else { return }
        isOver = true
        activity.note(error)
        conclude()
        channel.close(promise: nil)
    }

    private func text(
        _ status: HTTPResponse.Status, _ fields: consuming HTTPFields, _ connection: HTTPConnection, sending length: Int
    ) -> ByteBuffer {
        self.status = status
        rules.metrics.answered(method, entry, status, after: activity.elapsed - waited)
        fields.append(HTTPField(name: .date, value: rules.date.now))
        // The subscript would first build an index of all fields.
        let saysClose = fields.contains { $0.name == .connection && $0.value == "close" }
        if connection.answerBegins(saysClose: saysClose), !saysClose {
            fields.append(HTTPField(name: .connection, value: "close"))
        }
        return ResponseHead.bytes(status, fields, reserving: length)
    }

    private func end(writing text: ByteBuffer, _ connection: HTTPConnection) {
        isOver = true
        if isStream { connection.streamEnded() }
        if text.readableBytes > 0 { connection.write(text) }
        conclude()
        connection.loopEnded()
    }
}

extension HTTPRequestHead {
    /// The path in the target, without query and fragment.
    var path: String {
        // Other forms, such as an absolute URI, are rare and parsed in full (RFC 9112 §3.2.2).
        uri.utf8.first == UInt8(ascii: "/") ? String(targetPath) : URI(uri).path
    }

    /// The target up to its query or fragment, as it was sent.
    var targetPath: Substring {
        let end = uri.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        return uri[..<(end ?? uri.endIndex)]
    }
}

/// A request that is answered on the event loop of its connection, in order: after the responses to earlier requests and before those to
/// later ones.
struct LoopTurn {
    let exchange: LoopExchange
    /// Whether the request has been read to its end.
    var isRead = false
    var isStarted = false
    /// Parts of later requests that were read together with this one.
    var later: [HTTPServerRequestPart] = []

    init(_ exchange: LoopExchange) { self.exchange = exchange }

    /// Whether the response is waiting for parts of the body.
    var isInBody: Bool { !isRead && !isStarted && exchange.awaitsBody }

    /// Keeps a part that belongs to a later request; returns false for a part of this request.
    mutating func keep(_ part: HTTPServerRequestPart) -> Bool {
        guard isRead else { return false }
        later.append(part)
        return true
    }
}

extension HTTPConnection {
    /// The exchange that answers the request on the event loop; nil if the router must answer it.
    func loopExchange(for head: HTTPRequestHead, _ context: ChannelHandlerContext) -> LoopExchange? {
        guard [.GET, .HEAD, .POST].contains(head.method), let entry = rules.routes.entry(at: head.path),
            let handler = entry.loopHandler(of: head.method)
        else { return nil }
        let request = LoopRequest(head: head, entry: entry, channel: context.channel)
        return handler(request).map { LoopExchange(request, $0, rules, connection: self) }
    }

    /// Begins an exchange. If the request's body is not used, the response does not wait for the end of the body, and the connection closes
    /// afterwards.
    func begin(_ exchange: LoopExchange, hasBody: Bool) {
        loop = LoopTurn(exchange)
        if hasBody { startLoop() }
    }

    func loopRequestEnded() {
        guard loop != nil else { return }
        loop?.isRead = true
        startLoop()
    }

    /// Passes a part of the body to the request's work.
    func takeBody(_ part: ByteBuffer) {
        guard let turn = loop, turn.isInBody else { return }
        turn.exchange.take(part)
        startLoop()
    }

    /// Answers a request without the rest of its body.
    func refuseBody(_ failure: APIFailure) {
        loop?.exchange.refuseBody(failure)
        startLoop()
    }

    /// Maximum number of bytes that a client may leave unread while it sends further requests.
    private static let maxUnreadBytes = 1 << 20

    /// Starts the response once no other response is owed and no more of the body is needed; until the response is written, nothing more is read.
    /// While more of the body is needed, only calls ``sendContinue()``.
    ///
    /// Closes the connection if its client sends requests without reading the responses, which would otherwise pile up.
    func startLoop() {
        guard let turn = loop, !turn.isStarted, !exchanges.isOver else { return }
        guard !turn.isInBody else { return sendContinue() }
        if exchanges.answersOwed == 1 {
            guard unreadBytes <= Self.maxUnreadBytes else {
                context?.close(promise: nil)
                return
            }
            loop?.isStarted = true
            turn.exchange.start()
        }
        if loop?.exchange === turn.exchange { input.hold() }
    }

    /// Records that a response begins; returns whether the connection ends with it.
    func answerBegins(saysClose: Bool) -> Bool {
        exchanges.answerBegins(saysClose: saysClose, isInBody: timeouts.isInBody)
    }

    /// Called once the response is written; continues with the parts that arrived after the request.
    func loopEnded() {
        guard let context, let later = loop?.later else { return }
        loop = nil
        answerEnded(context)
        watchTimeouts()
        // If an outer call is already processing later requests, one of them was answered, and the outer call continues with the others.
        guard !isResuming else { return }
        isResuming = true
        for part in later where loop?.keep(part) != true { take(part, context) }
        isResuming = false
        // The router's handler passes on what it has received only after this event.
        if !later.isEmpty { context.fireChannelReadComplete() }
        // A later request that is waiting for its body needs further input.
        guard loop?.isInBody ?? true, case .open = exchanges.phase else { return }
        input.release()
        notifyInputClosed(context)
        endIfStopping(context)
    }

    /// Called when the connection has closed.
    func endLoop() {
        loop?.exchange.connectionEnded()
        loop = nil
    }
}
