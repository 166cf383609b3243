import BookstrackContract
import JSONRPC
import Logging
import NIOCore
import SuiteMethods
import TestSupport
import Testing

@testable import EnrichmentWorker

@Suite("The worker's items, from claim to delivery", .timeLimit(.minutes(2)))
struct HostLinkTests {
    @Test("if the host restarts during lookups, each outcome is delivered exactly once")
    func hostRestart() async throws {
        var options = WorkerRig.Options()
        options.latency = .seconds(2)
        try await WorkerRig.run(options) { rig in
            rig.host.hand(try items(EmulatedProviders.isbns(0..<40).map(BookQuery.isbn)))
            await rig.host.claimed()
            await rig.host.stop()
            try await rig.host.start()
            let deliveries = await rig.host.delivered(40)
            #expect(Set(deliveries.map(\.outcome.key.index)) == Set(0..<40))
            #expect(deliveries.count == 40)
            #expect(rig.host.attached.last?.count == 40)
        }
    }

    @Test("items that the host no longer accepts are dropped at the next attachment")
    func unwanted() async throws {
        var options = WorkerRig.Options()
        options.latency = .seconds(2)
        try await WorkerRig.run(options) { rig in
            let work = try items(EmulatedProviders.isbns(0..<2).map(BookQuery.isbn))
            rig.host.hand(work)
            await rig.host.claimed()
            await rig.host.stop()
            rig.host.forget([work[0].key])
            try await rig.host.start()
            _ = await rig.host.delivered(1)
            rig.host.hand(try items([.isbn("9780441172719")], of: "job-two-2"))
            let keys = await rig.host.delivered(2).map(\.outcome.key)
            #expect(keys.count == 2)
            #expect(!keys.contains(work[0].key))
        }
    }

    @Test("outcomes that the host cannot store are sent again until it accepts them, and the refusal is logged once")
    func storageRefuses() async throws {
        let log = RecordingLog()
        try await WorkerRig.run(.init(logger: log.logger)) { rig in
            rig.host.refuse(2)
            rig.host.hand(try items([.isbn("9780441172719")]))
            #expect(await rig.host.delivered(1).count == 1)
        }
        let reports = log.texts(at: .warning).count { $0 == "progress-host did not accept outcomes; retrying" }
        #expect(reports == 1)
        #expect(log.texts(at: .notice).contains("progress-host accepts outcomes again"))
    }

    @Test("withdrawn jobs are no longer looked up or recorded")
    func withdrawal() async throws {
        var options = WorkerRig.Options()
        options.rate = 2
        options.policy.maxExpectedWait = .zero
        try await WorkerRig.run(options) { rig in
            let isbns = EmulatedProviders.isbns(0..<150)
            let withdrawn = try items(isbns.map(BookQuery.isbn), of: "job-gone-1")
            rig.host.hand(withdrawn)
            _ = await rig.host.delivered(1)
            rig.host.withdraw([withdrawn[0].key.jobId])
            rig.host.hand(try items([.isbn("9780441172719")], of: "job-stay-1"))
            let delivered = await rig.host.delivered { $0.row.isbn == "9780441172719" }
            #expect(delivered.count < 150)
            let log = rig.providers.log
            let place = try #require(log.firstIndex { $0.isbns.contains("9780441172719") })
            #expect(log[place...].allSatisfy { $0.isbns == ["9780441172719"] })
        }
    }

    @Test("an outbox that drops the outcomes of withdrawn jobs wakes the claim loops, which stop while it is full")
    func roomAfterWithdrawal() async throws {
        try await WorkerRig.run { rig in
            try await rig.worker.host.waitUntilConnected(within: .seconds(60))
            let leased = LeasedItems()
            let outbox = OutcomeOutbox(
                host: rig.worker.host, leased: leased, limit: 1, clock: rig.clock,
                logger: Logger(label: "outbox") { _ in SwiftLogNoOpLogHandler() })
            let withdrawn = try items([.isbn("9780441172719")])[0]
            let outcome = ItemOutcome(
                key: withdrawn.key, workClass: withdrawn.workClass, errorCode: nil, title: "", followUp: .none,
                rowLength: 2)
            outbox.add(FinishedItem(id: LeasedItem.ID(number: 1), outcome: outcome, row: ByteBuffer(string: "{}")))
            #expect(!outbox.isFull)
            for await _ in leased.room.wakes(of: .firstLookups) { break }
        }
    }

