import Logging
import Testing

@testable import Observability

@Suite("The tail's hub")
struct TailHubTests {
    private func entry(_ number: Int) -> TailEntry {
        TailEntry(LoggedLine(time: Int64(number), level: .info, message: "\(number)", metadata: [:]))
    }

    private func times(_ batch: TailBatch) -> [Int64] { batch.entries.map(\.time) }

    @Test("hands out what came after a number, oldest first")
    func after() {
        let hub = TailHub(capacity: 8)
        for number in 1...5 { hub.publish(entry(number)) }
        let batch = hub.entries(after: 2, atMost: 2)
        #expect(times(batch) == [3, 4])
        #expect(batch.last == 4)
        #expect(batch.missed == 0)
        #expect(times(hub.entries(after: batch.last, atMost: 2)) == [5])
        #expect(hub.entries(after: 5, atMost: 2).entries.isEmpty)
        #expect(hub.entries(after: 5, atMost: 2).last == 5)
    }

    @Test("tells a follower who is too slow how many entries are gone")
    func missed() {
        let hub = TailHub(capacity: 4)
        for number in 1...11 { hub.publish(entry(number)) }
        let batch = hub.entries(after: 2, atMost: 100)
        #expect(times(batch) == [8, 9, 10, 11])
        #expect(batch.missed == 5)
        #expect(hub.newest == 11)
    }

    @Test("wakes who waits for more")
    func waiting() async {
        let hub = TailHub(capacity: 4)
        async let more: Void = hub.more(after: 0)
        hub.publish(entry(1))
        await more
        await hub.more(after: 0)
        #expect(hub.newest == 1)
    }
}
