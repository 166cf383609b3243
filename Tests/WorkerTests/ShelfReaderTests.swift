import BookstrackContract
import Engines
import Foundation
import Logging
import Observability
import ProviderClient
import ServiceKit
import SuiteMethods
import TestSupport
import Testing
import Transfer

@testable import EnrichmentWorker

@Suite("The shelf reader", .timeLimit(.minutes(1)))
struct ShelfReaderTests {
    /// Runs `body` with a worker whose shelf reader responds to every photo with this status and content.
    private func withReader(
        status: Int = 200, _ content: String, engines: Set<EngineName> = [.reader],
        _ body: (WorkerRig, FaultServer) async throws -> Void
    ) async throws {
        let directory = try WorkerRig.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let answer = try JSONSerialization.data(
            withJSONObject: ["choices": [["finish_reason": "stop", "message": ["content": content]]]])
        let photo = Array(status == 200 ? answer : Data(content.utf8))
        try await FaultServer.with(at: WorkerRig.readerSocket(in: directory)) { path, _ in
            path == "/v1/models" ? FaultStep.answer(body: []) : FaultStep.answer(status, body: photo)
        } _: { server in
            try await WorkerRig.run(.init(engines: engines, directory: directory)) { try await body($0, server) }
        }
    }

    /// The result of reading a new photo. `reconnectTimeout` is how long it may wait for an unreachable reader.
    private func read(
        _ rig: WorkerRig, _ image: SampleImage = .jpeg, reconnectTimeout: Duration = .seconds(60)
    ) async throws -> Result<PhotoReading, PhotoFault> {
        let path = rig.directory + "/photo-\(UUID().uuidString)"
        // Random bytes make each JPEG a different photo; a HEIC file, which consists of boxes to its end, cannot have any.
        let rest = image == .heic ? [] : Array(UUID().uuidString.utf8)
        try Data(image.file + rest).write(to: URL(filePath: path))
        let photo = try PhotoFile(path: path)
        let asker = PhotoAsker(engines: rig.worker.engines, cache: rig.cache, reconnectTimeout: reconnectTimeout)
        return try #require(await asker.read(photo))
    }

    private func questions(_ server: FaultServer) -> Int {
        server.arrivals.count { $0.path == "/v1/chat/completions" }
    }

