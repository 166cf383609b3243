import BookstrackContract
import JSONRPC
import SuiteMethods
import Testing
@testable import ProgressHost

@Suite("Session table")
struct SessionTableTests {
    private let peer = PeerID()

    private func key(_ number: UInt64) -> SocketKey { SocketKey(peer: peer, socket: SocketID(number)) }

    private func session(_ subject: SocketSession.Subject, token: Int64? = nil, expiresAt: Int64 = .max)
        -> SocketSession
    {
        var session = SocketSession(
            subject: subject, tokenNumber: token, handshake: ReadyHandshake(opening: .fresh, waitUntil: nil),
            heartbeat: Heartbeat(now: .zero), v1: false)
        session.tokenExpiresAt = expiresAt
        return session
    }

    @Test("sockets are found by the job they watch or wait for, and by their connection")
    func indices() {
        var table = SessionTable()
        table[key(1)] = session(.job(7))
        table[key(2)] = session(.awaited(TestHost.jobID, until: .seconds(60)))
        #expect(table.watchers(of: 7) == [key(1)])
        #expect(table.waiting(for: TestHost.jobID) == [key(2)])
        table[key(2)]?.subject = .job(7)
        #expect(table.waiting(for: TestHost.jobID).isEmpty)
        #expect(table.watchers(of: 7) == [key(1), key(2)])
        #expect(Set(table.keys(of: peer)) == [key(1), key(2)])
        table[key(1)] = nil
        table[key(2)] = nil
        #expect(table.count == 0)
        #expect(table.watchers(of: 7).isEmpty)
        #expect(table.keys(of: peer).isEmpty)
    }

    @Test("a turn that is undone leaves every socket as it was")
    func undo() {
        var table = SessionTable()
        table[key(1)] = session(.job(7))
        table[key(2)] = session(.job(7))
        table.keepChanges()
        table[key(1)] = nil
        table[key(2)]?.isClosing = true
        table[key(2)]?.subject = .job(8)
        table[key(3)] = session(.job(7))
        table.undoChanges()
        #expect(table.watchers(of: 7) == [key(1), key(2)])
        #expect(table.watchers(of: 8).isEmpty)
        #expect(table[key(2)]?.isClosing == false)
        #expect(table[key(3)] == nil)
        #expect(table.keys(of: peer).count == 2)
    }

    @Test("a token that expires soon is listed once, and is no longer listed after it is extended")
    func tokens() {
        var table = SessionTable()
        table[key(1)] = session(.job(7), token: 1, expiresAt: 100)
        table[key(2)] = session(.job(7), token: 1, expiresAt: 100)
        table[key(3)] = session(.job(7), token: 2, expiresAt: 200)
        #expect(table.tokens(endingBefore: 150, atMost: 10) == [1])
        #expect(table.tokens(endingBefore: 300, atMost: 1).count == 1)
        table.setExpiry(ofTokens: [1: 900])
        #expect(table.tokens(endingBefore: 300, atMost: 10) == [2])
    }
}

@Suite("Ready handshake")
struct ReadyHandshakeTests {
    @Test("the stream begins once, when the client sends ready")
    func ready() {
        var handshake = ReadyHandshake(opening: .fresh, waitUntil: .seconds(5))
        #expect(!handshake.hasBegun)
        #expect(handshake.ready() == true)
        #expect(handshake.hasBegun)
        #expect(handshake.ready() == false)
        #expect(handshake.poll(now: .seconds(9)) == false)
    }

    @Test("the stream of a client that never sends ready begins at the deadline, once")
    func deadline() {
        var handshake = ReadyHandshake(opening: .fresh, waitUntil: .seconds(5))
        #expect(handshake.poll(now: .milliseconds(4_999)) == false)
        #expect(handshake.poll(now: .seconds(5)) == true)
        #expect(handshake.poll(now: .seconds(5)) == false)
        #expect(handshake.ready() == false)
        #expect(handshake.deadline == nil)
    }

    @Test("the stream of a client that is known to be ready begins without waiting")
    func noWait() {
        var handshake = ReadyHandshake(opening: .since(3), waitUntil: nil)
        #expect(handshake.hasBegun)
        #expect(handshake.ready() == false)
    }

    @Test("the since parameter takes precedence over reconnect")
    func openings() {
        #expect(ReadyHandshake.Opening(since: 4, reconnect: true) == .since(4))
        #expect(ReadyHandshake.Opening(since: nil, reconnect: true) == .reconnected)
        #expect(ReadyHandshake.Opening(since: nil, reconnect: false) == .fresh)
    }
}

@Suite("Heartbeat")
struct HeartbeatTests {
    private static let interval = Duration.seconds(30)
    private static let limit = Duration.seconds(90)

    /// Polls at every due time until `end` or until the peer is dropped; returns the actions with their times.
    private func history(_ heartbeat: inout Heartbeat, until end: Duration) -> [(Duration, Heartbeat.Action)] {
        var history: [(Duration, Heartbeat.Action)] = []
        while true {
            let due = heartbeat.nextPoll(interval: Self.interval, limit: Self.limit)
            guard due <= end else { return history }
            let action = heartbeat.poll(now: due, interval: Self.interval, limit: Self.limit)
            history.append((due, action))
            if action == .drop { return history }
        }
    }

    @Test("a silent peer is pinged after 30 s and after 60 s, and dropped after 90 s")
    func silence() {
        var heartbeat = Heartbeat(now: .zero)
        let history = history(&heartbeat, until: .seconds(300))
        #expect(history.map(\.0) == [.seconds(30), .seconds(60), .seconds(90)])
        #expect(history.map(\.1) == [.ping, .ping, .drop])
    }

    @Test("any sign of life from the peer restarts the idle time")
    func heard() {
        var heartbeat = Heartbeat(now: .zero)
        _ = history(&heartbeat, until: .seconds(70))
        heartbeat.heard(now: .seconds(70))
        #expect(heartbeat.nextPoll(interval: Self.interval, limit: Self.limit) == .seconds(100))
        #expect(heartbeat.poll(now: .seconds(99), interval: Self.interval, limit: Self.limit) == .nothing)
        #expect(history(&heartbeat, until: .seconds(300)).map(\.0) == [.seconds(100), .seconds(130), .seconds(160)])
    }

    @Test(
        "after this process was suspended, a peer is pinged and has time to respond before it is dropped",
        arguments: [0, 1])
    func ownStandstill(pingsBefore: Int) {
        var heartbeat = Heartbeat(now: .zero)
        _ = history(&heartbeat, until: .seconds(30 * pingsBefore))
        #expect(heartbeat.poll(now: .seconds(500), interval: Self.interval, limit: Self.limit) == .ping)
        #expect(heartbeat.poll(now: .seconds(500), interval: Self.interval, limit: Self.limit) == .nothing)
        #expect(history(&heartbeat, until: .seconds(900)).map(\.0) == [.seconds(530)])
    }

    @Test("a silent peer is dropped at the limit, even if the limit is not a multiple of the ping interval")
    func oddLimit() {
        var heartbeat = Heartbeat(now: .zero)
        #expect(heartbeat.poll(now: .seconds(30), interval: Self.interval, limit: .seconds(45)) == .ping)
        #expect(heartbeat.nextPoll(interval: Self.interval, limit: .seconds(45)) == .seconds(45))
        #expect(heartbeat.poll(now: .seconds(45), interval: Self.interval, limit: .seconds(45)) == .drop)
    }
}
