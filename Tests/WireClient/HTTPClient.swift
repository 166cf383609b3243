package import NIOCore
package import NIOHTTP1
import NIOPosix

/// A small HTTP/1.1 client for one server: reuses connections, and limits time and size.
///
/// It does not limit concurrent requests; callers do.
package final class HTTPClient: Sendable {
    package let address: ServerAddress
    private let connections: HTTPConnections
    private let traffic: TrafficCounter?

    package init(
        address: ServerAddress, group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        maximumIdleConnections: Int = 64, traffic: TrafficCounter? = nil
    ) {
        self.address = address
        self.traffic = traffic
        connections = HTTPConnections(
            address: address, group: group, maximumIdle: maximumIdleConnections, traffic: traffic)
    }

    /// Sends a request and waits for its complete response, with any status.
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

    /// Closes the idle connections; those in use close after their response.
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
                // If a reused connection has closed since it was taken, only this write reports it; other failures cause an event of
                // their own.
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
            version: .http1_1, method: call.method, uri: call.path, headers: headers)
    }
}

/// A request to the API.
package struct HTTPCall: Sendable {
    package var method: HTTPMethod
    /// Path, including the query.
    package var path: String
    package var headers: HTTPHeaders
    package var body: ByteBuffer?
    /// Timeout for the complete response.
    package var timeout: Duration

    package init(
        _ method: HTTPMethod, _ path: String, headers: HTTPHeaders = [:], body: ByteBuffer? = nil,
        timeout: Duration = .seconds(30)
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }

    /// A plain GET.
    package static func get(_ path: String, timeout: Duration) -> HTTPCall { HTTPCall(.GET, path, timeout: timeout) }

    /// Whether the request may be repeated if a reused connection turns out to be closed (RFC 9110 §9.2.2).
    var isIdempotent: Bool { [.GET, .HEAD, .PUT, .DELETE, .OPTIONS].contains(method) }
}

/// The complete response to a request.
package struct HTTPAnswer: Sendable, Equatable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: ByteBuffer

    package init(status: Int, headers: HTTPHeaders = [:], body: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The body as text; invalid UTF-8 is replaced.
    package var text: String { String(buffer: body) }

    /// The seconds in `Retry-After`, if it is a number.
    package var retryAfterSeconds: Int? { headers.first(name: "Retry-After").flatMap { Int($0) } }
}

/// The address of a server without TLS, which only a reverse proxy in front of the services offers (containers.md).
package struct ServerAddress: Sendable, Equatable, CustomStringConvertible {
    package let host: String
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// The base URL.
    package var description: String { "http://\(hostHeader)" }

    /// Value of the `Host` header (RFC 9112 §3.2).
    package var hostHeader: String { "\(host):\(port)" }
}
