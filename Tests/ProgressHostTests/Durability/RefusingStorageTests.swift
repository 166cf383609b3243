import BookstrackContract
import GRDB
import JSONRPC
import NIOCore
import SuiteMethods
import Testing

@testable import ProgressHost

/// A full disk, a read-only database and unreadable jobs (jobs.md "Durability"), simulated on the writing connection, and other errors in a group.
@Suite("Storage failures and failed groups")
struct RefusingStorageTests {
    enum Trouble: CaseIterable {
        case full
        case readOnly

        var begin: String {
            switch self {
            case .full: "PRAGMA max_page_count = 1"
            case .readOnly: "PRAGMA query_only = 1"
            }
        }

        var end: String {
            switch self {
            case .full: "PRAGMA max_page_count = 4294967294"
            case .readOnly: "PRAGMA query_only = 0"
            }
        }

        var reason: String {
            switch self {
            case .full: "the disk is full"
            case .readOnly: "the database is read-only"
            }
        }
    }

    private func pragma(_ sql: String, _ host: TestHost) throws {
        try host.pool.writeWithoutTransaction { _ = try Row.fetchAll($0, sql: sql) }
    }

    /// More data than the existing pages can hold.
    private static let large = (0..<2_000).map { BookQuery(title: "Book \($0) " + String(repeating: "x", count: 200)) }

