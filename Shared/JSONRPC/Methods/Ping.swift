import NIOCore

/// `rpc.ping`: every end answers `{}` at once, before any handler.
enum Ping {
    static let name = "rpc.ping"
    static let body = ByteBuffer(staticString: "{}")
}
