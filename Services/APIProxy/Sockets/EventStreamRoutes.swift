import BookstrackContract
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import Observability
import SuiteMethods

/// The events of one or several jobs as server-sent events: either their frames or, for one job, the events that shipped apps read (streams.md).
struct EventStreamRoutes: Sendable {
    static let path = "/v1/jobs/{jobId}/events"
    static let appPath = "/api/v2/imports/{jobId}/stream"
    static let combinedPath = "/v1/events"

    let admission: WatcherAdmission
    /// For requests that specify their jobs in the body.
    let bodies: JSONBodies

    var routes: [Route] {
        [
            route(Self.path, .frames), route(Self.appPath, .shippedApps),
            Route(onLoop: Self.combinedPath, limit: .jobReading) { _ in CombinedStreamOpening(admission) },
            Route(onLoop: Self.combinedPath, method: .post, limit: .jobReading) { [bodies] request in
                CombinedStreamOpening(admission, posting: request, bodies)
            },
        ]
    }

    private func route(_ path: String, _ shape: EventStreamShape) -> Route {
        Route(onLoop: path, limit: .jobReading) { request in
            EventStreamOpening(jobId: request.jobId, shape, admission)
        }
    }
}

/// The content of an event stream.
enum EventStreamShape {
    /// The frames of the WebSocket.
    case frames
    /// The events of ``AppEvents``. The job's identifier may be sufficient without a token, as for an import's status (imports.md "Routes").
    case shippedApps
}

/// Who may follow a job on an event stream.
enum EventStreamRights {
    /// The holder of one of the job's tokens; on a stream for shipped apps, a token may not be needed.
    case token
    /// An operator, for as long as the session lasts (console.md "Job").
    case console(ConsoleGuard)
}

/// The token, position and options in a request for an event stream.
struct EventStreamRequest: Equatable {
    static let lastEventID = HTTPField.Name.known("Last-Event-ID")

    var token: String?
    /// `seq` of the last event that the client has received; nil if it sent none.
    var since: Int?
    /// Whether the query contains `follow=results`.
    var followsResults: Bool

    /// Reads the query and the headers. `Last-Event-ID`, which `EventSource` sends automatically, takes precedence over `since`, because the URL of
    /// an `EventSource` never changes.
    ///
    /// Throws 400 for a number that cannot be read or an unknown value of `follow`.
    init(_ head: HTTPRequestHead) throws(APIFailure) {
        let query = QueryItems(uri: head.uri)
        token = query["token"] ?? BearerToken.read(head.headers["Authorization"].first)
        followsResults = try query.followsResults()
        if let text = head.headers["Last-Event-ID"].first, !text.isEmpty {
            since = try Self.number(text, of: "Last-Event-ID")
        } else if let text = query["since"] {
            since = try Self.number(text, of: "since")
        }
    }

    private static func number(_ text: String, of name: String) throws(APIFailure) -> Int {
        guard let number = Int(text), number >= 0 else { throw .invalid(name, "must be a whole number of 0 or more") }
        return number
    }
}

extension QueryItems {
    /// Whether the client wants to be notified of improved results after the end of the job (websocket.md "Following the results"). Throws 400 for an
    /// unknown value.
    func followsResults() throws(APIFailure) -> Bool {
        guard let text = self["follow"] else { return false }
        guard text == "results" else { throw .invalid("follow", "must be results") }
        return true
    }
}

/// Asks progress-host whether an event stream may begin, and begins it.
final class EventStreamOpening: LoopWork {
    /// Nil if the path has no valid identifier.
    private let jobId: JobID?
    private let shape: EventStreamShape
    private let rights: EventStreamRights
    private let admission: WatcherAdmission
    private var exchange: LoopExchange?
    private var stream: EventStream?

    init(
        jobId: JobID?, _ shape: EventStreamShape, _ admission: WatcherAdmission, rights: EventStreamRights = .token
    ) {
        self.jobId = jobId
        self.shape = shape
        self.rights = rights
        self.admission = admission
    }

    func start(_ exchange: LoopExchange) {
        self.exchange = exchange
        do throws(APIFailure) {
            try open(exchange)
        } catch {
            refuse(error)
        }
    }

    private func open(_ exchange: LoopExchange) throws(APIFailure) {
        guard let jobId else { throw .invalid("jobId", JobID.rule()) }
        exchange.activity.concern(job: jobId.text)
        guard !exchange.isStopping else { throw .restarting }
        let isPermitted = try permission(exchange)
        let asked = try EventStreamRequest(exchange.head)
        // A missing token takes the same path as a wrong one, so that timing reveals nothing. Shipped apps may be allowed to send none.
        let token = isPermitted != nil ? nil : asked.token ?? (shape == .shippedApps ? nil : "")
        var request = SocketRequest(
            jobId: jobId, token: token, reconnect: false, since: asked.since, v1: false, isOneWay: true,
            followsResults: asked.followsResults && shape == .frames ? true : nil)
        if isPermitted != nil { request.isOperator = true }
        let stream = try admission.enter(job: jobId, exchange.head, exchange.channel) {
            EventStream(
                id: $0, request: request, permit: $1, shard: $2, exchange: exchange, shape: shape,
                isPermitted: isPermitted)
        }
        self.stream = stream
        Activity.$current.withValue(exchange.activity) {
            admission.ask(request, for: stream, on: exchange.eventLoop) { [weak self] in self?.answered($0) }
        }
    }

    /// For an operator's stream, whether the session is still valid; nil for a client, whose token progress-host checks.
    private func permission(_ exchange: LoopExchange) throws(APIFailure) -> (() -> Bool)? {
        guard case .console(let consoleGuard) = rights else { return nil }
        let fields = HTTPFields(exchange.head.headers, splitCookie: false)
        _ = try consoleGuard.admit(
            fields, host: exchange.head.headers["Host"].first, on: exchange.channel, for: .reading)
        return consoleGuard.permission(of: fields)
    }

    private func answered(_ outcome: Result<OpenSocket.Result, APIFailure>) {
        guard let exchange, let stream, stream.state.phase != .closed else { return }
        switch outcome {
        case .failure(let failure): refuse(failure)
        // The client has received everything: a 204 makes `EventSource` stop reconnecting (HTML standard §9.2.1).
        case .success(let result) where result.isOver == true:
            abandon()
            exchange.answer(.noContent, [.cacheControl: "no-store"], ByteBuffer())
        case .success where exchange.hasClientEnded: exchange.abandon()
        case .success(let result):
            self.exchange = nil
            stream.begin(result.replaysAfter.map { [EventStreamRequest.lastEventID: "\($0)"] } ?? [:])
        }
    }

    private func refuse(_ failure: APIFailure) {
        admission.hub.metrics.streams.streamRefused(failure.code)
        let exchange = exchange
        abandon()
        exchange?.fail(failure)
    }

    private func abandon() {
        stream?.end()
        (stream, exchange) = (nil, nil)
    }
}

// MARK: The connection

extension EventStreamOpening {
    func cancel() { abandon() }

    func clientReads() { stream?.drain() }

    /// Treats a client that closes its sending side as gone: HTTP clients do not half-close in practice (``AbortedConnections``).
    func inputClosed() { stream?.channel?.close(promise: nil) }

    func serverStops() {
        if exchange == nil { stream?.closeForRestart() } else { refuse(.restarting) }
    }
}
