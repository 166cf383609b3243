import Foundation
import JSONRPC
import Testing

@testable import BookstrackCLI

@Suite("The state of a Unix socket's path", .timeLimit(.minutes(1)))
struct UnixSocketProbeTests {
    @Test("a service with a full backlog counts as running, and the probe does not block")
    func fullBacklog() throws {
        let path = "/tmp/bt-probe-\(UUID().uuidString.prefix(12))"
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let address = try #require(UnixSocketAddress(path))
        try #require(address.pass { bind(listener, $0, $1) } == 0)
        try #require(listen(listener, 0) == 0)
        var clients: [Int32] = []
        defer {
            for opened in clients + [listener] { close(opened) }
            unlink(path)
        }
        repeat {
            let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            clients.append(socket(AF_UNIX, type, 0))
        } while address.pass { connect(clients.last ?? -1, $0, $1) } == 0
        try #require(errno == EAGAIN)
        #expect(UnixSocketProbe.look(at: path) == .listening)
    }
}
