import Testing

@testable import ProgressHost

@Suite("Events that are stored with items")
struct OutcomeEventsTests {
    private let events = OutcomeEvents([
        .init(seq: 9, index: 1), .init(seq: 2, index: 5), .init(seq: 4, index: 0),
    ])

    @Test(
        "the events after a given seq are returned in order",
        arguments: zip(0...9, [3, 3, 2, 2, 1, 1, 1, 1, 1, 0]))
    func after(seq: Int, count: Int) {
        let found = events.after(seq, limit: 10).map(\.seq)
        #expect(found == [2, 4, 9].suffix(count))
    }

    @Test("no more events are returned than requested, and the newest event is known even if it is no longer replayed")
    func limits() {
        #expect(events.after(0, limit: 2).map(\.index) == [5, 0])
        #expect(events.newest == .init(seq: 9, index: 1))
        #expect(OutcomeEvents().newest == nil)
        let old = OutcomeEvents([.init(seq: 3, index: 0)], replayedAfter: 9)
        #expect(old.after(0, limit: 2).isEmpty)
        #expect(old.newest?.seq == 3)
    }

    @Test("dropped events are no longer returned, and later events still are")
    func dropping() {
        var events = events
        events.drop(through: 4)
        events.add(seq: 10, index: 7)
        #expect(events.after(0, limit: 10).map(\.seq) == [9, 10])
        events.drop(through: 99)
        #expect(events.after(0, limit: 10).isEmpty)
        #expect(events.newest?.seq == 10)
    }
}
