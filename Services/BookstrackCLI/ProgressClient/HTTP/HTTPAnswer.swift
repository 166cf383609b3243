package import NIOCore
package import NIOHTTP1

/// The whole answer to a request.
package struct HTTPAnswer: Sendable, Equatable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: ByteBuffer

    package init(status: Int, headers: HTTPHeaders = [:], body: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The body as text, for messages.
    package var text: String { String(buffer: body) }

    /// Seconds of `Retry-After`, when it is a number.
    package var retryAfterSeconds: Int? { headers.first(name: "Retry-After").flatMap { Int($0) } }
}
