import Testing

@testable import ProgressHost

@Suite("Ready handshake")
struct ReadyHandshakeTests {
    @Test("the stream begins with the client's ready, once")
    func ready() {
        var handshake = ReadyHandshake(opening: .fresh, waitUntil: .seconds(5))
        #expect(!handshake.hasBegun)
        #expect(handshake.ready() == true)
        #expect(handshake.hasBegun)
        #expect(handshake.ready() == false)
        #expect(handshake.poll(now: .seconds(9)) == false)
    }

    @Test("the stream of a client that never says ready begins at the deadline, once")
    func deadline() {
        var handshake = ReadyHandshake(opening: .fresh, waitUntil: .seconds(5))
        #expect(handshake.poll(now: .milliseconds(4_999)) == false)
        #expect(handshake.poll(now: .seconds(5)) == true)
        #expect(handshake.poll(now: .seconds(5)) == false)
        #expect(handshake.ready() == false)
        #expect(handshake.deadline == nil)
    }

    @Test("nobody waits for a client that is known to be there")
    func noWait() {
        var handshake = ReadyHandshake(opening: .since(3), waitUntil: nil)
        #expect(handshake.hasBegun)
        #expect(handshake.ready() == false)
    }

    @Test("since says more than reconnect")
    func openings() {
        #expect(ReadyHandshake.Opening(since: 4, reconnect: true) == .since(4))
        #expect(ReadyHandshake.Opening(since: nil, reconnect: true) == .reconnected)
        #expect(ReadyHandshake.Opening(since: nil, reconnect: false) == .fresh)
    }
}
