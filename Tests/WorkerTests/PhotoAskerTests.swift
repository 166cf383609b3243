import BookstrackContract
import Foundation
import Logging
import ServiceKit
import SuiteMethods
import TestSupport
import Testing
import Transfer

@testable import EnrichmentWorker

@Suite("Reading photos", .timeLimit(.minutes(1)))
struct PhotoAskerTests {
    /// A photo of its own for each call.
    private func withPhoto(_ body: (PhotoFile) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "photo-\(UUID().uuidString)").path
        try Data(SampleImage.jpeg.file + Array(UUID().uuidString.utf8)).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(PhotoFile(path: path))
    }

    private func asker(_ rig: WorkerRig) -> PhotoAsker {
        PhotoAsker(engines: rig.worker.mappings.engines, cache: rig.cache)
    }

    @Test("an engine reads a photo once, whatever is asked later")
    func kept() async throws {
        try await WorkerRig.run(.init(engines: [.gemini, .openai])) { rig in
            try await withPhoto { photo in
                for _ in 0..<3 {
                    let reading = try await asker(rig).read(photo).get()
                    #expect(reading.engine == "gemini")
                    #expect(reading.model == "gemini-3.5-flash-lite")
                    #expect(reading.spines.map(\.title) == ["The Great Gatsby", "Jane Eyre", "A Tale of Two Cities"])
                }
                #expect(rig.requests(to: .gemini) == 1)
            }
        }
    }

    @Test("whatever keeps the first engine from reading, the second one is asked", arguments: EngineCase.all)
    func nextEngine(_ fault: EngineCase) async throws {
        try await WorkerRig.run(.init(engines: [.gemini, .openai])) { rig in
            rig.providers.setFaults(#"[{"provider":"gemini",\#(fault.fault)}]"#)
            for _ in 0..<2 {
                try await withPhoto { photo in
                    let reading = try await asker(rig).read(photo).get()
                    #expect(reading.engine == "openai")
                }
            }
            #expect(rig.requests(to: .gemini) == fault.requests)
            #expect(rig.requests(to: .openai) == 2)
        }
    }

    @Test(
        "without another engine the photo fails for the first one's reason",
        arguments: [
            (#""kind":"blocked","reason":"SAFETY""#, FrameErrorCode.geminiAPIError, false),
            (#""kind":"finish","reason":"RECITATION""#, .geminiAPIError, false),
            (#""kind":"status","code":500"#, .geminiAPIError, true),
            (#""kind":"invalidKey""#, .geminiAPIError, true),
            (#""kind":"quota""#, .geminiAPIError, true),
            (#""kind":"answers","text":"Sure!""#, .geminiAPIError, true),
        ])
    func failure(fault: String, code: FrameErrorCode, isRetryable: Bool) async throws {
        try await WorkerRig.run(.init(engines: [.gemini])) { rig in
            rig.providers.setFaults(#"[{"provider":"gemini",\#(fault)}]"#)
            try await withPhoto { photo in
                guard case .failure(let failure) = await asker(rig).read(photo) else {
                    Issue.record("it was read")
                    return
                }
                #expect(failure.code == code)
                #expect(failure.isRetryable == isRetryable)
                #expect(StatusText.isNeutral(failure.message.replacingOccurrences(of: "failed", with: "")))
            }
        }
    }

    @Test("after an answer that was cut off each half is asked about, and nothing complete is lost")
    func halves() async throws {
        try await WorkerRig.run(.init(engines: [.gemini])) { rig in
            rig.providers.setFaults(
                #"[{"provider":"gemini","kind":"finish","reason":"MAX_TOKENS","times":1}]"#)
            try await withPhoto { photo in
                let reading = try await asker(rig).read(photo).get()
                #expect(reading.spines.map(\.title) == ["The Great Gatsby", "Jane Eyre", "A Tale of Two Cities"])
                #expect(rig.requests(to: .gemini) == 3)
            }
        }
    }

    @Test("no engine gets what a photo tells about its place and its camera")
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

    @Test("a file that is no photo goes to no engine", arguments: ["", "hello", "\u{FF}\u{D8}"])
    func noPhoto(text: String) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "photo-\(UUID().uuidString)").path
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(throws: PhotoFault.self) { try PhotoFile(path: path) }
    }
}
