import NIOCore
import Testing

@testable import APIProxy

@Suite("How long a request may take") struct RequestPaceTests {
    private let start = NIODeadline.uptimeNanoseconds(0)

    @Test("a first head has 15 s from the connection on")
    func firstHead() {
        var pace = RequestPace(connectedAt: start)
        #expect(pace.late(at: start + .milliseconds(14_999)) == nil)
        #expect(pace.late(at: start + .seconds(15)) == .head)
        #expect(pace.late(at: start + .seconds(16)) == nil)
    }

    @Test("a later head has 15 s from its first byte on, whatever drips in")
    func laterHead() {
        var pace = RequestPace(connectedAt: start)
        pace.headArrived(at: start)
        pace.endArrived(at: start)
        pace.bytesArrived(at: start + .seconds(40))
        pace.bytesArrived(at: start + .seconds(50))
        #expect(pace.deadline == start + .seconds(55))
    }

    @Test("the next request has 60 s from the answer on")
    func idle() {
        var pace = RequestPace(connectedAt: start)
        pace.headArrived(at: start)
        pace.endArrived(at: start)
        pace.answered(at: start + .seconds(50))
        #expect(pace.late(at: start + .seconds(60)) == nil)
        #expect(pace.late(at: start + .seconds(110)) == .idle)
    }

    @Test("a body has 30 s and one more for each MiB that came")
    func body() {
        var pace = RequestPace(connectedAt: start)
        pace.headArrived(at: start)
        #expect(pace.deadline == start + .seconds(30))
        pace.bodyArrived(3 << 20)
        #expect(pace.deadline == start + .seconds(33))
        #expect(pace.late(at: start + .seconds(33)) == .body)
    }
}
