import HTTPTypes
import Logging
import Testing

@testable import Observability

@Suite("The tail hub")
struct TailHubTests {
    private func entry(_ number: Int) -> TailEntry {
        TailEntry(LoggedLine(time: Int64(number), level: .info, message: "\(number)", metadata: [:]))
    }

    private func times(_ batch: TailBatch) -> [Int64] { batch.entries.map(\.time) }

    @Test("the hub returns the entries after a given number, oldest first")
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

    @Test("the hub reports to a slow follower how many entries it missed")
    func missed() {
        let hub = TailHub(capacity: 4)
        for number in 1...11 { hub.publish(entry(number)) }
        let batch = hub.entries(after: 2, atMost: 100)
        #expect(times(batch) == [8, 9, 10, 11])
        #expect(batch.missed == 5)
        #expect(hub.newest == 11)
    }

    @Test("routine events do not displace other events in the hub, and followers can request them separately")
    func routine() throws {
        let hub = TailHub(capacity: 4)
        hub.publish(entry(1))
        for _ in 0..<100 { hub.publish(Self.call("service.health")) }
        for _ in 0..<2 { hub.publish(Self.call("jobs.create")) }
        #expect(hub.newest == 3)
        #expect(hub.entries(after: 0, atMost: 10).missed == 0)
        #expect(try #require(hub.routine).newest == 100)
    }

    @Test(
        "successful health, status, metrics and settings reads, claims and tails are routine; failed or other calls are not"
    )
    func isRoutine() {
        for method in [
            "service.health", "service.status", "service.metrics", "service.settings", "tail.subscribe", "work.claim",
            "imports.claim", "scans.claim", "webhooks.claim",
        ] {
            #expect(Self.call(method).isRoutine)
        }
        #expect(!Self.call("service.health", .error).isRoutine)
        #expect(!Self.call("work.claim", .error).isRoutine)
        #expect(!Self.call("work.record").isRoutine)
        #expect(!Self.call("jobs.create").isRoutine)
        for target in ["/health", "/health/live", "/health/ready?x=1", "/metrics"] {
            #expect(Self.request(target).isRoutine)
        }
        #expect(!Self.request("/health/ready", .error).isRoutine)
        #expect(!Self.request("/v1/search/isbn?isbn=1").isRoutine)
        #expect(!Self.request("/healthy").isRoutine)
    }

    private static func call(_ method: String, _ outcome: TailOutcome = .ok) -> TailEntry {
        TailEntry(.rpc(.init(method: method, peerPID: 1, code: nil)), of: Activity(TraceContext()), outcome)
    }

    private static func request(_ target: String, _ outcome: TailOutcome = .ok) -> TailEntry {
        TailEntry(
            .request(.init(method: "GET", target: target, fields: { [:] }, status: 200, address: { nil })),
            of: Activity(TraceContext()), outcome)
    }

    @Test("the hub wakes waiting followers")
    func waiting() async {
        let hub = TailHub(capacity: 4)
        async let more: Void = hub.more(after: 0)
        hub.publish(entry(1))
        await more
        await hub.more(after: 0)
        #expect(hub.newest == 1)
    }
}
