import BookstrackContract
import JSONRPC
import NIOCore
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Building and keeping v1 complete frames") struct V1CompletionsTests {
    private static let peer = PeerID()
    private let frame = ByteBuffer(repeating: 0, count: 100)

    private func request(_ job: Int64) -> V1Completions.Request {
        var row = JobRow(awaited: TestHost.jobID, now: 0)
        row.number = job
        return V1Completions.Request(job: row, now: MovedEngineClock.start)
    }

    private func socket(_ number: UInt64) -> SocketKey { SocketKey(peer: Self.peer, socket: SocketID(number)) }

    @Test("a frame that several sockets request is built once")
    func once() {
        var completions = V1Completions()
        let firstTake = completions.take(request(1), for: socket(1))
        #expect(firstTake == nil)
        let secondTake = completions.take(request(1), for: socket(2))
        #expect(secondTake == nil)
        let begun = completions.next()
        #expect(begun?.key == request(1).key)
        let rest = completions.next()
        #expect(rest == nil)
        let waiting = completions.finish(request(1).key, frame)
        #expect(waiting == [socket(1), socket(2)])
        let made = completions.take(request(1), for: socket(1))
        #expect(made == frame)
        let kept = completions.take(request(1), for: socket(3))
        #expect(kept == frame)
    }

    @Test("no frames are built while unsent frames use up the memory reserved for them")
    func bounded() {
        var completions = V1Completions(atOnce: 1, byteLimit: 200)
        for number in 1...3 { _ = completions.take(request(Int64(number)), for: socket(UInt64(number))) }
        for number in 1...2 {
            let begun = completions.next()
            #expect(begun?.job.number == Int64(number))
            _ = completions.finish(request(Int64(number)).key, frame)
        }
        let full = completions.next()
        #expect(full == nil)
        let taken = completions.take(request(1), for: socket(1))
        #expect(taken == frame)
        let begun = completions.next()
        #expect(begun?.job.number == 3)
        #expect(completions.bytes == 100)
    }

    @Test("a frame that no client is waiting for is not built")
    func left() {
        var completions = V1Completions()
        _ = completions.take(request(1), for: socket(1))
        completions.release(socket(1))
        let begun = completions.next()
        #expect(begun == nil)
    }

    @Test(
        "requests from a failed turn are dropped and can be repeated, and a frame in progress still reaches its socket")
    func undone() {
        var completions = V1Completions(atOnce: 1)
        _ = completions.take(request(1), for: socket(1))
        _ = completions.next()
        _ = completions.take(request(2), for: socket(2))
        completions.undoTurn()
        let waiting = completions.finish(request(1).key, frame)
        #expect(waiting == [socket(1)])
        let rest = completions.next()
        #expect(rest == nil)
        _ = completions.take(request(2), for: socket(2))
        let begun = completions.next()
        #expect(begun?.job.number == 2)
    }
}
