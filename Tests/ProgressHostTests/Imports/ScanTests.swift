import BookstrackContract
import Foundation
import GRDB
import JSONRPC
import NIOCore
import SuiteMethods
import Testing

@testable import ProgressHost

@Suite("Scanning photos")
struct ScanTests {
    private static let declined = PhotoFault(.geminiAPIError, "It declined to read the photo.", isRetryable: false)

    @Test("spines become items, their books become the results, and a book seen twice is counted once")
    func results() async throws {
        let host = try TestHost()
        let job = try host.startScan()
        let worker = try TestWorker(host)
        let socket = try host.watch(token: job.token)
        let step = try #require(try worker.claimPhotos())
        #expect(step.photos.map(\.path) == [host.uploads.path(of: TestHost.jobID, "photo-0")])
        try worker.begin(0, of: step)
        try worker.read(["Dune", "Emma", "Dune"], of: step)
        let items = try worker.claim()
        #expect(items.map(\.query.title) == ["Dune", "Emma", "Dune"])
        #expect(items.map(\.spine?.photo) == [0, 0, 0])
        try worker.find(Array(items.prefix(1)))
        try worker.find(Array(items.dropFirst()), isVerified: false)
        let end = try #require(host.proxy.take(socket).frames.last { $0.type == "job_complete" }?.payload)
        #expect(end["totalDetected"]?.integer == 2)
        #expect(end["approved"]?.integer == 1)
        #expect(end["needs_review"]?.integer == 1)
        #expect(end["metadata"]?["modelUsed"]?.text == "m")
        #expect(end["summary"]?["totalDetected"]?.integer == 2)
        let results = try await host.scanResults.opening(of: TestHost.jobID)
        #expect(results.head.scan?.detected == 2)
        #expect(results.head.scan?.photos.map(\.status) == [.complete])
        let titles = try JSON("[\(String(buffer: results.page.rows))]".utf8).list?.map { $0["title"]?.text }
        #expect(titles == ["Dune", "Emma"])
        #expect(host.hasPhoto())
    }

    @Test("a scan reports no progress while its photo waits to be read, nor if it is cancelled while waiting")
    func waiting() throws {
        let host = try TestHost()
        let job = try host.startScan()
        let socket = try host.watch(token: job.token)
        let old = try host.open(token: job.token, v1: true)
        let back = try host.open(token: job.token, reconnect: true)
        #expect(host.proxy.take(back).frames.first?.payload?["progress"] == .integer(0))
        #expect(try host.state(token: job.token).progress == 0)
        #expect(try host.progress(token: job.token).progress == 0)
        _ = try host.cancel(token: job.token)
        #expect(host.proxy.take(socket).frames.last?.payload?["progress"] == .integer(0))
        #expect(host.proxy.take(old).frames.last?.content?["progress"] == .integer(0))
        #expect(try host.state(token: job.token).progress == 0)
    }

    @Test("a batch's progress counts a book in two photos once, whether or not it was looked up in between")
    func batchProgress() throws {
        let host = try TestHost()
        let job = try host.startScan(photos: 3, isBatch: true)
        let worker = try TestWorker(host)
        let socket = try host.watch(token: job.token)
        let step = try #require(try worker.claimPhotos())
        try worker.read(["Dune", "Emma"], photo: 0, of: step)
        try worker.read(["Dune", "Ulysses"], photo: 1, of: step)
        try worker.find(try worker.claim())
        try worker.read(["Ulysses", "Persuasion"], photo: 2, of: step)
        try worker.find(try worker.claim())
        let frames = host.proxy.take(socket).frames
        let progress = frames.filter { $0.type == "batch-progress" }.compactMap(\.payload)
        #expect(progress.map { $0["booksFound"]?.integer } == [2, 2, 2])
        #expect(progress.map { $0["totalBooksFound"]?.integer } == [2, 3, 4])
        let end = try #require(frames.last { $0.type == "batch-complete" })
        #expect(end.payload?["totalBooks"]?.integer == 4)
        for content in [end.json, end.payload, end.content] { #expect(content?["books"]?.list?.count == 4) }
    }

    @Test("watchers of a batch receive long progress frames as each photo is read, in order with the short ones")
    func longBatchProgress() throws {
        let host = try TestHost()
        let job = try host.startScan(photos: 5, isBatch: true)
        let worker = try TestWorker(host)
        let socket = try host.watch(token: job.token)
        let step = try #require(try worker.claimPhotos())
        _ = host.proxy.take(socket)
        for photo in 0..<3 {
            try worker.read(["Book \(photo)"], photo: photo, of: step)
            host.advance(by: .zero)
            let frames = host.proxy.take(socket).frames
            #expect(frames.map(\.type) == ["batch-progress", "job_progress"])
            #expect(frames.first?.payload?["currentPhoto"]?.integer == photo)
            let length = try #require(frames.first?.bytes.count)
            #expect(length >= FrameEncoding.softLimit)
        }
    }

    @Test("the first connection to a batch receives its start, even if many events have followed")
    func batchStart() throws {
        var policy = HostPolicy()
        policy.eventsKept = 1
        let host = try TestHost(policy)
        let job = try host.startScan(photos: 3, isBatch: true)
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimPhotos())
        for photo in 0..<3 {
            try worker.begin(photo, of: step)
            try worker.read(["Book \(photo)"], photo: photo, of: step)
        }
        let types = host.proxy.take(try host.watch(token: job.token)).types
        #expect(types.contains("batch-init"))
    }

