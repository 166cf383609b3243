import BookstrackContract
import Foundation
import GRDB
import JSONRPC
import NIOConcurrencyHelpers
import NIOPosix
import Observability
import ServiceKit
import SuiteMethods
import SuiteStorage
import Testing
@testable import ProgressHost

/// A database that cannot be opened at startup (jobs.md "Durability").
@Suite("Starting without a database")
struct StorageOutageTests {
    private let health = HealthReporter(logger: LiveHost.silent)

    private func withDirectory(_ body: (URL) async throws -> Void) async throws {
        let directory = URL(filePath: "/tmp/po-\(UUID().uuidString.prefix(12))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try await body(directory)
    }

    private func failure(_ directory: URL) throws -> any Error {
        try #require(#expect(throws: (any Error).self) { try JobDatabase(directory: directory) })
    }

    @Test("if the database is damaged, health checks report the reason and new jobs are refused")
    func answers() async throws {
        try await withDirectory { directory in
            try Data(
                "this is no database, but longer than a header of one\n".utf8 + [UInt8](repeating: 7, count: 8_192)
            )
            .write(to: directory.appending(path: "jobs.sqlite"))
            let outage = try #require(StorageOutage(try failure(directory), health: health))
            let path = directory.appending(path: "host.sock").path
            let server = try await RPCServer.bind(
                path: path,
                router: outage.router(tail: TailHub(), metrics: ServerMetrics(.progressHost, MetricRegistry())),
                allowedUIDs: [getuid()],
                group: MultiThreadedEventLoopGroup.singleton, logger: LiveHost.silent)
            let client = RPCClient(
                path: path, router: RPCRouter(), group: MultiThreadedEventLoopGroup.singleton, logger: LiveHost.silent)
            let running = Task { await client.run() }
            try await client.waitUntilConnected(within: .seconds(20))
            let readiness = try await client.call(HealthCheck.self, Nothing()).readiness
            #expect(readiness.status == .unavailable)
            #expect(readiness.dependencies?.first?.reason == "the database is damaged")
            let refusal = await #expect(throws: RPCError.self) {
                try await client.call(
                    CreateJob.self,
                    .init(
                        jobId: TestHost.jobID, pipeline: .batchEnrichment, digest: "d",
                        items: [BookQuery(title: "Dune")]))
            }
            #expect(refusal.map { "\($0)" }?.contains("the database is damaged") == true)
            await client.shutdown()
            await running.value
            await server.shutdown()
        }
    }

    @Test("the host keeps trying to open the database until it succeeds")
    func opensAgain() async throws {
        try await withDirectory { directory in
            let missing = directory.appending(path: "data")
            let outage = try #require(StorageOutage(try failure(missing), health: health))
            #expect(health.readiness.status == .unavailable)
            let pauses = NIOLockedValueBox(0)
            let database = try await outage.over {
                let count = pauses.withLockedValue { count in
                    count += 1
                    return count
                }
                if count == 3 {
                    try FileManager.default.createDirectory(at: missing, withIntermediateDirectories: true)
                }
            } open: {
                try JobDatabase(directory: missing)
            }
            #expect(pauses.withLockedValue { $0 } == 3)
            try database.close()
        }
    }

    @Test(
        "the host does not wait for a database with another owner or too new a schema, even if it was already waiting"
    )
    func noWaiting() async throws {
        try await withDirectory { directory in
            let owner = try JobDatabase(directory: directory)
            #expect(StorageOutage(try failure(directory), health: health) == nil)
            let outage = try #require(
                StorageOutage(DatabaseError(resultCode: .SQLITE_FULL), health: health))
            await #expect(throws: OwnerLock.Refusal.self) {
                _ = try await outage.over(pause: {}, open: { try JobDatabase(directory: directory) })
            }
            try owner.close()
            #expect(StorageOutage(JobSchema.Refusal.tooNew(minReader: 9), health: health) == nil)
        }
    }
}

/// A separate file system that can be filled: a small tmpfs, which only root can mount.
struct SmallDisk: ~Copyable {
    let directory: URL
    private let filler: URL

    init(megabytes: Int) throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID().uuidString)")
        filler = directory.appending(path: "filler")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        guard mount("tmpfs", directory.path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
            throw CocoaError(.featureUnsupported)
        }
    }

    static let canBeMade: Bool = {
        guard getuid() == 0 else { return false }
        return (try? SmallDisk(megabytes: 1)) != nil
    }()

    deinit {
        umount2(directory.path, Int32(MNT_DETACH))
        try? FileManager.default.removeItem(at: directory)
    }

    /// Writes until the disk is full.
    func fill() throws {
        let descriptor = open(filler.path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(descriptor) }
        let block = [UInt8](repeating: 1, count: 4_096)
        while write(descriptor, block, block.count) > 0 {}
    }

    func free() throws { try FileManager.default.removeItem(at: filler) }
}

@Suite("Full disk", .enabled(if: SmallDisk.canBeMade, "mounting a small tmpfs needs root"))
struct FullDiskTests {
    @Test(
        "a host with a full disk refuses new jobs and outcomes, serves sockets and reads, and recovers without a restart"
    )
    func fullDisk() throws {
        let disk = try SmallDisk(megabytes: 8)
        let host = try TestHost(in: disk.directory.appending(path: "data"))
        let job = try host.create(books: 3)
        let worker = try TestWorker(host)
        let items = try worker.claim()
        let socket = try host.watch(token: job.token)
        try disk.fill()
        let books = (0..<500).map { BookQuery(title: "Book \($0)" + String(repeating: "x", count: 200)) }
        #expect(throws: HostFailure.self) { try host.create(JobID("other-job")!, books) }
        guard case .refusing = host.reports.last else {
            Issue.record("storage does not refuse writes")
            return
        }
        #expect(throws: HostFailure.self) { try worker.record(items) }
        #expect(try host.state(token: job.token).status == .processing)
        host.advance(by: .seconds(10))
        #expect(host.proxy.take(socket).close == nil)
        try disk.free()
        host.advance(by: .seconds(1))
        #expect(host.reports.last == .working)
        try worker.record(items)
        #expect(host.proxy.take(socket).story.suffix(2) == ["job_complete", "close 1000"])
        #expect(try host.create(JobID("other-job")!, books).totalCount == 500)
        try host.restart()
        #expect(try host.state(token: job.token).successCount == 3)
    }
}
