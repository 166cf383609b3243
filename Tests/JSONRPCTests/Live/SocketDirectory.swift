import Foundation

/// A directory of its own for a test's sockets, gone with the test. Its path is short, as `sun_path` is.
final class SocketDirectory: Sendable {
    let path: String

    init() throws {
        path = "/tmp/rpc-\(UUID().uuidString.prefix(12))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var socket: String { path + "/s.sock" }
}
