import BookstrackContract
import Foundation
import GRDB
import NIOCore
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Rereading the photos of an ended scan")
struct PhotoRetryTests {
    private static let fault = PhotoFault(.aiScanFailed, "It took too long.", isRetryable: true)

    /// An ended batch of two photos, the second of which could not be read.
    private func endedBatch(_ host: TestHost) throws -> (token: String, worker: TestWorker) {
        let job = try host.startScan(photos: 2, isBatch: true)
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimPhotos())
        try worker.read(["Dune"], photo: 0, of: step)
        try worker.end(1, .failure(Self.fault), of: step)
        try worker.find(try worker.claim())
        #expect(try host.state(token: job.token).status == .completed)
        return (job.token, worker)
    }

    private func titles(_ host: TestHost) async throws -> [String?]? {
        let results = try await host.scanResults.opening(of: TestHost.jobID)
        return try JSON("[\(String(buffer: results.page.rows))]".utf8).list?.map { $0["title"]?.text }
    }

    @Test("a failed photo is read again on request, and its books are added to the results")
    func retry() async throws {
        let host = try TestHost()
        let (token, worker) = try endedBatch(host)
        let before = try await host.scanResults.opening(of: TestHost.jobID).head.resultsRevision
        let outcome = try host.retry(token: token)
        #expect(outcome.status == .completed)
        #expect(outcome.retrying == 1)
        let step = try #require(try worker.claimPhotos())
        #expect(step.photos.map(\.index) == [1])
        try worker.begin(1, of: step)
        try worker.read(["Emma"], photo: 1, of: step)
        #expect(try host.state(token: token).totalCount == 2)
        let items = try worker.claim()
        #expect(items.map(\.query.title) == ["Emma"])
        #expect(items.map(\.spine?.photo) == [1])
        try worker.find(items)
        #expect(try host.state(token: token).successCount == 2)
        let head = try await host.scanResults.opening(of: TestHost.jobID).head
        #expect(head.resultsRevision > before)
        #expect(head.scan?.photos.map(\.status) == [.complete, .complete])
        #expect(head.scan?.approved == 2)
        #expect(try await titles(host) == ["Dune", "Emma"])
        #expect(try worker.claimPhotos() == nil)
    }

    @Test("a scan that has ended stays at 100 % while a photo is read again")
    func progress() throws {
        let host = try TestHost()
        let (token, worker) = try endedBatch(host)
        _ = try host.retry(token: token)
        #expect(try host.state(token: token).progress == 1)
        let step = try #require(try worker.claimPhotos())
        try worker.begin(1, of: step)
        #expect(try host.state(token: token).progress == 1)
        #expect(try host.progress(token: token).progress == 1)
        try worker.read(["Emma"], photo: 1, of: step)
        #expect(try host.state(token: token).progress == 1)
    }

    @Test("a scan whose only photo failed has results only once a retry has read it")
    func failedScan() async throws {
        let host = try TestHost()
        let job = try host.startScan()
        let worker = try TestWorker(host)
        try worker.end(0, .failure(Self.fault), of: #require(try worker.claimPhotos()))
        #expect(try host.retry(token: job.token).retrying == 1)
        await #expect(throws: HostFailure.self) { try await titles(host) }
        try worker.read(["Dune"], of: #require(try worker.claimPhotos()))
        try worker.find(try worker.claim())
        #expect(try await titles(host) == ["Dune"])
    }

    @Test("a restart does not lose a retry, and a photo that fails again keeps its reason")
    func restart() async throws {
        let host = try TestHost()
        let (token, _) = try endedBatch(host)
        _ = try host.retry(token: token)
        try host.restart()
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimPhotos())
        #expect(step.photos.map(\.index) == [1])
        try worker.end(1, .failure(Self.fault), of: step)
        let head = try await host.scanResults.opening(of: TestHost.jobID).head
        #expect(head.scan?.photos.map(\.status) == [.complete, .error])
        #expect(head.scan?.photos.last?.error == Self.fault.message)
        #expect(try await titles(host) == ["Dune"])
    }

    @Test("if an expired scan is replaced while its photo waits to be read again, only the new scan is read")
    func expired() throws {
        let host = try TestHost()
        let job = try host.startScan()
        let worker = try TestWorker(host)
        try worker.end(0, .failure(Self.fault), of: #require(try worker.claimPhotos()))
        #expect(try host.retry(token: job.token).retrying == 1)
        // The sweeper has not removed the job yet.
        let now = host.clock.now().wall
        try host.pool.writeWithoutTransaction { db in
            try db.execute(sql: "UPDATE job SET expires_at = ?", arguments: [now])
        }
        try host.startScan(photos: 2, isBatch: true)
        let step = try #require(try worker.claimPhotos())
        #expect(step.photos.map(\.index) == [0, 1])
        #expect(try worker.claimPhotos() == nil)
    }

    @Test("housekeeping does not delete a photo whose retry was requested in the same turn")
    func eviction() throws {
        var policy = HostPolicy()
        policy.photoBytes = 0
        let host = try TestHost(policy)
        let (token, worker) = try endedBatch(host)
        let outcome = try host.perform(durable: true) { engine, turn in
            try engine.doHousekeeping(turn)
            return try engine.retryFailed(JobAccess(jobId: TestHost.jobID, token: token), turn)
        }
        #expect(outcome.retrying == 1)
        #expect(host.hasPhoto(1))
        #expect(try worker.claimPhotos()?.photos.map(\.index) == [1])
    }

    @Test("a retry on request reads no photo again if none failed")
    func nothing() throws {
        let host = try TestHost()
        let job = try host.startScan()
        let worker = try TestWorker(host)
        try worker.read(["Dune"], of: #require(try worker.claimPhotos()))
        try worker.find(try worker.claim())
        #expect(try host.retry(token: job.token).retrying == 0)
        #expect(try worker.claimPhotos() == nil)
    }

    @Test("a photo whose workers are lost too often during a retry is not read again, and the scan stays ended")
    func lost() throws {
        let host = try TestHost()
        let (token, first) = try endedBatch(host)
        try first.disconnect()
        _ = try host.retry(token: token)
        for _ in 1...3 {
            let worker = try TestWorker(host)
            #expect(try worker.claimPhotos() != nil)
            try worker.disconnect()
            host.advance(by: .zero)
        }
        #expect(try TestWorker(host).claimPhotos() == nil)
        #expect(try host.state(token: token).status == .completed)
    }
}
