import Logging
import Observability
import SuiteMethods
import TestSupport
import Testing

@testable import BookstrackCLI

@Suite("Merging events from several services")
struct MergeWindowTests {
    private func at(_ milliseconds: Int) -> Duration { .milliseconds(milliseconds) }

    private func event(_ service: ServiceInstance, at offset: Int64, _ text: String = "") throws -> ServiceEvent {
        ServiceEvent(service: service, event: try TailSamples.logged(at: offset, .info, text))
    }

    private func offsets(_ events: [ServiceEvent]) -> [Int64] { events.map { $0.time - TailSamples.time } }

    @Test("an event waits for earlier ones, but no longer than the delay")
    func order() throws {
        var window = MergeWindow(hold: .milliseconds(100))
        window.insert(try event(.apiProxy, at: 20), at: at(0))
        window.insert(try event(.progressHost, at: 10), at: at(50))
        window.insert(try event(.enrichmentWorker, at: 30), at: at(60))
        #expect(window.due == at(100))
        #expect(window.release(at: at(99)).isEmpty)
        #expect(offsets(window.release(at: at(100))) == [10, 20])
        #expect(window.due == at(160))
        #expect(offsets(window.release(at: at(160))) == [30])
        #expect(window.due == nil)
        #expect(window.release(at: at(1_000)).isEmpty)
    }

    @Test("events with equal times keep their order of arrival")
    func ties() throws {
        var window = MergeWindow(hold: .milliseconds(100))
        for text in ["a", "b", "c", "d"] { window.insert(try event(.apiProxy, at: 5, text), at: at(0)) }
        #expect(window.release(at: at(100)).map { $0.event.logs[0].message } == ["a", "b", "c", "d"])
    }

    @Test("the events of one service keep their order")
    func single() throws {
        var window = MergeWindow(hold: .zero)
        for offset in [30, 10, 20] as [Int64] { window.insert(try event(.apiProxy, at: offset), at: at(0)) }
        #expect(offsets(window.release(at: at(0))) == [30, 10, 20])
    }

    @Test("past events of all services are collected before any are shown")
    func settling() throws {
        var window = MergeWindow(hold: .milliseconds(100), settled: at(500))
        window.insert(try event(.apiProxy, at: 20), at: at(0))
        #expect(window.due == at(500))
        #expect(window.release(at: at(499)).isEmpty)
        window.insert(try event(.progressHost, at: 10), at: at(499))
        #expect(offsets(window.release(at: at(500))) == [10, 20])
        window.insert(try event(.apiProxy, at: 40), at: at(600))
        #expect(window.due == at(700))
    }

    @Test("beyond the capacity, the oldest events are released early, even before all past events have arrived")
    func capacity() throws {
        var window = MergeWindow(hold: .milliseconds(100), capacity: 2, settled: at(500))
        for offset in [30, 20, 40, 50] as [Int64] { window.insert(try event(.apiProxy, at: offset), at: at(0)) }
        #expect(offsets(window.release(at: at(0))) == [20, 30])
        #expect(offsets(window.releaseAll()) == [40, 50])
    }

    @Test(
        "events that arrive within the delay are released in order, each once, whatever the order of arrival",
        arguments: 1...20)
    func anyOrder(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        // Each event's time is its number, and it arrives up to 99 ms later.
        let arrivals = (0..<200).map { (offset: $0, arrival: $0 + Int.random(in: 0...99, using: &random)) }
            .sorted { $0.arrival < $1.arrival }
        var window = MergeWindow(hold: .milliseconds(100))
        var shown: [Int64] = []
        for (offset, arrival) in arrivals {
            shown += offsets(window.release(at: at(arrival)))
            window.insert(try event(ServiceInstance.standard[offset % 3], at: Int64(offset)), at: at(arrival))
        }
        shown += offsets(window.releaseAll())
        #expect(shown == Array(0..<200))
    }
}
