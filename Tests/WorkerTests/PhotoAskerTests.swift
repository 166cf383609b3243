import BookstrackContract
import Foundation
import Logging
import ProviderClient
import ServiceKit
import SuiteMethods
import TestSupport
import Testing
import Transfer

@testable import EnrichmentWorker

/// The effect of one fault on two photos if there is only one engine.
struct PhotoCase: Sendable, CustomTestStringConvertible {
    var engine = EngineName.gemini
    /// Members of a fault rule for the engine.
    let fault: String
    /// The number of requests for both photos.
    let requests: Int
    let isRetryable: Bool
    /// Words that the failure's message contains.
    var words = "AI analysis failed"

    var testDescription: String { "\(engine): \(fault)" }

    private static func declined(_ kind: String, _ reason: String) -> PhotoCase {
        PhotoCase(
            fault: #""kind":"\#(kind)","reason":"\#(reason)""#, requests: 2, isRetryable: false, words: "(\(reason))")
    }

    static let chatCompletions = [
        PhotoCase(
            engine: .openai, fault: #""kind":"blocked","reason":"I cannot do that.""#, requests: 2, isRetryable: false,
            words: "(refusal)"),
        PhotoCase(
            engine: .openai, fault: #""kind":"finish","reason":"content_filter""#, requests: 2, isRetryable: false,
            words: "(content_filter)"),
        PhotoCase(engine: .openai, fault: #""kind":"empty""#, requests: 2, isRetryable: true),
        PhotoCase(engine: .openai, fault: #""kind":"garbage""#, requests: 2, isRetryable: true),
        PhotoCase(engine: .openai, fault: #""kind":"answers","text":"{\"books\":7}""#, requests: 2, isRetryable: true),
        PhotoCase(engine: .openai, fault: #""kind":"status","code":503"#, requests: 6, isRetryable: true),
        PhotoCase(
            engine: .openai, fault: #""kind":"status","code":413"#, requests: 2, isRetryable: false,
            words: "Send a smaller JPEG"),
        PhotoCase(engine: .openai, fault: #""kind":"reset""#, requests: 6, isRetryable: true),
        PhotoCase(engine: .openai, fault: #""kind":"status","code":401"#, requests: 1, isRetryable: true),
        PhotoCase(engine: .openai, fault: #""kind":"unservedRegion""#, requests: 1, isRetryable: true),
        PhotoCase(engine: .openai, fault: #""kind":"missing""#, requests: 1, isRetryable: true),
        PhotoCase(engine: .openai, fault: #""kind":"quota""#, requests: 1, isRetryable: true, words: "tomorrow"),
    ]

    static let gemini =
        ["SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST"].map { declined("blocked", $0) }
        + ["SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "RECITATION"].map { declined("finish", $0) } + [
            PhotoCase(fault: #""kind":"empty""#, requests: 2, isRetryable: true),
            PhotoCase(fault: #""kind":"garbage""#, requests: 2, isRetryable: true),
            PhotoCase(fault: #""kind":"answers","text":"Sure!""#, requests: 2, isRetryable: true),
            PhotoCase(fault: #""kind":"status","code":500"#, requests: 6, isRetryable: true),
            PhotoCase(fault: #""kind":"reset""#, requests: 6, isRetryable: true),
            PhotoCase(fault: #""kind":"truncate""#, requests: 6, isRetryable: true),
            PhotoCase(fault: #""kind":"huge","megabytes":2"#, requests: 2, isRetryable: true),
            // These faults last until a setting is corrected, so the second photo is not sent.
            PhotoCase(fault: #""kind":"invalidKey""#, requests: 1, isRetryable: true),
            PhotoCase(fault: #""kind":"status","code":403"#, requests: 1, isRetryable: true),
            PhotoCase(fault: #""kind":"unservedRegion""#, requests: 1, isRetryable: true),
            PhotoCase(fault: #""kind":"missing""#, requests: 1, isRetryable: true),
            // The engine is not asked until the delay that Gemini requests (`RetryInfo`) has passed, or until the next day.
            PhotoCase(
                fault: #""kind":"status","code":429,"retryAfter":600"#, requests: 1, isRetryable: true, words: "minutes"
            ),
            PhotoCase(fault: #""kind":"quota""#, requests: 1, isRetryable: true, words: "tomorrow"),
        ]
}

@Suite("Reading photos", .timeLimit(.minutes(1)))
struct PhotoAskerTests {
    /// Runs `body` with a photo, a different one for each call.
    private func withPhoto(_ body: (PhotoFile) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "photo-\(UUID().uuidString)").path
        try Data(SampleImage.jpeg.file + Array(UUID().uuidString.utf8)).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(PhotoFile(path: path))
    }

    private func read(_ photo: PhotoFile, _ rig: WorkerRig) async throws -> Result<PhotoReading, PhotoFault> {
        let asker = PhotoAsker(engines: rig.worker.mappings.engines, cache: rig.cache)
        return try #require(await asker.read(photo))
    }

    @Test("an engine reads a photo only once, and later requests receive the stored answer")
    func kept() async throws {
        try await WorkerRig.run(.init(engines: [.gemini, .openai])) { rig in
            try await withPhoto { photo in
                for _ in 0..<3 {
                    let reading = try await read(photo, rig).get()
                    #expect(reading.engine == "gemini")
                    #expect(reading.model == "gemini-3.5-flash-lite")
                    #expect(reading.spines.map(\.title) == ["The Great Gatsby", "Jane Eyre", "A Tale of Two Cities"])
                }
                #expect(rig.requests(to: .gemini) == 1)
            }
        }
    }

    @Test("a photo that is claimed again while an engine is reading it is not sent a second time")
    func claimedTwice() async throws {
        try await WorkerRig.run(.init(engines: [.gemini], latency: .milliseconds(200))) { rig in
            let asker = PhotoAsker(engines: rig.worker.mappings.engines, cache: rig.cache)
            try await withPhoto { photo in
                async let first = asker.read(photo)
                async let second = asker.read(photo)
                let readings = await [first, second].map { try? $0?.get() }
                #expect(readings[0]?.spines.count == 3)
                #expect(readings[1] == readings[0])
                #expect(rig.requests(to: .gemini) == 1)
            }
        }
    }

    @Test("a cancelled scan does not wait until another scan has read the same photo")
    func cancelledWait() async throws {
        try await WorkerRig.run(.init(engines: [.gemini])) { rig in
            rig.providers.setFaults(#"[{"provider":"gemini","kind":"hang"}]"#)
            let asker = PhotoAsker(engines: rig.worker.mappings.engines, cache: rig.cache)
            try await withPhoto { photo in
                let first = Task { await asker.read(photo) }
                try await until { rig.requests(to: .gemini) > 0 }
                let second = Task { await asker.read(photo) }
                second.cancel()
                #expect(await second.value == nil)
                first.cancel()
                _ = await first.value
            }
        }
    }

    @Test(
        "if the first engine cannot read the photo, whatever the reason, the second engine is asked",
        arguments: EngineCase.all)
    func nextEngine(_ fault: EngineCase) async throws {
        try await WorkerRig.run(.init(engines: [.gemini, .openai])) { rig in
            rig.providers.setFaults(#"[{"provider":"gemini",\#(fault.fault)}]"#)
            for _ in 0..<2 {
                try await withPhoto { photo in
                    let reading = try await read(photo, rig).get()
                    #expect(reading.engine == "openai")
                }
            }
            #expect(rig.requests(to: .gemini) == fault.requests)
            #expect(rig.requests(to: .openai) == 2)
        }
    }

    @Test(
        "if there is no other engine, the photo fails with the engine's reason",
        arguments: PhotoCase.gemini + PhotoCase.chatCompletions)
    func failure(_ fault: PhotoCase) async throws {
        let faults = #"[{"provider":"\#(fault.engine)",\#(fault.fault)}]"#
        // The fault applies from the start. Otherwise, a successful health check would leave an idle connection, and if libcurl reuses one that is
        // then reset, it repeats the request.
        try await WorkerRig.run(.init(engines: [fault.engine], faults: faults)) { rig in
            for _ in 0..<2 {
                try await withPhoto { photo in
                    guard case .failure(let failure) = try await read(photo, rig) else {
                        Issue.record("the photo was read")
                        return
                    }
                    #expect(failure.code == (fault.engine == .gemini ? .geminiAPIError : .aiScanFailed))
                    #expect(failure.isRetryable == fault.isRetryable)
                    #expect(failure.message.contains(fault.words))
                    #expect(StatusText.isNeutral(failure.message.replacingOccurrences(of: "failed", with: "")))
                }
            }
            #expect(rig.requests(to: fault.engine) == fault.requests)
        }
    }

    @Test("Gemini is asked again after the pause that it requests")
    func pause() async throws {
        try await WorkerRig.run(.init(engines: [.gemini, .openai])) { rig in
            rig.providers.setFaults(
                #"[{"provider":"gemini","kind":"status","code":429,"retryAfter":1,"times":1}]"#)
            try await withPhoto { photo in
                let start = rig.clock.now
                let reading = try await read(photo, rig).get()
                #expect(reading.engine == "gemini")
                #expect(start.duration(to: rig.clock.now) >= .seconds(1))
            }
            #expect(rig.requests(to: .gemini) == 2)
            #expect(rig.requests(to: .openai) == 0)
        }
    }

    @Test(
        "a photo that an engine does not read in time fails with a timeout", arguments: [EngineName.gemini, .openai])
    func timeout(name: EngineName) async throws {
        try await WorkerRig.run(.init(engines: [name])) { rig in
            rig.providers.setFaults(#"[{"provider":"\#(name)","kind":"hang"}]"#)
            let engines = rig.worker.mappings.engines
            let impatient = engines.all.map { engine in
                Engine(
                    name: engine.name, model: engine.model, dialect: engine.dialect, photoTimeout: .seconds(6),
                    client: engine.client)
            }
            let asker = PhotoAsker(
                engines: EngineClients(
                    all: impatient, metrics: engines.metrics, clock: engines.clock, logger: engines.logger),
                cache: rig.cache)
            try await withPhoto { photo in
                guard case .failure(let failure) = await asker.read(photo) else {
                    Issue.record("the photo was read")
                    return
                }
                #expect(failure.code == (name == .gemini ? .geminiTimeout : .aiScanFailed))
                #expect(failure.message.contains("took too long"))
                #expect(failure.isRetryable)
            }
            #expect(rig.requests(to: name) == 1)
        }
    }

    @Test("once the daily budget is used up, only engines without a key are asked")
    func budget() async throws {
        let environment = ["BOOKSTRACK_SCAN_DAILY_BUDGET": "1"]
        try await WorkerRig.run(.init(engines: [.gemini, .openai], environment: environment)) { rig in
            var engines: [String] = []
            for _ in 0..<3 {
                try await withPhoto { engines.append(try await read($0, rig).get().engine) }
            }
            #expect(engines == ["gemini", "openai", "openai"])
            #expect(rig.requests(to: .gemini) == 1)
            #expect(rig.worker.status.photos == .available)
        }
        try await WorkerRig.run(.init(engines: [.gemini], environment: environment)) { rig in
            try await withPhoto { _ = try await read($0, rig).get() }
            #expect(rig.worker.status.photos == .quotaExhausted)
            try await withPhoto { photo in
                guard case .failure(let failure) = try await read(photo, rig) else {
                    Issue.record("the photo was read")
                    return
                }
                #expect(failure.message.contains("tomorrow"))
            }
            #expect(rig.requests(to: .gemini) == 1)
        }
    }

    @Test("an engine whose own quota is used up is reported as such, even if there is budget left")
    func ownQuota() async throws {
        try await WorkerRig.run(.init(engines: [.gemini])) { rig in
            rig.providers.setFaults(#"[{"provider":"gemini","kind":"quota"}]"#)
            try await withPhoto { _ = try await read($0, rig) }
            let left = try #require(rig.worker.engines.all.first?.client.snapshot.budget.leftToday)
            #expect(left > 0)
            #expect(rig.worker.status.photos == .quotaExhausted)
        }
    }

    @Test("if every engine fails, the first engine's reason is returned")
    func firstReason() async throws {
        try await WorkerRig.run(.init(engines: [.gemini, .openai])) { rig in
            rig.providers.setFaults(
                #"[{"provider":"gemini","kind":"finish","reason":"RECITATION"},{"provider":"openai","kind":"empty"}]"#)
            try await withPhoto { photo in
                guard case .failure(let failure) = try await read(photo, rig) else {
                    Issue.record("the photo was read")
                    return
                }
                #expect(failure.code == .geminiAPIError)
                #expect(failure.message.contains("RECITATION"))
                #expect(!failure.isRetryable)
            }
            #expect(rig.requests(to: .gemini) == 1)
            #expect(rig.requests(to: .openai) == 1)
        }
    }

    @Test("after a truncated answer, each half of the photo is read separately, and no complete entry is lost")
    func halves() async throws {
        try await WorkerRig.run(.init(engines: [.gemini])) { rig in
            rig.providers.setFaults(
                #"[{"provider":"gemini","kind":"finish","reason":"MAX_TOKENS","times":1}]"#)
            try await withPhoto { photo in
                let reading = try await read(photo, rig).get()
                #expect(reading.spines.map(\.title) == ["The Great Gatsby", "Jane Eyre", "A Tale of Two Cities"])
                #expect(rig.requests(to: .gemini) == 3)
            }
        }
    }

    @Test(
        "if the answers for the halves are also truncated, their complete entries are used",
        arguments: [(EngineName.gemini, "MAX_TOKENS"), (.openai, "length")])
    func cutHalves(name: EngineName, reason: String) async throws {
        try await WorkerRig.run(.init(engines: [name])) { rig in
            rig.providers.setFaults(#"[{"provider":"\#(name)","kind":"finish","reason":"\#(reason)"}]"#)
            try await withPhoto { photo in
                let reading = try await read(photo, rig).get()
                #expect(reading.spines.map(\.title) == ["The Great Gatsby"])
            }
            #expect(rig.requests(to: name) == 3)
        }
    }

    @Test(
        "after a truncated answer, the complete entries are used even if the engine fails for both halves",
        arguments: [
            #""kind":"status","code":429,"retryAfter":600"#, #""kind":"quota""#, #""kind":"finish","reason":"SAFETY""#,
        ])
    func failedHalves(fault: String) async throws {
        try await WorkerRig.run(.init(engines: [.gemini])) { rig in
            rig.providers.setFaults(
                #"""
                [{"provider":"gemini","kind":"finish","reason":"MAX_TOKENS","times":1},
                {"provider":"gemini",\#(fault)}]
                """#)
            try await withPhoto { photo in
                let reading = try await read(photo, rig).get()
                #expect(reading.spines.map(\.title) == ["The Great Gatsby"])
            }
        }
    }

    @Test("if the engine fails for one half, the other half's entries are used, and the next request asks again")
    func failedHalf() async throws {
        try await WorkerRig.run(.init(engines: [.gemini])) { rig in
            rig.providers.setFaults(
                #"""
                [{"provider":"gemini","kind":"finish","reason":"MAX_TOKENS","times":1},
                {"provider":"gemini","kind":"finish","reason":"SAFETY","times":1}]
                """#)
            try await withPhoto { photo in
                for requests in [3, 4] {
                    let reading = try await read(photo, rig).get()
                    #expect(reading.spines.map(\.title) == ["The Great Gatsby", "Jane Eyre", "A Tale of Two Cities"])
                    #expect(rig.requests(to: .gemini) == requests)
                }
            }
        }
    }

    @Test("no engine receives a photo's location or camera metadata")
    func privacy() async throws {
        try await withPhoto { photo in
            let reader = TransferBodyReader(TransferBody([.base64(photo.sources)]))
            var text: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 1_000)
            while let count = part.withUnsafeMutableBytes({ reader.read(into: $0) }), count > 0 {
                text += part[..<count]
            }
            let sent = try #require(Data(base64Encoded: Data(text)))
            #expect(!sent.isEmpty)
            for secret in SampleImage.secrets { #expect(sent.firstRange(of: Data(secret.utf8)) == nil) }
        }
    }

    @Test("a file that is not a photo is rejected", arguments: ["", "hello", "\u{FF}\u{D8}"])
    func noPhoto(text: String) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "photo-\(UUID().uuidString)").path
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(throws: PhotoFault.self) { try PhotoFile(path: path) }
    }
}
