import NIOConcurrencyHelpers
import NIOEmbedded
import Testing

@testable import APIProxy

@Suite("Distributing connections across the event loops that accept them")
struct LoopBalanceTests {
    private let first = EmbeddedEventLoop()
    private let second = EmbeddedEventLoop()

    @Test("a loop that is far ahead of another one accepts again once the other has caught up")
    func ahead() {
        var balance = LoopBalance([first, second])
        _ = balance.count(first, by: 8)
        #expect(balance.mayAccept(on: first) {})
        _ = balance.count(first, by: 1)
        let resumed = NIOLockedValueBox(0)
        let isAccepted = balance.mayAccept(on: first) { resumed.withLockedValue { $0 += 1 } }
        #expect(!isAccepted)
        #expect(balance.mayAccept(on: second) {})
        for resume in balance.count(second, by: 1) { resume() }
        #expect(resumed.withLockedValue { $0 } == 1)
        #expect(balance.mayAccept(on: first) {})
    }

    @Test("a loop that was ahead accepts again once its own connections have ended")
    func ended() {
        var balance = LoopBalance([first, second])
        _ = balance.count(first, by: 10)
        let isAccepted = balance.mayAccept(on: first) {}
        #expect(!isAccepted)
        #expect(balance.count(first, by: -1).isEmpty)
        #expect(balance.count(first, by: -1).count == 1)
    }

    @Test("among many connections, a loop may have a sixteenth more than another one")
    func share() {
        var balance = LoopBalance([first, second])
        _ = balance.count(second, by: 1_600)
        _ = balance.count(first, by: 1_700)
        #expect(balance.mayAccept(on: first) {})
        _ = balance.count(first, by: 1)
        let isAccepted = balance.mayAccept(on: first) {}
        #expect(!isAccepted)
    }

    @Test("a loop that accepts connections for all others always accepts")
    func single() {
        var balance = LoopBalance([])
        _ = balance.count(first, by: 1_000)
        #expect(balance.mayAccept(on: first) {})
    }
}
