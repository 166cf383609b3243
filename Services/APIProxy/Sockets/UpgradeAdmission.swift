import BookstrackContract
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import Observability
import SuiteMethods

/// Admits connections to the WebSocket upgrade: applies the limits and asks progress-host, before the 101 (websocket.md "Upgrade").
struct UpgradeAdmission: Sendable {
    let originRule: OriginRule
    let hub: SocketHub
    let host: HostLink
    let feed: RequestFeed
    let metrics: HTTPMetrics
    let logger: Logger

    var origins: OriginList { originRule.listed }

    /// Counts and registers a socket. Throws 403 for a foreign page, 429 or 503 when there are too many.
    func enter(_ request: UpgradeRequest, head: HTTPRequestHead, channel: any Channel) throws(APIFailure)
        -> SocketHandler
    {
        try originRule.check(
            HTTPFields(head.headers, splitCookie: false), host: head.headers["Host"].first, on: channel)
        let address = feed.trustedProxies.clientAddress(peer: channel.remoteAddress, headers: head.headers)
        return try hub.open(request.socketRequest, address: address.limitKey, on: channel.eventLoop)
    }

    /// Asks progress-host and calls back on the event loop.
    func ask(
        _ request: UpgradeRequest, for socket: SocketHandler, on eventLoop: any EventLoop,
        _ answered: @escaping (Result<Void, APIFailure>) -> Void
    ) {
        let bound = NIOLoopBound((socket, answered), eventLoop: eventLoop)
        host.admit(socket.id, request.socketRequest, on: eventLoop) { result in
            bound.value.0.admitted(tokenNumber: result.tokenNumber)
        } completing: { outcome in
            if case .failure = outcome { bound.value.0.notAdmitted() }
            bound.value.1(outcome.mapError { APIFailure(answering: $0) ?? .hostUnavailable })
        }
    }

    /// Publishes a request that the router never sees to `bookstrack tail`.
    func tell(of unrouted: Unrouted, status: Int?, channel: any Channel, _ activity: Activity) {
        let headers = unrouted.head?.headers ?? [:]
        feed.publish(
            unrouted.method, unrouted.target, { HTTPFields(headers, splitCookie: false) }, from: channel.remoteAddress,
            status: status, activity, left: status == nil || !channel.isActive)
    }

    /// Counts and logs a request that the router never sees. The query is not logged, since it may hold a token.
    func note(_ failure: APIFailure, _ unrouted: Unrouted, _ answer: FailureAnswer) {
        switch unrouted {
        case .upgrade: hub.metrics.upgradeRefused(failure.code)
        case .request: metrics.refusedUnparsed(answer.status)
        }
        logger.info(
            "request",
            metadata: [
                "method": "\(unrouted.method)", "path": "\(unrouted.target.prefix { $0 != "?" })",
                "status": "\(answer.status.code)", "code": "\(failure.code.rawValue)",
            ])
    }
}
