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

    @Test("sockets are found by what they watch, wait for and are held by")
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

    @Test("tokens that end soon are found, each once, and forgotten when they have moved on")
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
