import BookstrackContract
import JSONRPC
import NIOConcurrencyHelpers
import NIOCore
import SuiteMethods

/// The part of a scripted progress-host that hands out library files and photos, and keeps the worker's calls about them.
final class FakeImports: Sendable {
    /// A worker's call about its step.
    enum Call: Sendable {
        case page(RecordImportRows)
        case finish(FinishImport.Parameters)
        case fail(FailImport.Parameters)
        case release(ReadingStepKey)
        case photo(RecordPhoto.Parameters)
    }

    /// How the host responds to a page or a photo.
    enum Answer: Sendable {
        case wanted
        case unwanted
        case refused(APIErrorCode)
        /// A page is held until ``FakeImports/answerHeldPage()`` responds to it; the call for a photo fails with an internal error.
        case held
    }

    private struct State: Sendable {
        var steps: [ReadingStep] = []
        var claim: RPCReply<ClaimImport.Result>?
        var answers: [Answer] = []
        var heldPage: RPCReply<StepAnswer>?
        var progress: [ImportProgress.Parameters] = []
        var scans: [ScanStep] = []
        var scanClaim: RPCReply<ClaimScan.Result>?
    }

    private let state = NIOLockedValueBox(State())
    private let received: AsyncStream<Call>
    private let continuation: AsyncStream<Call>.Continuation

    init() { (received, continuation) = AsyncStream.makeStream() }

    /// Hands out a file.
    func hand(_ step: ReadingStep) {
        state.withLockedValue { $0.steps.append(step) }
        serve()
    }

    /// Hands out photos.
    func hand(_ step: ScanStep) {
        state.withLockedValue { $0.scans.append(step) }
        serveScans()
    }

    /// Sets how to respond to the next pages and photos; later ones are accepted.
    func answer(_ answers: Answer...) { state.withLockedValue { $0.answers = answers } }

    /// Responds to the page that is held.
    func answerHeldPage() {
        let reply = state.withLockedValue { state in
            defer { state.heldPage = nil }
            return state.heldPage
        }
        reply?.succeed(StepAnswer(isWanted: true))
    }

    /// The next call; nil when the test's time limit is reached.
    func next() async -> Call? {
        for await call in received { return call }
        return nil
    }

    /// The workers' progress notifications.
    var progress: [ImportProgress.Parameters] { state.withLockedValue { $0.progress } }

    /// The pages of a step, and the call after them, which is nil if the test's time limit is reached first.
    func calls() async -> (pages: [RecordImportRows], end: Call?) {
        var pages: [RecordImportRows] = []
        for await call in received {
            guard case .page(let page) = call else { return (pages, call) }
            pages.append(page)
        }
        return (pages, nil)
    }

    func add(to router: inout RPCRouter) {
        router.handleInline(ClaimImport.self) { _, _, reply in
            self.state.withLockedValue { $0.claim = reply }
            self.serve()
        }
        router.handleRawInline(RecordImportRows.name, answering: StepAnswer.self) { raw, _, reply in
            guard let page = RecordImportRows(raw: raw) else { return }
            self.take(page, reply)
        }
        router.handle(FinishImport.self) { parameters, _ in
            self.continuation.yield(.finish(parameters))
            return StepAnswer(isWanted: true)
        }
        router.handle(FailImport.self) { parameters, _ in
            self.continuation.yield(.fail(parameters))
            return StepAnswer(isWanted: true)
        }
        router.handle(ReleaseImport.self) { parameters, _ in
            self.continuation.yield(.release(parameters.key))
            return Nothing()
        }
        router.handleInline(ClaimScan.self) { _, _, reply in
            self.state.withLockedValue { $0.scanClaim = reply }
            self.serveScans()
        }
        router.handleInline(RecordPhoto.self) { parameters, _, reply in
            self.respond(with: self.nextAnswer(), to: reply)
            self.continuation.yield(.photo(parameters))
        }
        router.on(ScanProgress.self) { _, _ in }
        router.on(ImportProgress.self) { parameters, _ in
            self.state.withLockedValue { $0.progress.append(parameters) }
        }
    }

    private func take(_ page: RecordImportRows, _ reply: RPCReply<StepAnswer>) {
        let answer = nextAnswer()
        if case .held = answer { state.withLockedValue { $0.heldPage = reply } }
        respond(with: answer, to: reply)
        continuation.yield(.page(page))
    }

    private func nextAnswer() -> Answer {
        state.withLockedValue { $0.answers.isEmpty ? .wanted : $0.answers.removeFirst() }
    }

    private func respond(with answer: Answer, to reply: RPCReply<StepAnswer>) {
        switch answer {
        case .wanted: reply.succeed(StepAnswer(isWanted: true))
        case .unwanted: reply.succeed(StepAnswer(isWanted: false))
        case .refused(let code): reply.fail(RPCApplicationError(code: code.rawValue, message: "refused"))
        case .held: break
        }
    }

    private func serve() {
        let answer = state.withLockedValue { state -> (RPCReply<ClaimImport.Result>, ReadingStep)? in
            guard let claim = state.claim, !state.steps.isEmpty else { return nil }
            state.claim = nil
            return (claim, state.steps.removeFirst())
        }
        if let (claim, step) = answer { claim.succeed(.init(step: step)) }
    }

    private func serveScans() {
        let answer = state.withLockedValue { state -> (RPCReply<ClaimScan.Result>, ScanStep)? in
            guard let claim = state.scanClaim, !state.scans.isEmpty else { return nil }
            state.scanClaim = nil
            return (claim, state.scans.removeFirst())
        }
        if let (claim, step) = answer { claim.succeed(.init(step: step)) }
    }
}
