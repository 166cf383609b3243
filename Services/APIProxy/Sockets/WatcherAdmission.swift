import BookstrackContract
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import SuiteMethods

/// Admits watchers of jobs: applies the origin rule and the limits, and asks progress-host before any frame is sent.
struct WatcherAdmission: Sendable {
    let originRule: OriginRule
    let hub: SocketHub
    let host: HostLinks
    let trustedProxies: TrustedProxies

    /// Counts and registers a watcher. Throws 403 for a foreign page, 429 or 503 if there are too many.
    func enter<Entered: Watcher>(
        job: JobID, _ head: HTTPRequestHead, _ channel: any Channel,
        _ make: (SocketID, SocketLimiter.Permit, SocketShard) -> Entered
    ) throws(APIFailure) -> Entered {
        try checkOrigin(of: head, channel)
        return try hub.open(job: job, client: client(of: head, channel), on: channel.eventLoop, make)
    }

    /// Checks the origin of a request; throws 403 if it is not allowed.
    func checkOrigin(of head: HTTPRequestHead, _ channel: any Channel) throws(APIFailure) {
        try originRule.check(
            HTTPFields(head.headers, splitCookie: false), host: head.headers["Host"].first, on: channel)
    }

    /// The key by which limits count the client.
    func client(of head: HTTPRequestHead, _ channel: any Channel) -> ClientNetwork {
        trustedProxies.clientNetwork(peer: channel.remoteAddress, headers: head.headers)
    }

    /// Asks progress-host whether `watcher` may watch its job; if so, the watcher becomes live, unless its client has already received everything.
    /// Then calls `answered`, on `eventLoop`.
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
