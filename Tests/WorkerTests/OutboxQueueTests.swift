import BookstrackContract
import NIOCore
import SuiteMethods
import Testing

@testable import EnrichmentWorker

/// An ``OutboxQueue`` with small limits. It is a class because `#expect` cannot call mutating methods of a struct.
private final class FilledOutbox {
    private var queue = OutboxQueue(limits: OutboxQueue.Limits(items: 4, bytes: 100, calls: 2))

    var count: Int { queue.count }

    func append(_ item: FinishedItem) { queue.append(item) }
    func end(_ call: [FinishedItem]) { queue.end(call) }
    func putBack(_ call: [FinishedItem]) { queue.putBack(call) }

    func nextCall(except unwanted: UInt64? = nil) -> [FinishedItem]? {
        queue.nextCall { $0.id.number != unwanted }
    }
}

@Suite("When outcomes are recorded")
struct OutboxQueueTests {
    private let queue = FilledOutbox()

    private static func item(_ number: UInt64, bytes: Int = 2) throws -> FinishedItem {
        let key = ItemKey(jobId: try #require(JobID("job-one-1")), index: Int(number))
        return FinishedItem(
            id: LeasedItem.ID(number: number),
            outcome: ItemOutcome(
                key: key, workClass: .bulk, errorCode: nil, title: "", followUp: .none, rowLength: bytes),
            row: ByteBuffer(repeating: 0x20, count: bytes))
    }

    private static func numbers(_ call: [FinishedItem]?) -> [UInt64]? { call?.map(\.id.number) }

    @Test("the first outcome is sent immediately, and further outcomes are gathered until it is confirmed")
    func gathering() throws {
        queue.append(try Self.item(1))
        let first = try #require(queue.nextCall())
        #expect(Self.numbers(first) == [1])
        queue.append(try Self.item(2))
        queue.append(try Self.item(3))
        #expect(queue.nextCall() == nil)
        queue.end(first)
        #expect(Self.numbers(queue.nextCall()) == [2, 3])
        #expect(queue.count == 2)
    }

    @Test("a full call does not wait for the one in flight, up to the maximum number of calls")
    func full() throws {
        for number in 1...12 { queue.append(try Self.item(UInt64(number))) }
        #expect(Self.numbers(queue.nextCall()) == [1, 2, 3, 4])
        #expect(Self.numbers(queue.nextCall()) == [5, 6, 7, 8])
        #expect(queue.nextCall() == nil)
        #expect(queue.count == 12)
    }

    @Test("rows that together exceed the maximum size of a call are sent in separate calls")
    func bytes() throws {
        for (number, size) in [(1, 60), (2, 60), (3, 300)] {
            queue.append(try Self.item(UInt64(number), bytes: size))
        }
        #expect(Self.numbers(queue.nextCall()) == [1])
        #expect(Self.numbers(queue.nextCall()) == [2])
    }

    @Test("long titles and identities count toward the size of a call, too")
    func names() throws {
        var outcome = ItemOutcome(
            key: try Self.item(1).outcome.key, workClass: .bulk, errorCode: nil,
            title: String(repeating: "x", count: 50), followUp: .none, rowLength: 2)
        outcome.identity = String(repeating: "x", count: 50)
        for number in 1...2 {
            let id = LeasedItem.ID(number: UInt64(number))
            queue.append(FinishedItem(id: id, outcome: outcome, row: ByteBuffer(string: "{}")))
        }
        #expect(Self.numbers(queue.nextCall()) == [1])
        #expect(Self.numbers(queue.nextCall()) == [2])
    }

    @Test("outcomes that may have been lost are sent again first, and unwanted ones are dropped")
    func again() throws {
        for number in 1...3 { queue.append(try Self.item(UInt64(number))) }
        let lost = try #require(queue.nextCall())
        queue.append(try Self.item(4))
        queue.putBack(lost)
        #expect(Self.numbers(queue.nextCall(except: 2)) == [1, 3, 4])
        #expect(queue.count == 3)
    }
}
