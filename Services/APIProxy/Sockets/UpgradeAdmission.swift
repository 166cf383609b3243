import BookstrackContract
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import Observability
import SuiteMethods

/// Admits connections to the WebSocket upgrade (websocket.md "Upgrade"), and reports requests that the router never sees.
///
/// A class, so that a connection holds a reference rather than a copy.
final class UpgradeAdmission: Sendable {
    let watchers: WatcherAdmission
    let feed: RequestFeed
    let metrics: HTTPMetrics
    let logger: Logger

    init(watchers: WatcherAdmission, feed: RequestFeed, metrics: HTTPMetrics, logger: Logger) {
        self.watchers = watchers
        self.feed = feed
        self.metrics = metrics
        self.logger = logger
    }

    /// Publishes to `bookstrack tail` a request that the router never sees.
    func tell(of unrouted: Unrouted, status: Int?, channel: any Channel, _ activity: Activity) {
        let headers = unrouted.head?.headers ?? [:]
        feed.publish(
            unrouted.method, unrouted.target, { HTTPFields(headers, splitCookie: false) }, from: channel.remoteAddress,
            status: status, activity, left: status == nil || !channel.isActive)
    }

    /// Counts and logs the refusal of a request that the router never sees.
    func note(_ failure: APIFailure, _ unrouted: Unrouted, _ answer: FailureAnswer) {
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

/// Admits watchers of jobs, by WebSocket or event stream: applies the limits, and asks progress-host for permission before a response begins.
struct WatcherAdmission: Sendable {
    let originRule: OriginRule
    let hub: SocketHub
    let host: HostLinks
    let trustedProxies: TrustedProxies

    /// Counts and registers a watcher. Throws 403 for a foreign page, 429 or 503 if there are too many.
    func enter<Entered: Watcher>(
        job: JobID, _ head: HTTPRequestHead, _ channel: any Channel,
        _ make: (SocketID, SocketLimiter.Place, SocketShard) -> Entered
    ) throws(APIFailure) -> Entered {
        try checkOrigin(of: head, channel)
        return try hub.open(job: job, client: client(of: head, channel), on: channel.eventLoop, make)
    }

    /// Throws 403 for a foreign page.
    func checkOrigin(of head: HTTPRequestHead, _ channel: any Channel) throws(APIFailure) {
        try originRule.check(
            HTTPFields(head.headers, splitCookie: false), host: head.headers["Host"].first, on: channel)
    }

    /// The key by which limits count the client.
    func client(of head: HTTPRequestHead, _ channel: any Channel) -> ClientNetwork {
        trustedProxies.clientNetwork(peer: channel.remoteAddress, headers: head.headers)
    }

    /// Asks progress-host and calls back on the event loop.
    func ask(
        _ request: SocketRequest, for watcher: any Watcher, on eventLoop: any EventLoop,
        _ answered: @escaping (Result<OpenSocket.Result, APIFailure>) -> Void
    ) {
        let bound = NIOLoopBound((watcher, answered), eventLoop: eventLoop)
        host.admit(watcher.id, request, on: eventLoop) { result in
            if result.isOver != true { bound.value.0.admitted(tokenNumber: result.tokenNumber) }
        } completing: { outcome in
            if case .failure = outcome { bound.value.0.notAdmitted() }
            bound.value.1(outcome.mapError { APIFailure(answering: $0) ?? .hostUnavailable })
        }
    }
}

extension SocketRequest {
    /// The request without its token, which is needed only for admission and is not kept for the life of the connection.
    var withoutToken: SocketRequest {
        var request = self
        request.token = nil
        return request
    }
}
