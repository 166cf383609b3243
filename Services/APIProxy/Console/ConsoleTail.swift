import BookstrackContract
import HTTPTypes
import Hummingbird
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOCore
import Observability
import ServiceKit
import ServiceLifecycle
import SuiteMethods

/// The tails that console pages follow (console.md "Tail"). A tail is a stream of JSON lines, `{"service", "page": {"events", "dropped"}}` or
/// `{"service", "isConnected"}`, with empty lines as heartbeats.
///
/// Each service filters its own events. If a page reads slowly, the services drop events and report how many were dropped.
final class ConsoleTails: Service {
    /// Maximum number of pages that follow tails at the same time.
    static let limit = 8
    /// Maximum number of one service's notifications that wait to be written to one page. When it is reached, api-proxy stops reading from that
    /// page's connection to the service.
    private static let maxBatches = 16

    private struct State {
        var tails: [Int: AsyncStream<Line>.Continuation] = [:]
        var lastNumber = 0
        var isStopping = false
    }

    fileprivate struct Line: Sendable {
        let bytes: ByteBuffer
        /// Completed once the line is written; nil for a line that did not come from a service.
        var taken: RPCReply<Nothing>?
    }

    private let sockets: SuiteSockets
    private let workers: WorkerLinks
    private let group: any EventLoopGroup
    /// Interval between heartbeats, which reveal that a client has disconnected.
    private let heartbeat: Duration
    private let state = NIOLockedValueBox(State())

    init(sockets: SuiteSockets, workers: WorkerLinks, heartbeat: TimeAmount, group: any EventLoopGroup) {
        self.sockets = sockets
        self.workers = workers
        self.heartbeat = .nanoseconds(heartbeat.nanoseconds)
        self.group = group
    }

    /// Ends every tail when the process stops.
    func run() async throws {
        try? await gracefulShutdown()
        let tails = state.withLockedValue { state in
            state.isStopping = true
            return Array(state.tails.values)
        }
        for tail in tails { tail.finish() }
    }

    /// Returns a response that lasts until its client disconnects, the session ends or the process stops. Throws 400 for an invalid query, 429 if too
    /// many pages follow tails, or 503 if the process is stopping.
    ///
    /// - Parameter isPermitted: Whether the session is still valid; checked at each heartbeat.
    func answer(_ query: QueryItems, isPermitted: @escaping @Sendable () -> Bool) throws -> Response {
        let request = try TailRequest(query)
        let (lines, writing) = AsyncStream.makeStream(of: Line.self)
        let permit = try enter(writing)
        let body = ResponseBody { writer in
            defer { withExtendedLifetime(permit) {} }
            let instances = [.apiProxy, .progressHost] + self.workers.links.map(\.instance)
            let followed = instances.filter { request.services.isEmpty || request.services.contains($0.service) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for instance in followed {
                    let client = self.client(instance, request.parameters, writing)
                    group.addTask { await client.run() }
                }
                group.addTask {
                    while !Task.isCancelled {
                        guard isPermitted() else { return writing.finish() }
                        writing.yield(Line(bytes: ByteBuffer(string: "\n")))
                        try await Task.sleep(for: self.heartbeat)
                    }
                }
                defer { group.cancelAll() }
                for await line in lines {
                    try await writer.write(line.bytes)
                    line.taken?.succeed(Nothing())
                }
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/x-ndjson", .cacheControl: "no-store", .known("X-Accel-Buffering"): "no",
            ], body: body)
    }

    /// Admits a tail. Throws 429 if there are too many, or 503 if the process is stopping.
    private func enter(_ writing: AsyncStream<Line>.Continuation) throws(APIFailure) -> Permit {
        let number = state.withLockedValue { state -> Result<Int, APIFailure> in
            guard !state.isStopping else { return .failure(.restarting) }
            guard state.tails.count < Self.limit else { return .failure(.tooManyTails) }
            state.lastNumber += 1
            state.tails[state.lastNumber] = writing
            return .success(state.lastNumber)
        }
        let admitted = try number.get()
        return Permit { self.state.withLockedValue { $0.tails[admitted] = nil } }
    }

