import BookstrackContract
import Engines
import Logging
import ProviderClient
import ServiceKit
import TestSupport
import Testing
import Transfer

@testable import EnrichmentWorker

/// The effect of one Gemini fault.
struct EngineCase: Sendable, CustomTestStringConvertible {
    /// Members of a Gemini fault rule.
    let fault: String
    let failure: EngineFailure
    /// Number of requests to Gemini for two questions if there is another engine.
    let requests: Int

    init(_ fault: String, _ failure: EngineFailure, _ requests: Int) {
        (self.fault, self.failure, self.requests) = (fault, failure, requests)
    }

    var testDescription: String { fault }

    private static func refused(
        _ cause: LastingRefusal.Cause, _ setting: String, model: String? = nil
    ) -> EngineFailure {
        .call(.refused(LastingRefusal(cause, setting: setting, model: model)))
    }

    static let all: [EngineCase] = [
        // These faults last until a setting is corrected, so the second question is not sent.
        EngineCase(#""kind":"invalidKey""#, refused(.key, "BOOKSTRACK_GEMINI_API_KEY"), 1),
        EngineCase(#""kind":"status","code":403"#, refused(.key, "BOOKSTRACK_GEMINI_API_KEY"), 1),
        EngineCase(#""kind":"unservedRegion""#, refused(.region, "BOOKSTRACK_SCAN_ENGINES"), 1),
        EngineCase(#""kind":"missing""#, refused(.model, "BOOKSTRACK_GEMINI_MODEL", model: "gemini-3.5-flash-lite"), 1),
        // A redirect is refused and not retried.
        EngineCase(#""kind":"redirect","location":"https://books.example/""#, .call(.redirectRefused(.tooMany)), 2),
        // Gemini is not asked again until the delay that it requests has passed.
        EngineCase(
            #""kind":"status","code":429,"retryAfter":600"#, .call(.rateLimited(retryAfter: .seconds(600))), 1),
        // After a server or connection error, a question is sent up to twice more.
        EngineCase(#""kind":"status","code":500"#, .call(.httpStatus(500)), 6),
        EngineCase(#""kind":"truncate""#, .call(.connection(.broken)), 6),
        // An unusable answer is not retried.
        EngineCase(#""kind":"blocked","reason":"SAFETY""#, .answer(.blocked(reason: "SAFETY")), 2),
        EngineCase(#""kind":"finish","reason":"RECITATION""#, .answer(.blocked(reason: "RECITATION")), 2),
        EngineCase(#""kind":"empty""#, .answer(.empty), 2),
        EngineCase(#""kind":"garbage""#, .answer(.malformed), 2),
        EngineCase(#""kind":"huge","megabytes":2"#, .call(.tooLarge), 2),
    ]
}

@Suite("AI engines", .timeLimit(.minutes(1)))
struct EngineTests {
    private static let question = StructuredQuestion(
        instructions: "Say what the columns mean.", parts: [.text(#"{"columns":[{"index":0,"header":"Heiti"}]}"#)],
        answer: .object([.init("columns", .array(of: .integer))]), maxTokens: 64)
    private static let answer = #"{"columns":[{"index":0,"role":"title"}]}"#

    private func ask(
        _ rig: WorkerRig, within limit: Duration = .seconds(40)
    ) async -> Result<(answer: EngineAnswer, model: String), EngineFailure>? {
        await rig.worker.mappings.engines.ask(Self.question, priority: .bulk, within: limit) { $0 }
    }

    /// The model that answered, if any. The answer is always the same.
    private func answeringModel(_ rig: WorkerRig, within limit: Duration = .seconds(40)) async -> String? {
        guard case .success(let (answer, model)) = await ask(rig, within: limit) else { return nil }
        #expect(answer.json == Self.answer)
        return model
    }

    @Test(
        "if the first engine gives no answer, whatever the reason, the second engine is asked",
        arguments: EngineCase.all)
    func nextEngine(_ fault: EngineCase) async throws {
        try await WorkerRig.run(.init(engines: [.gemini, .openai])) { rig in
            rig.providers.setFaults(#"[{"provider":"gemini",\#(fault.fault)}]"#)
            for _ in 0..<2 {
                #expect(await answeringModel(rig) == "emulated-model")
            }
            #expect(rig.requests(to: .gemini) == fault.requests)
            #expect(rig.requests(to: .openai) == 2)
        }
    }

    @Test("if there is no other engine, the engine's failure is returned", arguments: EngineCase.all)
    func onlyEngine(_ fault: EngineCase) async throws {
        try await WorkerRig.run(.init(engines: [.gemini])) { rig in
            rig.providers.setFaults(#"[{"provider":"gemini",\#(fault.fault)}]"#)
            guard case .failure(let failure) = await ask(rig) else {
                Issue.record("the engine answered")
                return
            }
            #expect(failure == fault.failure)
        }
    }

    @Test("after an answer with the wrong structure, the next engine is asked")
    func shape() async throws {
        try await WorkerRig.run(.init(engines: [.gemini, .openai])) { rig in
            rig.providers.setFaults(#"[{"provider":"gemini","kind":"answers","text":"Sure!"}]"#)
            let outcome = await rig.worker.mappings.engines.ask(
                Self.question, priority: .bulk, within: .seconds(40)
            ) { $0.json == Self.answer ? true : nil }
            guard case .success((true, "emulated-model")) = outcome else {
                Issue.record("the question ended with \(String(describing: outcome))")
                return
            }
        }
    }

    @Test("once an engine answers, no other engine is asked")
    func first() async throws {
        try await WorkerRig.run(.init(engines: [.gemini, .openai])) { rig in
            #expect(await answeringModel(rig) == "gemini-3.5-flash-lite")
            #expect(rig.requests(to: .gemini) == 1)
            #expect(rig.requests(to: .openai) == 0)
        }
    }

    @Test("an engine that has a key but is not in the list of engines is not asked, even if the listed one fails")
    func order() async throws {
        let environment = ["BOOKSTRACK_SCAN_ENGINES": "openai"]
        try await WorkerRig.run(.init(engines: [.gemini, .openai], environment: environment)) { rig in
            #expect(await answeringModel(rig) == "emulated-model")
            rig.providers.setFaults(#"[{"provider":"openai","kind":"empty"}]"#)
            guard case .failure(.answer(.empty)) = await ask(rig) else {
                Issue.record("another engine answered")
                return
            }
            #expect(rig.requests(to: .gemini) == 0)
        }
    }

    @Test("an engine that hangs leaves enough time for the next engine to answer")
    func hang() async throws {
        try await WorkerRig.run(.init(engines: [.gemini, .openai])) { rig in
            rig.providers.setFaults(#"[{"provider":"gemini","kind":"hang"}]"#)
            #expect(await answeringModel(rig, within: .seconds(16)) == "emulated-model")
        }
    }

    @Test(
        "an engine that reads one photo at a time has time for every photo that the worker sends at once",
        arguments: [
            (EngineName.openai, ProviderConfiguration.chatTimeout), (.reader, ProviderConfiguration.readerTimeout),
        ])
    func photoTimeout(name: EngineName, answer: Duration) async throws {
        try await WorkerRig.run(.init(engines: [name])) { rig in
            let engine = try #require(rig.worker.engines.all.first { $0.name == name })
            #expect(engine.photoTimeout >= answer * Engine.photosAtOnce)
        }
    }

    @Test("an engine that does not answer in time is not asked again, unlike one that responds with 5xx")
    func lateAnswer() throws {
        let base = try #require(BaseURL("http://127.0.0.1:1/v1"))
        let policy = ProviderConfiguration.chatCompletions(base, key: nil, model: "a-model").retry
        let now = MonotonicInstant(sinceStart: .seconds(50))
        var retries = RetrySequence(policy: policy, deadline: now.advanced(by: .seconds(1_200)))
        #expect(retries.failed(.timeout, retryAfter: nil, now: now) == .giveUp)
        #expect(retries.failed(.httpStatus(503), retryAfter: nil, now: now) != .giveUp)
    }

    @Test("without an engine, there is neither an answer nor a failure")
    func none() async throws {
        try await WorkerRig.run { rig in
            let outcome = await ask(rig)
            #expect(outcome.map { _ in true } == nil)
            #expect(!rig.worker.mappings.canAsk)
        }
    }

    @Test("a truncated answer is reported as truncated")
    func cutOff() async throws {
        try await WorkerRig.run(.init(engines: [.gemini])) { rig in
            rig.providers.setFaults(#"[{"provider":"gemini","kind":"finish","reason":"MAX_TOKENS"}]"#)
            guard case .failure(.answer(.cutOff(let text))) = await ask(rig) else {
                Issue.record("the answer was not truncated")
                return
            }
            #expect(Self.answer.hasPrefix(text))
        }
    }

    @Test("engines with a key share the daily budget, and requests to a server without a key do not count toward it")
    func budget() async throws {
        let environment = ["BOOKSTRACK_SCAN_DAILY_BUDGET": "2", "BOOKSTRACK_VISION_API_KEY": "a-key"]
        try await WorkerRig.run(.init(engines: [.gemini, .openai], environment: environment)) { rig in
            rig.providers.setFaults(#"[{"provider":"gemini","kind":"empty"}]"#)
            #expect(await answeringModel(rig) == "emulated-model")
            guard case .failure(.call(.quotaExhausted)) = await ask(rig) else {
                Issue.record("there was budget left")
                return
            }
            #expect(rig.requests(to: .gemini) == 1)
            #expect(rig.requests(to: .openai) == 1)
            let used = try await rig.cache.usage(provider: "scans")?.used
            #expect(used == 2)
        }
        try await WorkerRig.run(
            .init(engines: [.gemini, .openai], environment: ["BOOKSTRACK_SCAN_DAILY_BUDGET": "1"])
        ) { rig in
            rig.providers.setFaults(#"[{"provider":"gemini","kind":"empty"}]"#)
            for _ in 0..<3 { _ = await answeringModel(rig) }
            #expect(rig.requests(to: .openai) == 3)
        }
    }

    @Test("once the daily quota is exhausted, Gemini is not asked again and is reported as degraded")
    func dailyQuota() async throws {
        try await WorkerRig.run(.init(engines: [.gemini])) { rig in
            rig.providers.setFaults(#"[{"provider":"gemini","kind":"quota"}]"#)
            for _ in 0..<3 { _ = await ask(rig) }
            #expect(rig.requests(to: .gemini) == 1)
            let gemini = rig.worker.status.readiness().dependencies?.first { $0.name == "gemini" }
            #expect(gemini?.status == .degraded)
        }
    }

    @Test("the log contains the status with which an engine refuses a question")
    func refusedQuestion() async throws {
        let log = RecordingLog()
        try await WorkerRig.run(.init(engines: [.gemini], logger: log.logger)) { rig in
            rig.providers.setFaults(#"[{"provider":"gemini","kind":"status","code":400}]"#)
            _ = await ask(rig)
            #expect(log.metadata(at: .notice).contains { $0["reason"] == "http_status:400" })
        }
    }

    @Test(
        "operators are told what to correct, and no log shows a key",
        arguments: [
            (#""kind":"invalidKey""#, "it refuses the key; correct BOOKSTRACK_GEMINI_API_KEY"),
            (#""kind":"missing""#, "it does not have the model gemini-3.5-flash-lite; correct BOOKSTRACK_GEMINI_MODEL"),
        ])
    func operators(fault: String, reason: String) async throws {
        let log = RecordingLog()
        try await WorkerRig.run(.init(engines: [.gemini], logger: log.logger)) { rig in
            rig.providers.setFaults(#"[{"provider":"gemini",\#(fault)}]"#)
            _ = await ask(rig)
            let gemini = rig.worker.status.readiness().dependencies?.first { $0.name == "gemini" }
            #expect(gemini?.reason == reason)
            #expect(log.texts(at: .warning).count == 1)
            for level in Logger.Level.allCases {
                #expect(log.texts(at: level).allSatisfy { !$0.contains("a-gemini-key") })
                #expect(log.metadata(at: level).allSatisfy { !"\($0)".contains("a-gemini-key") })
            }
            #expect(rig.providers.log.allSatisfy { !$0.path.contains("a-gemini-key") })
        }
    }
}