    @Test("progress never decreases, and its status texts are neutral")
    func progress() throws {
        let host = try TestHost()
        let job = try host.startScan()
        let worker = try TestWorker(host)
        let socket = try host.watch(token: job.token)
        let step = try #require(try worker.claimPhotos())
        try worker.begin(0, of: step)
        try worker.read(["Dune", "Emma"], of: step)
        for item in try worker.claim() {
            try worker.find([item])
            host.advance(by: .seconds(1))
        }
        let frames = host.proxy.take(socket).frames.filter { $0.type == "job_progress" }.compactMap(\.payload)
        let progress = frames.compactMap { frame -> Double? in
            switch frame["progress"] {
            case .number(let share)?: share
            case .integer(let share)?: Double(share)
            default: nil
            }
        }
        #expect(progress.count >= 3)
        #expect(progress == progress.sorted())
        #expect(progress.last == 1)
        #expect(frames.allSatisfy { StatusText.isNeutral($0["status"]?.text ?? "") })
    }

    @Test("a photo with no books fails the scan, and a progress frame with the same message precedes the error")
    func noBooks() throws {
        let host = try TestHost()
        let job = try host.startScan()
        let worker = try TestWorker(host)
        let socket = try host.watch(token: job.token)
        let step = try #require(try worker.claimPhotos())
        try worker.read([], of: step)
        let frames = host.proxy.take(socket)
        #expect(frames.story == ["ready_ack", "job_started", "job_progress", "error", "close 1011"])
        let error = frames.frames.last { $0.type == "error" }?.payload
        let progress = frames.frames.last { $0.type == "job_progress" }?.payload
        #expect(progress?["userMessage"]?.text == error?["userMessage"]?.text)
        #expect(progress?["userMessage"]?.text == "No books found. Try a clearer photo with better lighting.")
        #expect(error?["code"]?.text == "E_NO_BOOKS_DETECTED")
        #expect(error?["retryable"]?.flag == false)
        #expect(error?["details"]?["imageSize"]?.integer == 1_000)
    }

