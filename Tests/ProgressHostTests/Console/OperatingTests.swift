import BookstrackContract
import GRDB
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Operator actions and the audit log")
struct OperatingTests {
    private static let actor = Actor(address: "192.0.2.1", session: "abcd")

    private func operate(
        _ host: TestHost, _ action: OperateJob.Action, _ id: JobID = TestHost.jobID, priority: JobPriority? = nil
    ) throws -> OperateJob.Result {
        let parameters = OperateJob.Parameters(jobId: id, action: action, priority: priority, actor: Self.actor)
        return try host.perform(durable: true) { engine, turn in try engine.operate(parameters, turn) }
    }

    private func audit(_ host: TestHost, _ parameters: ReadAudit.Parameters = .init()) throws -> ReadAudit.Result {
        try host.pool.read { try AuditStore(db: $0).page(parameters) }
    }

    @Test("a job is cancelled without its token, and the audit log records who cancelled it")
    func cancel() throws {
        let host = try TestHost()
        try host.create(books: 3)
        let result = try operate(host, .cancel)
        #expect(result == OperateJob.Result(status: .cancelled, outcome: "Job cancelled"))
        let entry = try #require(try audit(host).entries.first)
        #expect(entry.actor == Self.actor)
        #expect(entry.action == "cancel")
        #expect(entry.subject == TestHost.jobID.text)
        #expect(entry.outcome == "Job cancelled")
        #expect(entry.at == host.clock.now().wall)
    }

    @Test("failed items are retried, and a second retry within a minute is refused and not recorded")
    func retry() throws {
        let host = try TestHost()
        try host.create(books: 2)
        let worker = try TestWorker(host)
        try worker.record(try worker.claim(), error: .notFound)
        #expect(try operate(host, .retry).outcome == "Retrying failed items: 2")
        #expect(throws: HostFailure.self) { try operate(host, .retry) }
        #expect(try audit(host).entries.map(\.action) == ["retry"])
        #expect(try worker.claim().count == 2)
    }

    @Test("the outcome of retrying a scan counts photos as photos")
    func retryScan() throws {
        let host = try TestHost()
        try host.startScan(photos: 2, isBatch: true)
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimPhotos())
        try worker.read(["Dune"], photo: 0, of: step)
        try worker.end(1, .failure(PhotoFault(.aiScanFailed, "It took too long.", isRetryable: true)), of: step)
        try worker.find(try worker.claim())
        #expect(try operate(host, .retry).outcome == "Retrying failed photos and books: 1")
    }

    @Test("the items of a job that is given high priority are handed out first, even after a restart")
    func prioritize() throws {
        let host = try TestHost()
        let other = try #require(JobID("another-job"))
        try host.create(other, books: 20, origin: JobOrigin(client: "a"))
        try host.create(books: 20, origin: JobOrigin(client: "b", priority: .low))
        #expect(try operate(host, .prioritize, priority: .high).outcome == "Priority is high")
        try host.restart()
        let worker = try TestWorker(host)
        #expect(try worker.claim(limit: 1).first?.key.jobId == TestHost.jobID)
        #expect(try audit(host).entries.map(\.action) == ["prioritize high"])
    }

    @Test("changing a priority back and forth neither loses a book nor hands one out twice")
    func backAndForth() throws {
        let host = try TestHost()
        try host.create(books: 10)
        for priority in [JobPriority.low, .high, .low, .normal] {
            _ = try operate(host, .prioritize, priority: priority)
        }
        let worker = try TestWorker(host)
        let claimed = try worker.claim()
        #expect(claimed.map(\.key.index).sorted() == Array(0..<10))
        try worker.record(claimed)
        #expect(throws: HostFailure.jobIsOver(TestHost.jobID)) { try operate(host, .prioritize, priority: .high) }
    }

    @Test("an action on an unknown job or a priority change with no value is refused, and nothing is recorded")
    func refusals() throws {
        let host = try TestHost()
        for action in OperateJob.Action.allCases {
            #expect(throws: HostFailure.noJob(TestHost.jobID)) { try operate(host, action, priority: .low) }
        }
        try host.create(books: 1)
        #expect(throws: HostFailure.self) { try operate(host, .prioritize) }
        #expect(try audit(host).entries == [])
    }

    @Test(
        "an action and its audit entry share one transaction, so if the entry cannot be written, the action fails too")
    func together() throws {
        let host = try TestHost()
        try host.create(books: 1)
        try host.restart(
            refusing: "CREATE TEMP TRIGGER refuse BEFORE INSERT ON audit BEGIN SELECT raise(ABORT, 'no'); END")
        #expect(throws: (any Error).self) { try operate(host, .cancel) }
        let status = try host.pool.read { try JobStore(db: $0).job(TestHost.jobID, at: 0)?.status }
        #expect(status == .pending)
    }

    @Test("pages of the audit log contain each entry once, newest first, and can be limited to one job")
    func pages() throws {
        let host = try TestHost()
        try host.pool.write { db in
            for number in 1...5 {
                try AuditStore(db: db).append(
                    at: Int64(number), Self.actor, "login", number == 2 ? TestHost.jobID.text : nil,
                    outcome: "\(number)")
            }
        }
        let first = try audit(host, .init(limit: 2))
        #expect(first.entries.map(\.outcome) == ["5", "4"])
        #expect(first.hasMore)
        let rest = try audit(host, .init(limit: 3, before: first.entries.last?.number))
        #expect(rest.entries.map(\.outcome) == ["3", "2", "1"])
        #expect(!rest.hasMore)
        #expect(try audit(host, .init(jobId: TestHost.jobID)).entries.map(\.outcome) == ["2"])
        #expect(throws: HostFailure.self) { try audit(host, .init(limit: 0)) }
    }

    @Test("the audit log keeps a limited number of the newest entries, and truncates long strings")
    func bounds() throws {
        let host = try TestHost()
        try host.pool.write { db in
            for number in 1...250 {
                try AuditStore(db: db).append(
                    at: Int64(number), Self.actor, "login", nil, outcome: String(repeating: "x", count: 1_000),
                    limit: 50)
            }
        }
        let entries = try audit(host, .init(limit: 200)).entries
        #expect(entries.first?.at == 250)
        #expect(entries.count == 100)
        #expect(entries.allSatisfy { $0.outcome.count == 300 })
    }

    @Test("failed logins displace older failed logins, but no other entries")
    func failedLogins() throws {
        let host = try TestHost()
        let stranger = Actor(address: "203.0.113.9", session: nil)
        try host.pool.write { db in
            let audit = AuditStore(db: db)
            for action in ["login", "cancel"] {
                try audit.append(at: 0, Self.actor, action, nil, outcome: "", limit: 50, failedLogins: 10)
            }
            for number in 1...298 {
                try audit.append(at: Int64(number), stranger, "login", nil, outcome: "", limit: 50, failedLogins: 10)
            }
        }
        let entries = try audit(host, .init(limit: 200)).entries
        #expect(entries.map(\.at) == (289...298).reversed() + [0, 0])
    }
}