    /// A client that follows one service, and subscribes again each time it reconnects. Each notification counts as a request in flight until it is
    /// written, so at most ``maxBatches`` of them are read ahead.
    private func client(
        _ instance: ServiceInstance, _ parameters: SubscribeToTail.Parameters,
        _ lines: AsyncStream<Line>.Continuation
    ) -> RPCClient {
        var router = RPCRouter()
        router.handleRawInline(TailEvents.name, answering: Nothing.self) { page, _, taken in
            var bytes = ByteBuffer(string: "{\"service\":\"\(instance.name)\",\"page\":")
            bytes.writeImmutableBuffer(page)
            bytes.writeString("}\n")
            lines.yield(Line(bytes: bytes, taken: taken))
        }
        var limits = RPCLimits()
        limits.maximumInFlightInbound = Self.maxBatches
        @Sendable func tell(_ isConnected: Bool) {
            let text = "{\"service\":\"\(instance.name)\",\"isConnected\":\(isConnected)}\n"
            lines.yield(Line(bytes: ByteBuffer(string: text)))
        }
        return RPCClient(
            path: sockets.path(of: instance), router: router, limits: limits, group: group,
            logger: Logger(label: "console") { _ in SwiftLogNoOpLogHandler() },
            onConnect: { connection in
                _ = try await connection.call(SubscribeToTail.self, parameters)
                tell(true)
            }, onDisconnect: { _ in tell(false) })
    }
}

extension APIFailure {
    fileprivate static let tooManyTails = APIFailure(
        .tooManyConnections, "\(ConsoleTails.limit) pages are already following the tail.", retryAfter: 10)
}

/// The tail that a page requests in its query, with the criteria of `bookstrack tail` (command-line.md "tail").
struct TailRequest {
    /// Maximum number of past events of each service with which a tail may begin.
    private static let maxLast = 1_000

    /// The services to follow; empty for all services.
    let services: Set<ServiceName>
    let parameters: SubscribeToTail.Parameters

    /// Reads a query. Throws 400 for an invalid value.
    init(_ query: QueryItems) throws(APIFailure) {
        services = Set(
            try query.read("service", "must be one of the suite's services") { ServiceName(rawValue: $0) })
        var filter = TailFilter()
        filter.outcomes = try query.read("status", "must be ok, error or canceled") { TailOutcome(rawValue: $0) }
        filter.methods = query.texts("method")
        filter.headers = try query.read("header", "must be a field's name, or NAME:TEXT") { TailFilter.Header($0) }
        filter.search = query.texts("search").first
        filter.addresses = try query.read("ip", "must be an IP address") { IPAddress($0)?.description }
        filter.jobID = query.texts("job").first
        filter.requestID = query.texts("request").first
        filter.includesRoutine = query.texts("routine").first == "true"
        filter.level = try query.readFirst("level", "must be a log level") { Logger.Level(rawValue: $0) }
        filter.samplingRate = try query.readFirst("sampling", "must be between 0 and 1") { text in
            Double(text).flatMap { $0 > 0 && $0 < 1 ? $0 : nil }
        }
        let last = try query.readFirst("last", "must be a number from 0 to \(Self.maxLast)") { text in
            Int(text).flatMap { (0...Self.maxLast).contains($0) ? $0 : nil }
        }
        let since = try query.readFirst("since", "must be milliseconds since 1970") { text in
            Int64(text).flatMap { $0 >= 0 ? $0 : nil }
        }
        // A page that reconnects sends `since`, to receive events that it missed.
        let replay = SubscribeToTail.Replay(since: since, last: last ?? (since == nil ? 100 : Self.maxLast))
        parameters = SubscribeToTail.Parameters(filter: filter, replay: replay)
    }
}

extension QueryItems {
    /// The non-empty values of a criterion.
    fileprivate func texts(_ name: String) -> [String] { values(of: name, atMost: 20).filter { !$0.isEmpty } }

    /// Reads the values of a criterion. Throws 400 with the rule if one of them is invalid.
    fileprivate func read<Value>(
        _ name: String, _ rule: String, atMost limit: Int = .max, _ value: (String) -> Value?
    ) throws(APIFailure) -> [Value] {
        var values: [Value] = []
        for text in texts(name).prefix(limit) {
            guard let value = value(text) else { throw .invalid(name, rule) }
            values.append(value)
        }
        return values
    }

    /// Reads a criterion of which only the first value counts; nil if it is absent.
    fileprivate func readFirst<Value>(
        _ name: String, _ rule: String, _ value: (String) -> Value?
    ) throws(APIFailure) -> Value? {
        try read(name, rule, atMost: 1, value).first
    }
}
