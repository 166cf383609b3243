import NIOCore
import Testing

@testable import JSONRPC

@Suite("Calls in flight")
struct PendingCallsTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    @Test("a call is taken out once")
    func once() {
        var calls = PendingCalls(maximum: 4)
        calls.add(1, deadline: Self.start) { _ in }
        #expect(calls.remove(1) != nil)
        #expect(calls.remove(1) == nil)
        #expect(calls.remove(2) == nil)
    }

    @Test("only calls whose deadline has come expire")
    func expiry() {
        var calls = PendingCalls(maximum: 4)
        calls.add(1, deadline: Self.start + .seconds(1)) { _ in }
        calls.add(2, deadline: Self.start + .seconds(2)) { _ in }
        #expect(calls.earliestDeadline == Self.start + .seconds(1))
        #expect(calls.removeExpired(at: Self.start).isEmpty)
        #expect(calls.removeExpired(at: Self.start + .seconds(1)).map(\.id) == [1])
        #expect(calls.earliestDeadline == Self.start + .seconds(2))
    }

    @Test("the bound is reached exactly at the maximum")
    func bound() {
        var calls = PendingCalls(maximum: 2)
        calls.add(1, deadline: Self.start) { _ in }
        #expect(!calls.isFull)
        calls.add(2, deadline: Self.start) { _ in }
        #expect(calls.isFull)
        #expect(calls.removeAll().count == 2)
        #expect(calls.count == 0)
    }
}
