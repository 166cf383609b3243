package import NIOCore
import NIOHTTP1
import NIOPosix

/// A small HTTP/1.1 client for one server: keeps connections, bounds time and size.
///
/// As many requests run at once as are sent; callers that want fewer bound themselves.
package final class HTTPClient: Sendable {
    package let address: ServerAddress
    private let connections: HTTPConnections
    private let traffic: TrafficCounter?

    package init(
        address: ServerAddress, group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        limits: HTTPClientLimits = .init(), traffic: TrafficCounter? = nil
    ) {
        self.address = address
        self.traffic = traffic
        connections = HTTPConnections(address: address, group: group, limits: limits, traffic: traffic)
    }

    /// Sends a request and waits for its whole answer, whatever its status.
    package func send(_ call: HTTPCall) async throws(ClientFailure) -> HTTPAnswer {
        do {
            if let kept = connections.takeIdle() {
                do {
                    return try await carry(call, over: kept)
                } catch is UnansweredClose where call.isIdempotent {}
            }
            return try await carry(call, over: connections.open())
        } catch is UnansweredClose {
            throw .closedEarly
        } catch {
            throw ClientFailure(error)
        }
    }

    /// Closes the idle connections; those in use close after their answer.
    package func shutdown() async { await connections.shutdown() }

    private func carry(_ call: HTTPCall, over channel: any Channel) async throws -> HTTPAnswer {
        let promise = channel.eventLoop.makePromise(of: HTTPExchange.Outcome.self)
        let timer = channel.eventLoop.scheduleTask(in: TimeAmount(call.timeout)) {
            promise.fail(ClientFailure.timedOut)
            channel.close(promise: nil)
        }
        defer { timer.cancel() }
        traffic?.add(requests: 1)
        let outcome = try await withTaskCancellationHandler {
            channel.writeAndFlush(HTTPExchange(head: head(of: call), body: call.body, promise: promise)).whenFailure {
                // No other event tells of a kept connection that closed since it was taken; other failures come with an event.
                if case ChannelError.ioOnClosedChannel = $0 { promise.fail(UnansweredClose()) }
            }
            return try await promise.futureResult.get()
        } onCancel: {
            promise.fail(ClientFailure.cancelled)
            channel.close(promise: nil)
        }
        if outcome.keepsConnection { connections.keep(channel) } else { channel.close(promise: nil) }
        return outcome.answer
    }

    private func head(of call: HTTPCall) -> HTTPRequestHead {
        var headers = call.headers
        headers.replaceOrAdd(name: "Host", value: address.hostHeader)
        if !headers.contains(name: "User-Agent") { headers.add(name: "User-Agent", value: "bookstrack") }
        if let body = call.body { headers.replaceOrAdd(name: "Content-Length", value: String(body.readableBytes)) }
        return HTTPRequestHead(
            version: .http1_1, method: call.method, uri: address.basePath + call.path, headers: headers)
    }
}
