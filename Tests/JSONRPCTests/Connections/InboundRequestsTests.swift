import NIOCore
import Observability
import Testing

@testable import JSONRPC

@Suite("Requests in their handlers")
struct InboundRequestsTests {
    private static let call = InboundCall(method: "m", activity: Activity(TraceContext()))
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    @Test("an id is refused while it is in use and welcome again afterwards")
    func duplicateID() throws {
        var requests = InboundRequests(maximum: 4)
        let begun = requests.begin(.integer(1), Self.call, deadline: Self.start)
        let first = try #require(begun)
        #expect(requests.begin(.integer(1), Self.call, deadline: Self.start) == nil)
        #expect(requests.begin(.text("1"), Self.call, deadline: Self.start) != nil)
        #expect(requests.end(first)?.id == .integer(1))
        #expect(requests.end(first) == nil)
        #expect(requests.begin(.integer(1), Self.call, deadline: Self.start) != nil)
    }

    @Test("a task that outlives its deadline is cancelled once and counted until it ends")
    func expiry() throws {
        var requests = InboundRequests(maximum: 1)
        let begun = requests.begin(.integer(1), Self.call, deadline: Self.start)
        let serial = try #require(begun)
        let task = Task {}
        requests.attach(task, to: serial)
        #expect(requests.expire(at: Self.start) == [task])
        #expect(requests.expire(at: Self.start).isEmpty)
        #expect(requests.earliestDeadline == nil)
        #expect(requests.isFull)
        #expect(requests.end(serial)?.hasExpired == true)
        #expect(!requests.isFull)
    }

    @Test("a cancel finds the task of its id, and nothing when it comes late")
    func cancel() throws {
        var requests = InboundRequests(maximum: 4)
        let begun = requests.begin(.integer(1), Self.call, deadline: Self.start)
        let serial = try #require(begun)
        let task = Task {}
        requests.attach(task, to: serial)
        let cancelled = requests.cancel(.integer(1))
        #expect(cancelled.isKnown && cancelled.task == task)
        _ = requests.end(serial)
        let late = requests.cancel(.integer(1))
        #expect(!late.isKnown && late.task == nil)
    }
}