    @Test("a scan without a priority waits in only one lane, which depends on the number of spines read so far")
    func lane() throws {
        var policy = HostPolicy()
        policy.interactiveLimit = 2
        let host = try TestHost(policy)
        try host.beginScan(photos: 2, isBatch: true, origin: JobOrigin(client: "c"))
        try host.putPhotos(2)
        try host.noteUpload()
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimPhotos())
        try worker.read(["Dune", "Emma"], photo: 0, of: step)
        #expect(host.dueJobs(in: .high) == 1)
        try worker.read(["Ulysses"], photo: 1, of: step)
        #expect(host.dueJobs(in: .high) == 0)
        #expect(host.dueJobs(in: .normal) == 1)
        #expect(try worker.claim().count == 3)
    }

    @Test("a photo that no engine can read fails the scan with the engine's reason")
    func failed() async throws {
        let host = try TestHost()
        let job = try host.startScan()
        let worker = try TestWorker(host)
        let socket = try host.watch(token: job.token)
        let step = try #require(try worker.claimPhotos())
        try worker.end(0, .failure(Self.declined), of: step)
        let frames = host.proxy.take(socket).frames
        #expect(
            frames.last { $0.type == "job_progress" }?.payload?["status"]?.text
                == "Scan failed (error): It declined to read the photo.")
        #expect(frames.last { $0.type == "error" }?.payload?["code"]?.text == "E_GEMINI_API_ERROR")
        let failure = await #expect(throws: HostFailure.self) {
            try await host.scanResults.opening(of: TestHost.jobID)
        }
        #expect(failure == .scanWithoutResults(TestHost.jobID, .failed, Self.declined))
        let error = try #require(failure).rpc
        #expect(error.detail.code == "NOT_FOUND")
        #expect(error.message == "The scan has no results. It declined to read the photo.")
        let details = try JSON(#require(error.detail.details).readableBytesView)
        #expect(details["status"]?.text == "failed")
        #expect(details["reason"]?.text == "E_GEMINI_API_ERROR")
    }

    @Test("cancelling a scan deletes its photo, and anything that a worker records afterwards is ignored")
    func cancelled() async throws {
        let host = try TestHost()
        let job = try host.startScan()
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimPhotos())
        let outcome = try host.cancel(token: job.token)
        #expect(outcome.cleanup.uploadsDeleted == 1)
        #expect(!host.hasPhoto())
        #expect(try !worker.read(["Dune"], of: step))
        await #expect(throws: HostFailure.scanWithoutResults(TestHost.jobID, .cancelled, nil)) {
            try await host.scanResults.opening(of: TestHost.jobID)
        }
    }

    @Test("a cancelled scan has no results, even if its photo had been read")
    func cancelledAfterReading() async throws {
        let host = try TestHost()
        let job = try host.startScan()
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimPhotos())
        #expect(try worker.read(["Dune"], of: step))
        _ = try host.cancel(token: job.token)
        await #expect(throws: HostFailure.scanWithoutResults(TestHost.jobID, .cancelled, nil)) {
            try await host.scanResults.opening(of: TestHost.jobID)
        }
    }

    @Test("a photo whose worker is lost is handed to another worker, and fails after three losses")
    func lostSteps() throws {
        let host = try TestHost()
        let job = try host.startScan()
        let socket = try host.watch(token: job.token)
        for attempt in 1...3 {
            let worker = try TestWorker(host)
            #expect(try worker.claimPhotos()?.key.attempt == attempt)
            try worker.disconnect()
            host.advance(by: .zero)
        }
        #expect(
            host.proxy.take(socket).frames.last { $0.type == "error" }?.payload?["code"]?.text == "E_AI_SCAN_FAILED")
    }

    @Test("clients' scans are handed out in turns, even if one client has many", arguments: [false, true])
    func turns(secondClientIsLate: Bool) throws {
        let host = try TestHost()
        let worker = try TestWorker(host)
        func start(_ id: String, of client: String) throws {
            try host.startScan(try #require(JobID(id)), origin: JobOrigin(client: client, priority: .normal))
        }
        func readNext() throws -> String {
            let step = try #require(try worker.claimPhotos())
            try worker.read(["Dune"], of: step)
            return step.key.jobId.text
        }
        for number in 0..<10 { try start("first-client-\(number)", of: "first") }
        if !secondClientIsLate { try start("second-client", of: "second") }
        #expect(try readNext() == "first-client-0")
        if secondClientIsLate { try start("second-client", of: "second") }
        #expect(try readNext() == "second-client")
        #expect(try readNext() == "first-client-1")
    }

    @Test("the next scan handed out belongs to the client with the fewest scans being read")
    func fewestFirst() throws {
        let host = try TestHost()
        for number in 0..<2 {
            for client in ["first", "second"] {
                let id = try #require(JobID("\(client)-client-\(number)"))
                try host.startScan(id, origin: JobOrigin(client: client, priority: .normal))
            }
        }
        let (slow, fast) = (try TestWorker(host), try TestWorker(host))
        #expect(try slow.claimPhotos()?.key.jobId.text == "first-client-0")
        let step = try #require(try fast.claimPhotos())
        #expect(step.key.jobId.text == "second-client-0")
        try fast.read(["Dune"], of: step)
        #expect(try fast.claimPhotos()?.key.jobId.text == "second-client-1")
        #expect(try fast.claimPhotos()?.key.jobId.text == "first-client-1")
    }

    @Test("a photo keeps its first outcome, and only the worker that holds its step can record one")
    func repeatedOutcome() throws {
        let host = try TestHost()
        try host.startScan(photos: 2, isBatch: true)
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimPhotos())
        #expect(try worker.read(["Dune"], photo: 0, of: step))
        #expect(try worker.read(["Emma", "Ulysses"], photo: 0, of: step))
        #expect(try worker.claim().map(\.query.title) == ["Dune"])
        #expect(try !TestWorker(host).read(["Emma"], photo: 1, of: step))
    }

    @Test("repeating a start with the same photo returns the same job, and a different photo is refused")
    func repeatedStart() throws {
        let host = try TestHost()
        try host.startScan()
        #expect(try !host.beginScan().needsFile)
        #expect(throws: HostFailure.jobExists(TestHost.jobID, .pending, .photos)) {
            try host.beginScan(sha256: "other")
        }
    }

    @Test("after a restart, a scan continues where it stopped, and photos already read are not read again")
    func restart() throws {
        let host = try TestHost()
        let job = try host.startScan(photos: 2, isBatch: true)
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimPhotos())
        try worker.read(["Dune"], photo: 0, of: step)
        try host.restart()
        let other = try TestWorker(host)
        #expect(try other.claimPhotos()?.photos.map(\.index) == [1])
        #expect(try other.claim().map(\.query.title) == ["Dune"])
        #expect(try host.state(token: job.token).status == .processing)
    }

    @Test("the oldest photos of ended scans are deleted to make room for newer ones, but the scans' results stay")
    func eviction() async throws {
        var policy = HostPolicy()
        // Each photo is 1 000 bytes long.
        policy.photoBytes = 2_500
        let host = try TestHost(policy)
        let worker = try TestWorker(host)
        let ids = (0..<4).map { _ in JobID.random() }
        for id in ids.dropLast() {
            try host.startScan(id)
            try worker.read(["Dune"], of: try #require(try worker.claimPhotos()))
            try worker.find(try worker.claim())
            host.advance(by: .seconds(1))
        }
        // The photo of this scan has not been read yet.
        try host.startScan(ids[3])
        host.advance(by: .seconds(60))
        #expect(ids.map { host.hasPhoto(of: $0) } == [false, true, true, true])
        #expect(try await host.scanResults.opening(of: ids[0]).head.scan?.detected == 1)
    }

    @Test("a scan's photos are deleted together with its results")
    func expiry() throws {
        let host = try TestHost()
        try host.startScan()
        let worker = try TestWorker(host)
        let step = try #require(try worker.claimPhotos())
        try worker.read(["Dune"], of: step)
        try worker.find(try worker.claim())
        host.advance(by: .seconds(3_600))
        #expect(host.hasPhoto())
        host.advance(by: .seconds(86_400))
        host.advance(by: .seconds(60))
        host.advance(by: .seconds(60))
        #expect(!host.hasPhoto())
        let left = try host.pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM spine") }
        #expect(left == 0)
    }

    @Test("a scan that replaces an expired one does not read the old photo", arguments: [false, true])
    func replaced(isSwept: Bool) throws {
        let host = try TestHost()
        try host.startScan()
        let worker = try TestWorker(host)
        try worker.read(["Dune"], of: try #require(try worker.claimPhotos()))
        try worker.find(try worker.claim())
        let now = host.clock.now().wall
        try host.perform { engine, turn in
            try turn.db.execute(sql: "UPDATE job SET expires_at = ?", arguments: [now])
            if isSwept { try engine.removeExpired(TestHost.jobID, turn) }
        }
        #expect(host.hasPhoto())
        #expect(try host.beginScan(sha256: "other").needsFile)
        #expect(!host.hasPhoto())
        host.advance(by: .seconds(2))
        #expect(try worker.claimPhotos() == nil)
        try host.putPhotos()
        try host.noteUpload()
        #expect(try worker.claimPhotos() != nil)
    }
}