    @Test(
        "new jobs are refused with the reason, reads continue, and the host recovers without a restart",
        arguments: Trouble.allCases)
    func refusal(trouble: Trouble) throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        try pragma(trouble.begin, host)
        let other = JobID("other-job")!
        #expect(throws: HostFailure.storage(trouble.reason)) { try host.create(other, Self.large) }
        #expect(host.reports.last == .refusing(reason: trouble.reason))
        #expect(HostFailure.storage(trouble.reason).rpc.detail.code == "SERVICE_UNAVAILABLE")
        #expect(HostFailure.storage(trouble.reason).rpc.detail.retryAfterSeconds != nil)
        #expect(throws: HostFailure.storage(trouble.reason)) { try worker.record([items[0]]) }
        // Stored data stays readable, and sockets are served.
        #expect(try host.state(token: job.token).status == .processing)
        let socket = try host.watch(token: job.token)
        #expect(host.proxy.take(socket).types == ["ready_ack", "job_started"])
        host.advance(by: .seconds(40))
        #expect(host.proxy.take(socket).types.contains("ping"))
        #expect(host.reports.last == .refusing(reason: trouble.reason))
        try pragma(trouble.end, host)
        host.advance(by: .seconds(1))
        #expect(host.reports.last == .working)
        try worker.record(items)
        #expect(host.proxy.take(socket).story.suffix(2) == ["job_complete", "close 1000"])
        #expect(try host.create(other, Self.large).status == .pending)
    }

    @Test("after a failed transaction, the job, its leases and its sockets are in the state that they had before it")
    func memoryFollows() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        let worker = try TestWorker(host)
        let items = try worker.claim(limit: 1)
        let socket = try host.watch(token: job.token)
        host.proxy.skipAll()
        let state = try host.state(token: job.token)
        try pragma(Trouble.readOnly.begin, host)
        #expect(throws: HostFailure.self) { try worker.record(items) }
        #expect(host.proxy.take(socket).isEmpty)
        #expect(try host.state(token: job.token) == state)
        #expect(host.leasedItems(ofJob: 1) == 1)
        try pragma(Trouble.readOnly.end, host)
        host.advance(by: .seconds(1))
        #expect(Set(try worker.claim().map(\.key.index)) == [1, 2])
        try worker.record(items)
        #expect(host.proxy.take(socket).seqs == [state.lastSeq + 1])
    }

    @Test(
        "every caller in a failed group receives exactly one response, and callers that only read receive their results"
    )
    func answers() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        try pragma(Trouble.readOnly.begin, host)
        let token = job.token
        let read = host.command(writes: false) { engine, turn in
            try engine.state(JobAccess(jobId: TestHost.jobID, token: token), turn)
        }
        let write = host.command(durable: true) { engine, turn in
            try engine.cancel(JobAccess(jobId: TestHost.jobID, token: token), turn)
        }
        let wrong = host.command { engine, turn in
            try engine.state(JobAccess(jobId: TestHost.jobID, token: "wrong"), turn)
        }
        host.group([read.command, write.command, wrong.command])
        #expect(read.answer.count == 1)
        #expect(write.answer.count == 1)
        #expect(wrong.answer.count == 1)
        #expect(try read.answer.value().status == .pending)
        #expect(throws: HostFailure.storage("the database is read-only")) { try write.answer.value() }
    }

    @Test("a command that is refused while storage recovers still receives a response")
    func refusedDuringTheProbe() throws {
        let host = try TestHost()
        try pragma(Trouble.readOnly.begin, host)
        #expect(throws: HostFailure.self) { try host.create(books: 3) }
        try pragma(Trouble.readOnly.end, host)
        host.clock.move(by: .seconds(1))
        #expect(throws: HostFailure.storage("the database is read-only")) { try host.create(books: 3) }
        #expect(try host.create(books: 3).status == .pending)
    }

    @Test("timers in a failed group are set again, so housekeeping, deadlines, heartbeats and leases continue")
    func timers() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        let worker = try TestWorker(host)
        try worker.record([try worker.claim()[0]])
        try worker.release([ItemKey(jobId: job.jobId, index: 1)])
        let socket = try host.watch(token: job.token)
        try pragma(Trouble.readOnly.begin, host)
        host.clock.move(by: .seconds(31))
        #expect(throws: HostFailure.self) { try host.create(JobID("other-job")!, books: 3) }
        host.advance(by: .seconds(5))
        try pragma(Trouble.readOnly.end, host)
        host.advance(by: .seconds(2))
        for timer in [
            EngineTimer.housekeeping, .deadlines, .leases, .keepAlive(job: 1),
            .socket(SocketKey(peer: host.proxy.id, socket: socket)),
        ] {
            #expect(host.isSet(timer), "\(timer)")
        }
        host.advance(by: .seconds(120))
        #expect(try worker.claim().count == 2)
    }

    @Test(
        "a job's end or cancellation that could not be written is written when storage recovers",
        arguments: [true, false])
    func steps(cancels: Bool) throws {
        let host = try TestHost()
        let job = try host.create(books: 1)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        let socket = try host.watch(token: job.token)
        host.proxy.skipAll()
        if cancels {
            try pragma(Trouble.readOnly.begin, host)
            try host.say(#"{"type":"cancel"}"#, on: socket)
        } else {
            try worker.recordWithoutSteps(items)
            try pragma(Trouble.readOnly.begin, host)
            host.settle()
        }
        #expect(host.proxy.take(socket).close == nil)
        host.advance(by: .seconds(3))
        #expect(host.proxy.take(socket).close == nil)
        try pragma(Trouble.readOnly.end, host)
        host.advance(by: .seconds(1))
        #expect(host.proxy.take(socket).story.last == (cancels ? "close 1001" : "close 1000"))
    }

    @Test("a claim that is waiting when storage refuses writes receives an error and leases no items")
    func claims() throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        let waiting = worker.ask()
        try pragma(Trouble.readOnly.begin, host)
        #expect(throws: HostFailure.self) { try host.create(books: 3) }
        #expect(waiting.count == 1)
        #expect(throws: HostFailure.storage("the database is read-only")) { try waiting.value() }
        let refused = worker.ask()
        #expect(throws: HostFailure.storage("the database is read-only")) { try refused.value() }
        try pragma(Trouble.readOnly.end, host)
        host.advance(by: .seconds(1))
        try host.create(books: 3)
        #expect(try worker.claim().count == 3)
        #expect(waiting.count == 1)
        #expect(refused.count == 1)
    }

    @Test("a socket that closes and a peer that disconnects are removed, even if their group fails")
    func facts() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        let worker = try TestWorker(host)
        _ = try worker.claim()
        let socket = try host.watch(token: job.token)
        try pragma(Trouble.readOnly.begin, host)
        let key = SocketKey(peer: host.proxy.id, socket: socket), peer = worker.link.id
        let closed = host.command(writes: false) { engine, _ in engine.streams.forget(key) }
        let gone = host.command(writes: false) { engine, _ in engine.disconnected(peer) }
        let write = host.command { engine, turn in
            try engine.create(
                JobID("other-job")!, pipeline: .batchEnrichment, digest: "d", items: [BookQuery(title: "x")],
                origin: .peer, turn
            ).jobId
        }
        host.group([closed.command, write.command, gone.command])
        #expect(host.openSockets == 0)
        #expect(host.attachedWorkers == 0)
        #expect(host.leasedItems == 0)
    }

    @Test("a peer that disconnects is removed, even if another command of its group cannot read the database")
    func factBesideFault() throws {
        struct Fault: Error {}
        let host = try TestHost()
        try host.create(books: 3)
        let worker = try TestWorker(host)
        _ = try worker.claim()
        let peer = worker.link.id
        let (unreadable, answer) = host.command(writes: false) { _, _ -> Int in throw Fault() }
        var gone = host.command(writes: false) { engine, _ in engine.disconnected(peer) }.command
        gone.isFact = true
        host.group([unreadable, gone])
        #expect(throws: HostFailure.storage("an internal error")) { try answer.value() }
        #expect(host.attachedWorkers == 0)
        #expect(host.leasedItems == 0)
    }

    @Test("an error that storage did not cause fails only its own group")
    func otherFaults() throws {
        struct Fault: Error {}
        let host = try TestHost()
        #expect(throws: HostFailure.storage("an internal error")) { try host.perform { _, _ in throw Fault() } }
        #expect(host.storage == .working)
        #expect(try host.create(books: 3).status == .pending)
    }

    private static let hideImports = "ALTER TABLE import RENAME TO hidden_import"
    private static let showImports = "ALTER TABLE hidden_import RENAME TO import"

    @Test("a host that cannot read all jobs refuses writes and keeps uploads until it can read them")
    func startsUnreadable() throws {
        let host = try TestHost()
        let begun = try host.startImport()
        try host.restart(refusing: Self.hideImports)
        host.advance(by: .seconds(60))
        #expect(host.storage != .working)
        #expect(host.reports.last == host.storage)
        #expect(throws: HostFailure.self) { try host.create(JobID("other-job")!, books: 1) }
        #expect(host.uploads.hasFile(UploadFolder.libraryFile, of: TestHost.jobID))
        try host.pool.writeWithoutTransaction { try $0.execute(sql: Self.showImports) }
        host.advance(by: .seconds(1))
        #expect(host.reports.last == .working)
        #expect(try TestWorker(host).claimFile() != nil)
        #expect(try host.state(token: begun.token).status == .processing)
    }

    @Test("if the jobs cannot be read again after a failed group, writes are refused until they can be read")
    func becomesUnreadable() throws {
        struct Fault: Error {}
        let host = try TestHost()
        try host.startImport()
        try host.pool.writeWithoutTransaction { try $0.execute(sql: Self.hideImports) }
        #expect(throws: HostFailure.self) { try host.perform { _, _ in throw Fault() } }
        #expect(host.storage != .working)
        #expect(host.reports.last == host.storage)
        host.advance(by: .seconds(60))
        #expect(host.uploads.hasFile(UploadFolder.libraryFile, of: TestHost.jobID))
        try host.pool.writeWithoutTransaction { try $0.execute(sql: Self.showImports) }
        host.advance(by: .seconds(1))
        #expect(host.storage == .working)
        #expect(try TestWorker(host).claimFile() != nil)
    }

    @Test(
        "a host that starts while storage refuses writes serves reads, and raises sequence numbers once it can write"
    )
    func startsRefusing() throws {
        let host = try TestHost()
        let job = try host.create(books: 3)
        _ = try TestWorker(host).claim()
        let before = try host.state(token: job.token).lastSeq
        try host.restart(boot: "second boot", refusing: Trouble.readOnly.begin)
        #expect(host.storage == .refusing(reason: "the database is read-only"))
        #expect(try host.state(token: job.token).lastSeq == before)
        try pragma(Trouble.readOnly.end, host)
        host.advance(by: .seconds(1))
        #expect(try host.state(token: job.token).lastSeq == before + 1_000)
        #expect(host.isSet(.housekeeping))
    }

    @Test(
        "a host that cannot write or read its storage at first reserves items for returning workers once it can",
        arguments: [(Trouble.readOnly.begin, Trouble.readOnly.end), (Self.hideImports, Self.showImports)])
    func reservesLater(begin: String, end: String) throws {
        let host = try TestHost(grace: .seconds(1))
        try host.create(JobID("other-job")!, books: 6)
        try host.startImport()
        let slow = try TestWorker(host)
        let held = try slow.claim(limit: 2).map(\.key)
        try host.restart(refusing: begin)
        host.advance(by: .seconds(3))
        let quick = try TestWorker(host)
        try host.pool.writeWithoutTransaction { try $0.execute(sql: end) }
        host.advance(by: .seconds(1))
        #expect(host.storage == .working)
        let claim = quick.ask()
        #expect(claim.count == 0)
        #expect(try slow.attach(holding: held).isEmpty)
        host.advance(by: .seconds(1))
        #expect(try claim.value().items.map(\.key.index).sorted() == Array(2..<6))
    }
}
