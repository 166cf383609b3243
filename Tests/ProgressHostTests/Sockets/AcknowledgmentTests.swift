import BookstrackContract
import GRDB
import SuiteMethods
import Testing

@testable import ProgressHost

/// The `ack` row in websocket.md "Client messages".
@Suite("Acknowledgments")
struct AcknowledgmentTests {
    private let host: TestHost
    private let job: CreatedJob
    private let socket: SocketID

    /// Starts a job and sends its first two events.
    init() throws {
        host = try TestHost()
        job = try host.create(books: 3)
        socket = try host.watch(token: job.token)
        let worker = try TestWorker(host)
        try worker.record([try worker.claim()[0]])
        _ = host.proxy.take(socket)
    }

    private func acknowledge(_ seq: String) throws { try host.say(#"{"type":"ack","seq":\#(seq)}"#, on: socket) }

    @Test("a job's state shows the newest acknowledged event, and the acknowledgment receives no response")
    func shown() throws {
        #expect(try host.state(token: job.token).delivered == nil)
        try acknowledge("1")
        #expect(try host.state(token: job.token).delivered == 1)
        try acknowledge("2")
        #expect(try host.state(token: job.token).delivered == 2)
        #expect(host.proxy.take(socket).isEmpty)
    }

    @Test("acknowledging an older number does not lower the newest one")
    func older() throws {
        try acknowledge("2")
        try acknowledge("1")
        host.advance(by: .seconds(1))
        #expect(try host.state(token: job.token).delivered == 2)
        try acknowledge("1")
        host.advance(by: .seconds(1))
        #expect(try host.state(token: job.token).delivered == 2)
    }

    @Test(
        "an acknowledgment of anything but an event's number is ignored and counted as an unknown message",
        arguments: ["-1", "3", "9223372036854775807", "1e300", "\"1\"", "null", "[]", "1.5"])
    func unknown(seq: String) throws {
        try acknowledge(seq)
        #expect(try host.state(token: job.token).delivered == nil)
        #expect(host.number("bookstrack_unknown_messages_total") == 1)
        #expect(host.proxy.take(socket).isEmpty)
    }

    @Test("acknowledgments are written in batches, and survive a restart")
    func stored() throws {
        func written() throws -> Int? {
            try host.pool.read { try Int.fetchOne($0, sql: "SELECT max(delivered) FROM token") }
        }
        try acknowledge("1")
        try acknowledge("2")
        #expect(try written() == 0)
        host.advance(by: .seconds(1))
        #expect(try written() == 2)
        try host.restart()
        #expect(try host.state(token: job.token).delivered == 2)
    }

    @Test("each token has its own acknowledged number, which the replacement of a rotated token inherits")
    func tokens() throws {
        try acknowledge("2")
        let other = try host.create(books: 3)
        #expect(try host.state(token: other.token).delivered == nil)
        try host.closed(socket)
        host.advance(by: .seconds(7_200 - 600))
        let fresh = try host.refresh(token: job.token)
        #expect(try host.state(token: fresh.token).delivered == 2)
    }
}
