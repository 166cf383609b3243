import NIOCore
import NIOHTTP1

/// A request with its body, which the emulator's own routes and ISBNdb's bulk call read.
struct ReceivedRequest: Sendable {
    let head: HTTPRequestHead
    let body: ByteBuffer

    /// The URL of this server as the client called it.
    var origin: String { "http://\(head.headers.first(name: "Host") ?? "127.0.0.1")" }
}