    @Test("the lines on a spine stay separate, and an ISBN counts as read from a barcode")
    func reading() async throws {
        let content = #"""
            [{"text":"THE GREAT\nGATSBY","isbn":null,"box":{"x1":0.1,"y1":0,"x2":0.2,"y2":1},"confidence":0.9},
             {"text":"","isbn":"9780743273565","box":{"x1":0.5,"y1":0,"x2":0.6,"y2":1},"confidence":1}]
            """#
        try await withReader(content) { rig, server in
            let reading = try await read(rig).get()
            #expect(reading.engine == "reader")
            #expect(reading.model == "shelf-reader")
            #expect(reading.spines.map(\.text) == ["THE GREAT\nGATSBY", nil])
            #expect(reading.spines.map(\.isBarcode) == [false, true])
            #expect(reading.spines.first?.query.title == "THE GREAT GATSBY")
            #expect(questions(server) == 1)
        }
    }

    @Test(
        "a photo that the reader rejects as unreadable is sent to it only once", arguments: [SampleImage.jpeg, .heic])
    func unreadable(image: SampleImage) async throws {
        try await withReader(status: 400, #"{"error":{"code":"invalid_image","message":"no"}}"#) { rig, server in
            guard case .failure(let fault) = try await read(rig, image) else {
                Issue.record("the photo was read")
                return
            }
            #expect(!fault.isRetryable)
            #expect(fault.message.contains("JPEG"))
            #expect(fault.message.contains("HEIC") == (image == .heic))
            #expect(questions(server) == 1)
        }
    }

    @Test("a HEIC photo that is too large for an engine does not fail because of its format")
    func largeHEIC() async throws {
        try await withReader(status: 413, "") { rig, _ in
            guard case .failure(let fault) = try await read(rig, .heic) else {
                Issue.record("the photo was read")
                return
            }
            #expect(!fault.isRetryable)
            #expect(fault.message.contains("smaller"))
        }
    }

    @Test(
        "the reader is asked when Gemini declines, and Gemini's reason is given if the reader cannot read the photo either"
    )
    func afterGemini() async throws {
        try await withReader(status: 422, #"{"error":{"code":"image_failed"}}"#, engines: [.gemini, .reader]) {
            rig, server in
            rig.providers.setFaults(#"[{"provider":"gemini","kind":"blocked","reason":"SAFETY"}]"#)
            guard case .failure(let fault) = try await read(rig) else {
                Issue.record("the photo was read")
                return
            }
            #expect(fault.code == .geminiAPIError)
            #expect(fault.message.contains("SAFETY"))
            #expect(questions(server) == 1)
        }
    }

    /// Number of calls for which the reader could not be reached.
    private func misses(_ rig: WorkerRig) throws -> Int {
        let reader = try #require(rig.worker.engines.all.first { $0.name == .reader })
        return reader.client.snapshot.calls[.unreachable] ?? 0
    }

    @Test("a photo for which there is no other engine waits until the shelf reader has restarted")
    func restart() async throws {
        let answer = try JSONSerialization.data(
            withJSONObject: ["choices": [["finish_reason": "stop", "message": ["content": "[]"]]]])
        try await WorkerRig.run(.init(engines: [.reader])) { rig in
            let reading = Task { try await read(rig).get() }
            try await until { try misses(rig) > 0 }
            try await FaultServer.with(at: WorkerRig.readerSocket(in: rig.directory)) { _, _ in
                FaultStep.answer(body: Array(answer))
            } _: { _ in
                let reading = try await reading.value
                #expect(reading.engine == "reader")
            }
        }
    }

    @Test("a photo that the shelf reader cannot read after its restart fails with the reader's last reason")
    func unreadableAfterRestart() async throws {
        try await WorkerRig.run(.init(engines: [.reader])) { rig in
            let reading = Task { try await read(rig) }
            try await until { try misses(rig) > 0 }
            try await FaultServer.with(at: WorkerRig.readerSocket(in: rig.directory)) { _, _ in
                FaultStep.answer(400, body: Array(#"{"error":{"code":"invalid_image"}}"#.utf8))
            } _: { _ in
                guard case .failure(let fault) = try await reading.value else {
                    Issue.record("the photo was read")
                    return
                }
                #expect(!fault.isRetryable)
                #expect(fault.message.contains("JPEG"))
            }
        }
    }

    @Test("a photo fails if the shelf reader does not restart in time")
    func noRestart() async throws {
        try await WorkerRig.run(.init(engines: [.reader])) { rig in
            guard case .failure(let fault) = try await read(rig, reconnectTimeout: .seconds(1)) else {
                Issue.record("the photo was read")
                return
            }
            #expect(fault.code == .aiScanFailed)
            #expect(fault.isRetryable)
        }
    }

    @Test("a photo that another engine can read does not wait for the shelf reader")
    func noWait() async throws {
        let environment = ["BOOKSTRACK_SCAN_ENGINES": "reader,gemini"]
        try await WorkerRig.run(.init(engines: [.gemini, .reader], environment: environment)) { rig in
            let reading = try await read(rig).get()
            #expect(reading.engine == "gemini")
            #expect(try misses(rig) == 1)
        }
    }

    @Test("if the shelf reader cannot be reached, operators see this, and photos are not accepted")
    func health() async throws {
        try await WorkerRig.run(.init(engines: [.reader])) { rig in
            await rig.worker.status.watch.check()
            #expect(rig.worker.status.photos == .unavailable)
            let reader = rig.worker.status.readiness().dependencies?.first { $0.name == "reader" }
            #expect(reader?.status == .degraded)
            #expect(reader?.reason == "it cannot be reached")
            let figure = rig.worker.status.figures(at: rig.clock).first { $0.name == "reader" }
            #expect(figure?.model == "shelf-reader")
            #expect(figure?.fault == "it cannot be reached")
            try await FaultServer.with(at: WorkerRig.readerSocket(in: rig.directory)) { _, _ in
                FaultStep.answer()
            } _: { _ in
                await rig.worker.status.watch.check()
                #expect(rig.worker.status.photos == .available)
            }
        }
    }

    @Test("without a setting, the shelf reader counts as not configured while its default socket does not exist")
    func defaultSocket() async throws {
        try await WorkerRig.run { rig in
            let status = rig.worker.status
            await status.watch.check()
            #expect(status.photos == .unavailable)
            #expect(status.readiness().dependencies?.contains { $0.name == "reader" } == false)
            #expect(!status.figures(at: rig.clock).contains { $0.name == "reader" })
            #expect(!(await ProviderProbes(providers: status.providers).run()).contains { $0.provider == "reader" })
            let socket = rig.directory + "/shelf-reader.sock"
            try await FaultServer.with(at: socket) { _, _ in
                FaultStep.answer()
            } _: { _ in
                await status.watch.check()
                #expect(status.photos == .available)
                #expect(status.readiness().dependencies?.contains { $0.name == "reader" } == true)
                #expect(status.figures(at: rig.clock).contains { $0.name == "reader" })
            }
            try? FileManager.default.removeItem(atPath: socket)
            #expect(status.photos == .unavailable)
            #expect(status.readiness().dependencies?.contains { $0.name == "reader" } == false)
        }
    }

    @Test("the outcome of the last health check is forgotten when the shelf reader is removed")
    func installedAgain() async throws {
        try await WorkerRig.run { rig in
            let watch = rig.worker.status.watch
            let socket = rig.directory + "/shelf-reader.sock"
            try Data().write(to: URL(filePath: socket))
            await watch.check()
            #expect(watch.fault(of: .reader) == "it cannot be reached")
            try FileManager.default.removeItem(atPath: socket)
            await watch.check()
            #expect(watch.fault(of: .reader) == nil)
        }
    }

    @Test("a worker without another engine claims scans as soon as the shelf reader's default socket exists")
    func installedLater() async throws {
        try await WorkerRig.run { rig in
            let path = rig.directory + "/photo-0"
            try Data(SampleImage.jpeg.file).write(to: URL(filePath: path))
            rig.host.imports.hand(
                ScanStep(
                    key: ReadingStepKey(jobId: try #require(JobID("job-one-1")), attempt: 1),
                    photos: [.init(index: 0, path: path, bytes: 10)]))
            let answer = try JSONSerialization.data(
                withJSONObject: ["choices": [["finish_reason": "stop", "message": ["content": "[]"]]]])
            try await FaultServer.with(at: rig.directory + "/shelf-reader.sock") { _, _ in
                FaultStep.answer(body: Array(answer))
            } _: { _ in
                guard case .photo(let outcome)? = await rig.host.imports.next() else {
                    Issue.record("the photo was not read")
                    return
                }
                #expect(outcome.reading?.engine == "reader")
            }
        }
    }

    /// Runs `body` with the watch of a shelf reader whose socket has this path.
    private func withWatch(
        _ clock: any SuiteClock, _ body: (EngineWatch, _ socket: String) async throws -> Void
    ) async throws {
        try await WorkerRig.run { rig in
            let socket = rig.directory + "/watched.sock"
            let settings = try Settings.load(
                arguments: [], environment: ["BOOKSTRACK_SHELF_READER_SOCKET": socket])
            let clients = try await ProviderClients(
                settings, budgets: rig.cache, clock: rig.clock,
                logger: Logger(label: "watch") { _ in SwiftLogNoOpLogHandler() })
            try await body(EngineWatch(clients.engines, clock: clock), socket)
            await clients.engine.shutdown()
        }
    }

    @Test("an unreachable shelf reader is checked again after 2 s, and a reachable one after 10 s")
    func pauses() async throws {
        let clock = ManualClock()
        try await withWatch(clock) { watch, socket in
            let running = Task { await watch.run() }
            defer { running.cancel() }
            await clock.sleeperArrives()
            #expect(watch.fault(of: .reader) != nil)
            #expect(clock.sleepers == [.seconds(2)])
            try await FaultServer.with(at: socket) { _, _ in
                FaultStep.answer()
            } _: { _ in
                clock.move(by: .seconds(2))
                await clock.sleeperArrives()
                #expect(watch.fault(of: .reader) == nil)
                #expect(clock.sleepers == [.seconds(12)])
            }
        }
    }

    @Test("the result of a health check that a later check has overtaken is dropped")
    func overtakenCheck() async throws {
        try await withWatch(SystemClock()) { watch, socket in
            try await FaultServer.with(at: socket) { _, earlier in
                earlier == 0 ? [.hang] : FaultStep.answer()
            } _: { server in
                let overtaken = Task { await watch.check() }
                await server.requests(1)
                await watch.check()
                #expect(server.arrivals.count == 2)
                overtaken.cancel()
                await overtaken.value
                #expect(watch.fault(of: .reader) == nil)
            }
        }
    }

    @Test("questions about columns are not sent to the shelf reader")
    func columns() async throws {
        try await withReader("[]") { rig, _ in
            #expect(!rig.worker.mappings.canAsk)
        }
    }
}