    @Test("while first lookups are in progress, the worker pauses between claims of follow-ups")
    func precedence() async throws {
        var options = WorkerRig.Options()
        options.policy.laterPause = .seconds(3_600)
        try await WorkerRig.run(options) { rig in
            rig.providers.setFaults(#"[{"kind":"hang"}]"#)
            rig.host.hand(try items([.isbn("9780441172719")]))
            await rig.host.claimed()
            rig.host.hand(try items([.isbn("damaged")], of: "job-later-1", as: .followUp))
            _ = await rig.host.delivered(1)
            rig.host.hand(try items([.isbn("damaged")], of: "job-two-2"))
            _ = await rig.host.delivered(2)
            await rig.host.claimed()
            #expect(rig.host.isClaimed(.firstLookups))
            #expect(!rig.host.isClaimed(.later))
        }
    }

    @Test("a stopping worker hands back its unfinished items")
    func release() async throws {
        try await WorkerRig.run { rig in
            rig.providers.setFaults(#"[{"kind":"hang"}]"#)
            let work = try items([.isbn("9780441172719")])
            rig.host.hand(work)
            await rig.host.claimed()
            await rig.worker.stop()
            #expect(rig.host.released == [work[0].key])
            #expect(rig.host.deliveries.isEmpty)
        }
    }

    @Test("work facts that do not arrive in time cause a follow-up")
    func followUp() async throws {
        var options = WorkerRig.Options()
        options.rate = 20
        options.policy.maxExpectedWait = .zero
        try await WorkerRig.run(options) { rig in
            let queries = EmulatedProviders.isbns(0..<50).map(BookQuery.isbn)
            rig.host.hand(try items(queries))
            let first = await rig.host.delivered(50)
            #expect(first.contains { $0.outcome.followUp == .soon })
            let open = first.filter { $0.outcome.followUp == .soon }
            #expect(open.allSatisfy { $0.row.success && $0.row.enriched?.work.firstPublicationYear == nil })
            let work = open.map {
                ClaimedItem(
                    key: $0.outcome.key, query: .isbn($0.row.isbn ?? ""), workClass: .followUp, attempts: 0)
            }
            rig.host.hand(work)
            let second = await rig.host.delivered(50 + work.count).dropFirst(50)
            #expect(second.allSatisfy { $0.row.enriched?.work.firstPublicationYear != nil })
            #expect(second.allSatisfy { $0.outcome.workClass == .followUp && $0.outcome.followUp == .soon })
        }
    }

    @Test("a short job does not wait for a long one, and the ISBNs of both share a request")
    func fairness() async throws {
        var options = WorkerRig.Options()
        options.rate = 5
        try await WorkerRig.run(options) { rig in
            let long = try items(EmulatedProviders.isbns(0..<150).map(BookQuery.isbn), of: "job-long-1")
            let short = try items(EmulatedProviders.isbns(150..<160).map(BookQuery.isbn), of: "job-short-1")
            rig.host.hand(long + short)
            _ = await rig.host.delivered(160)
            let requests = rig.providers.log.filter { $0.path.hasPrefix("/api/books") }
            let wanted = Set(EmulatedProviders.isbns(150..<160))
            let place = try #require(requests.lastIndex { !wanted.isDisjoint(with: $0.isbns) })
            #expect(place <= 2, "the short job's ISBNs were in request \(place + 1) of \(requests.count)")
            #expect(requests[place].isbns.count == 25)
        }
    }

    @Test("a small job's ISBN does not wait for another job's pending request")
    func hangingRequest() async throws {
        try await WorkerRig.run { rig in
            let isbns = EmulatedProviders.isbns(0..<2)
            rig.providers.setFaults(#"[{"provider":"openlibrary","isbn":"\#(isbns[0])","kind":"hang"}]"#)
            rig.host.hand(try items([.isbn(isbns[0])], of: "job-small-1"))
            try await until { rig.providers.inFlight > 0 }
            rig.host.hand(try items([.isbn(isbns[1])], of: "job-small-2"))
            #expect(try await rig.onlyRow().isbn == isbns[1])
            #expect(rig.providers.log.count { $0.path.hasPrefix("/api/books") } == 2)
        }
    }

    @Test("an ISBN that many items share is requested once")
    func singleFlight() async throws {
        var options = WorkerRig.Options()
        options.policy.gathering = .seconds(1)
        try await WorkerRig.run(options) { rig in
            rig.host.hand(
                try items([BookQuery](repeating: .isbn("9780441172719"), count: 20), of: "job-same-1")
                    + items([BookQuery](repeating: .isbn("0441172717"), count: 20), of: "job-same-2"))
            #expect(await rig.host.delivered(40).allSatisfy { $0.row.success })
            #expect(rig.providers.log.count == 2)
        }
    }
}
