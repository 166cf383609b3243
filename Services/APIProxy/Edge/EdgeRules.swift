import BookstrackContract
import HTTPTypes
import Logging
import NIOCore
import Observability

/// What holds for the answers of a listener, whether the router or a ``LoopHandler`` makes them: limits, the fields of every answer, and what
/// metrics, the log and those who follow are told.
struct EdgeRules: Sendable {
    let routes: RouteTable
    let originRule: OriginRule
    /// Hosts that requests may name; nil where every host is served, on the public listener.
    let hosts: HostList?
    /// Nil where clients are not limited: on the admin listener, and with `BOOKSTRACK_RATE_LIMIT=off`.
    let limiter: RateLimiter?
    let metrics: HTTPMetrics
    let feed: RequestFeed
    let logger: Logger
    let date = HTTPDate()

    /// Adds what every answer but a failure carries, and the limits' fields.
    func addFields(to fields: inout HTTPFields, _ exchange: Exchange, origin: String?, _ verdict: LimitVerdict?) {
        StandardFields.add(to: &fields, exchange, origin: origin, origins: originRule.listed)
        addLimit(verdict, to: &fields)
    }

    /// Adds where the client stands in its limits.
    func addLimit(_ verdict: LimitVerdict?, to fields: inout HTTPFields) {
        if let limiter, let verdict { fields.append(contentsOf: limiter.fields(of: verdict)) }
    }

    /// What a failure answers; nil when the client left, so that an answer would not be read.
    func failure(answering error: any Error, _ activity: Activity) -> APIFailure? {
        guard let failure = APIFailure(answering: error) else { return nil }
        let level: Logger.Level = failure.code == .internalError ? .error : .debug
        if level == .error { activity.note(error) }
        logger.log(level: level, "request failed", error: error)
        return failure
    }

    /// A request is over: tells those who follow, and the log. Without a status the client left before the answer was made.
    ///
    /// - Parameters:
    ///   - target: Path and query. The query, which may hold a token, is not logged.
    ///   - left: Whether the connection failed while the answer was written.
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
                    "method": "\(method)", "path": "\(target.prefix { $0 != "?" && $0 != "#" })",
                    "status": "\(status.map { "\($0)" } ?? "none")", "ms": "\(Exchange(activity).milliseconds)",
                ])
        }
    }
}

/// Tells those who follow this process of its requests (command-line.md "tail").
struct RequestFeed: Sendable {
    /// Longest path and query that is kept, in bytes; the decoder bounds the fields.
    private static let longestTarget = 8 << 10

    let tail: TailHub
    let trustedProxies: TrustedProxies
    let aborted: AbortedConnections

    /// A request was answered, or its client left before. `fields` is only called for those who follow.
    func publish(
        _ method: String, _ target: String, _ fields: @escaping @Sendable () -> HTTPFields, from peer: SocketAddress?,
        status: Int?, _ activity: Activity, left: Bool = false
    ) {
        let subject = TailSubject.Request(
            method: method, target: Self.bounded(target), fields: fields, status: status,
            address: { [trustedProxies] in trustedProxies.clientAddress(peer: peer, fields: fields()).text })
        tail.publish(TailEntry(.request(subject), of: activity, left ? .canceled : (status ?? 0) >= 500 ? .error : .ok))
    }

    private static func bounded(_ target: String) -> String {
        target.utf8.count <= longestTarget ? target : String(decoding: target.utf8.prefix(longestTarget), as: UTF8.self)
    }
}
