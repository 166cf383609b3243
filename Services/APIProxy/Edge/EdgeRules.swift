import BookstrackContract
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import Observability

/// Rules for a listener's requests, whether they are answered by the router, a ``LoopHandler`` or the ``HTTPConnection``: limits, origins, header
/// fields, metrics, the log and `bookstrack tail`.
///
/// This is a class so that each connection stores a reference rather than a copy.
final class EdgeRules: Sendable {
    let routes: RouteTable
    let originRule: OriginRule
    /// The allowed `Host` values; nil on the public listener, which accepts every host.
    let hosts: HostList?
    /// The rate limiter; nil on the admin listener, and with `BOOKSTRACK_RATE_LIMIT=off`.
    let limiter: RateLimiter?
    /// Admits the connections that become WebSockets.
    let watchers: WatcherAdmission
    let metrics: HTTPMetrics
    let feed: RequestFeed
    let logger: Logger
    let date = HTTPDate()

    init(
        _ routes: [Route], originRule: OriginRule, hosts: HostList?, limiter: RateLimiter?, watchers: WatcherAdmission,
        metrics: HTTPMetrics, feed: RequestFeed, logger: Logger
    ) {
        self.routes = RouteTable(routes, labels: metrics.routes)
        self.originRule = originRule
        self.hosts = hosts
        self.limiter = limiter
        self.watchers = watchers
        self.metrics = metrics
        self.feed = feed
        self.logger = logger
    }

    /// Adds the standard header fields and the rate limit fields to a response that is not a failure.
    func addFields(to fields: inout HTTPFields, _ exchange: Exchange, origin: String?, _ verdict: LimitVerdict?) {
        StandardFields.add(to: &fields, exchange, origin: origin, origins: originRule.listed)
        addLimit(verdict, to: &fields)
    }

    /// Adds the state of the client's rate limits.
    func addLimit(_ verdict: LimitVerdict?, to fields: inout HTTPFields) {
        if let limiter, let verdict { fields.append(contentsOf: limiter.fields(of: verdict)) }
    }

    /// Converts an error into the failure to respond with, and logs it; nil if there is no response (``APIFailure/init(answering:)``).
    func failure(answering error: any Error, _ activity: Activity) -> APIFailure? {
        guard let failure = APIFailure(answering: error) else { return nil }
        let level: Logger.Level = failure.code == .internalError ? .error : .debug
        if level == .error { activity.note(error) }
        logger.log(level: level, "request failed", error: error)
        return failure
    }

    /// Ends a request: publishes it to `bookstrack tail` and logs it.
    ///
    /// - Parameters:
    ///   - target: Path and query; the log contains only the path.
    ///   - status: nil if the request ended before a response was ready.
    ///   - left: Whether the connection ended before the response was complete.
    func conclude(
        _ method: String, _ target: String, _ fields: @escaping @Sendable () -> HTTPFields, on channel: any Channel,
        status: Int?, _ activity: Activity, left: Bool = false
    ) {
        let hasLeft = left || status == nil || !channel.isActive || feed.aborted.contains(channel)
        feed.publish(
            method, target, fields, from: channel.remoteAddress, status: status, activity, left: hasLeft)
        guard logger.logLevel <= .info else { return }
        Activity.$current.withValue(activity) {
            logger.info(
                "request",
                metadata: [
                    "method": "\(method)", "path": "\(RequestFeed.loggedPath(target))",
                    "status": "\(status.map { "\($0)" } ?? "none")", "ms": "\(Exchange(activity).milliseconds)",
                ])
        }
    }
}

// MARK: Requests that the router never sees

extension EdgeRules {
    /// Publishes a request that the router never sees to `bookstrack tail`.
    func publish(_ unrouted: Unrouted, status: Int?, channel: any Channel, _ activity: Activity) {
        let headers = unrouted.head?.headers ?? [:]
        feed.publish(
            unrouted.method, unrouted.target, { HTTPFields(headers, splitCookie: false) }, from: channel.remoteAddress,
            status: status, activity, left: status == nil || !channel.isActive)
    }

    /// Counts and logs the refusal of a request that the router never sees.
    func noteRefusal(of unrouted: Unrouted, _ failure: APIFailure, _ answer: FailureAnswer) {
        switch unrouted {
        case .upgrade: watchers.hub.metrics.upgradeRefused(failure.code)
        case .request: metrics.refusedUnparsed(answer.status)
        }
        logger.info(
            "request",
            metadata: [
                "method": "\(unrouted.method)", "path": "\(RequestFeed.loggedPath(unrouted.target))",
                "status": "\(answer.status.code)", "code": "\(failure.code.rawValue)",
            ])
    }
}

/// Publishes requests to `bookstrack tail` (command-line.md "tail").
struct RequestFeed: Sendable {
    /// Maximum length of path and query in an event, and of a path in the log, in bytes. The decoder limits the header fields.
    private static let maxTargetBytes = 8 << 10

    let tail: TailHub
    let trustedProxies: TrustedProxies
    let aborted: AbortedConnections

    /// Publishes a request that was answered or whose client disconnected. `fields` is called only if a tail is attached.
    func publish(
        _ method: String, _ target: String, _ fields: @escaping @Sendable () -> HTTPFields, from peer: SocketAddress?,
        status: Int?, _ activity: Activity, left: Bool = false
    ) {
        let subject = TailSubject.Request(
            method: method, target: Self.bounded(target), fields: fields, status: status,
            address: { [trustedProxies] in trustedProxies.clientAddress(peer: peer, fields: fields()).text })
        tail.publish(TailEntry(.request(subject), of: activity, left ? .canceled : (status ?? 0) >= 500 ? .error : .ok))
    }

    /// The path in a target, as shown in the log. The query is not logged, since it may contain a token.
    static func loggedPath(_ target: String) -> Substring {
        Substring(bounded(target).utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    }

    private static func bounded(_ target: String) -> String {
        target.utf8.count <= maxTargetBytes
            ? target : String(decoding: target.utf8.prefix(maxTargetBytes), as: UTF8.self)
    }
}
