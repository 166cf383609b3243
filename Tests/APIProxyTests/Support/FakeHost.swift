import BookstrackContract
import Glibc
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import SuiteMethods
import TestSupport

/// A scripted progress-host on a real Unix socket.
final class FakeHost: Sendable {
    /// A call or notification from the proxy.
    enum Event: Sendable {
        case created(CreateJob.Parameters)
        case draft(BeginDraft.Parameters)
        case draftItems(AppendToDraft.Parameters)
        case submitted(SubmitDraft.Parameters)
        case access(method: String, JobAccess)
        case begun(BeginImport.Parameters)
        case scanBegun(BeginScan.Parameters)
        case uploaded(JobID)
        case refreshed(TokenRefreshRequest)
        case opened(SocketID, SocketRequest)
        case resumed([ResumeSockets.LiveSocket])
        case message(SocketID, String)
        case alive(SocketID)
        case caughtUp(SocketID)
        case closed(SocketID)
        case operated(OperateJob.Parameters)
        case audited(RecordAudit.Parameters)
        case forwarded(name: String, body: String)
    }

    /// The scripted responses.
    struct Script: Sendable {
        /// If set, thrown by every call whose handler runs `check()`.
        var failure: RPCApplicationError?
        var openFailure: RPCApplicationError?
        /// A socket with one of these tokens may not be opened.
        var refusedTokens: Set<String> = []
        /// The sequence number after which events follow, as returned when a socket is opened.
        var replaysAfter: Int?
        var isOver: Bool?
        /// Delivered to each socket before the request to open it is answered.
        var earlyFrame: String?
        var rows: [[String]] = [[#"{"isbn":"9780441172719","success":true}"#]]
        var head: ReadResults.Head?
        /// Errors to throw when a page of `rows` is read, by cursor; they are thrown one after the other before the page is
        /// returned.
        var pageFailures: [Int: [RPCError]] = [:]
        /// The pages of an import's results: the part of the results and the rows of each.
        var importPages: [(ImportPart, [String])] = [(.books, [])]
        var importHead: ReadImportResults.Head?
        /// Whether the response to `BeginImport` or `BeginScan` asks for the upload.
        var needsFile = true
        var uploadFailure: RPCApplicationError?
        var progress: ReadJobProgress.Result?
        var state: JobState?
        /// If set, each read of a job's state waits for an element of this inbox.
        var stateRelease: Inbox<Void>?
        /// If set, each request to open a socket waits for an element of this inbox.
        var openRelease: Inbox<Void>?
        /// If set, each request to resume sockets waits for an element of this inbox.
        var resumeRelease: Inbox<Void>?
        var readiness = ReadinessReport(status: .ready)
        /// While this is set, the calls that would throw `failure` are not answered.
        var isSilent = false
    }

    let events = Inbox<Event>()
    let script: NIOLockedValueBox<Script>
    private let path: String
    private let server = NIOLockedValueBox<RPCServer?>(nil)
    private let connections = NIOLockedValueBox<[RPCConnection]>([])
    /// For each socket, the connection on which it was opened.
    private let openers = NIOLockedValueBox<[SocketID: RPCConnection]>([:])

    init(path: String, script: Script = Script()) {
        self.path = path
        self.script = NIOLockedValueBox(script)
    }

    func start() async throws {
        let server = try await RPCServer.bind(
            path: path, router: router, allowedUIDs: [getuid()], group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "fake-host"),
            onConnect: { connection in self.connections.withLockedValue { $0.append(connection) } },
            onDisconnect: { connection in self.connections.withLockedValue { $0.removeAll { $0 === connection } } })
        self.server.withLockedValue { $0 = server }
    }

    func stop() async {
        await server.withLockedValue { server in
            defer { server = nil }
            return server
        }?.shutdown()
    }

    /// Delivers a frame on every connection, since the sockets may have been opened on any of them.
    func deliver(_ frame: String, to sockets: [SocketID], _ kind: SocketDelivery.Kind, seq: Int) {
        let delivery = SocketDelivery(sockets: sockets, kind: kind, seq: seq, frame: ByteBuffer(string: frame))
        for connection in connections.withLockedValue({ $0 }) {
            connection.notifyRaw(SocketDelivery.name, delivery.raw)
        }
    }

    func noteV1(_ socket: SocketID) {
        for connection in connections.withLockedValue({ $0 }) {
            connection.notify(SocketSpeaksV1.self, .init(socket: socket))
        }
    }

    func close(_ sockets: [SocketID], _ code: CloseCode, reason: String = "") {
        for connection in connections.withLockedValue({ $0 }) {
            connection.notify(CloseSockets.self, .init(sockets: sockets, code: code, reason: reason))
        }
    }

    private func check() async throws {
        let (failure, isSilent) = script.withLockedValue { ($0.failure, $0.isSilent) }
        if isSilent { try await Task.sleep(for: .seconds(3_600)) }
        if let failure { throw failure }
    }

    private var router: RPCRouter {
        var router = RPCRouter()
        addJobs(to: &router)
        addImports(to: &router)
        addSockets(to: &router)
        addConsole(to: &router)
        router.handle(HealthCheck.self) { _, _ in
            HealthCheck.Result(
                service: .progressHost, version: "0", readiness: self.script.withLockedValue { $0.readiness })
        }
        for name in [PushProgress.name, CloseConnection.name] {
            router.handleRaw(name) { body, _ in
                self.events.append(.forwarded(name: name, body: String(buffer: body)))
                return ByteBuffer(string: "{}")
            }
        }
        return router
    }

    /// Adds the operator methods. `OperateJob` knows only `job-number-1`.
    private func addConsole(to router: inout RPCRouter) {
        router.handle(OperateJob.self) { parameters, _ in
            try await self.check()
            guard parameters.jobId.text == "job-number-1" else {
                throw RPCApplicationError(code: "NOT_FOUND", message: "no job \(parameters.jobId)")
            }
            self.events.append(.operated(parameters))
            return OperateJob.Result(status: .cancelled, outcome: "Job cancelled")
        }
        router.handle(QueryAnalytics.self) { parameters, _ in
            QueryAnalytics.Result(days: [
                AnalyticsDay(
                    day: "\(parameters.since ?? 0)", pipeline: .batchEnrichment, counts: QualityCounts(), providers: [])
            ])
        }
        router.handle(RecordAudit.self) { parameters, _ in
            self.events.append(.audited(parameters))
            return Nothing()
        }
    }

    private func addJobs(to router: inout RPCRouter) {
        let totals = NIOLockedValueBox<[Int: BeginDraft.Parameters]>([:])
        router.handle(CreateJob.self) { job, _ in
            try await self.check()
            self.events.append(.created(job))
            return CreatedJob(jobId: job.jobId, token: "tok-1", status: .pending, totalCount: job.items.count)
        }
        router.handle(BeginDraft.self) { draft, _ in
            try await self.check()
            self.events.append(.draft(draft))
            return totals.withLockedValue {
                $0[$0.count + 1] = draft
                return BeginDraft.Result(draftId: $0.count)
            }
        }
        router.handle(AppendToDraft.self) { page, _ in
            self.events.append(.draftItems(page))
            return Nothing()
        }
        router.handle(SubmitDraft.self) { submit, _ in
            self.events.append(.submitted(submit))
            guard let draft = totals.withLockedValue({ $0[submit.draftId] }) else {
                throw RPCApplicationError(code: "INVALID_REQUEST", message: "no such draft")
            }
            return CreatedJob(jobId: draft.jobId, token: "tok-1", status: .pending, totalCount: draft.totalCount)
        }
        router.handle(ReadJobState.self) { access, _ in
            try await self.check()
            self.events.append(.access(method: "state", access))
            if let release = self.script.withLockedValue(\.stateRelease) { try await release.take() }
            return self.script.withLockedValue(\.state)
                ?? JobState(
                    jobId: access.jobId, pipeline: .batchEnrichment, totalCount: 2,
                    createdAt: "2025-11-15T20:00:00.000Z")
        }
        router.handle(CancelJob.self) { access, _ in
            try await self.check()
            self.events.append(.access(method: "cancel", access))
            return CancelOutcome(
                jobId: access.jobId, status: .cancelled, message: "Job cancelled",
                cleanup: .init(itemsDiscarded: 1, uploadsDeleted: 0))
        }
        router.handle(RetryJob.self) { access, _ in
            try await self.check()
            self.events.append(.access(method: "retry", access))
            return RetryOutcome(jobId: access.jobId, status: .completed, retrying: 3)
        }
        router.handle(RefreshToken.self) { request, _ in
            try await self.check()
            self.events.append(.refreshed(request))
            return TokenRefreshed(jobId: request.jobId, token: "tok-2", expiresAt: "2025-11-15T22:00:00.000Z")
        }
        router.handleRaw(ReadResults.name) { raw, _ in
            let request = try BodyCoding.decode(ReadResults.Parameters.self, from: raw)
            try await self.check()
            let head =
                self.script.withLockedValue(\.head)
                ?? .init(
                    jobId: request.jobId, resultsRevision: 1, expiresAt: "2025-11-16T20:00:00.000Z", successCount: 1,
                    failureCount: 0)
            return try ReadResults(head: head, page: try self.page(at: 0)).raw()
        }
        router.handleRaw(ReadResultsPage.name) { raw, _ in
            try self.page(at: try BodyCoding.decode(ReadResultsPage.Parameters.self, from: raw).cursor).raw
        }
    }

    private func addImports(to router: inout RPCRouter) {
        router.handle(BeginImport.self) { start, _ in
            try await self.check()
            self.events.append(.begun(start))
            return BeginImport.Result(
                jobId: start.jobId, token: "tok-1", status: .pending,
                needsFile: self.script.withLockedValue(\.needsFile),
                enrichment: start.enrich ? JobID("linked-12345").map { .init(jobId: $0, token: "tok-2") } : nil)
        }
        router.handle(BeginScan.self) { start, _ in
            try await self.check()
            self.events.append(.scanBegun(start))
            return BeginScan.Result(
                jobId: start.jobId, token: "tok-1", status: .pending,
                needsFile: self.script.withLockedValue(\.needsFile))
        }
        router.handle(ImportUploaded.self) { upload, _ in
            if let failure = self.script.withLockedValue(\.uploadFailure) { throw failure }
            self.events.append(.uploaded(upload.jobId))
            return Nothing()
        }
        router.handle(ReadJobProgress.self) { access, _ in
            try await self.check()
            self.events.append(.access(method: "progress", access))
            return self.script.withLockedValue(\.progress)
                ?? .init(
                    jobId: access.jobId, pipeline: .csvImport, status: .processing, progress: 0.5, processedCount: 1,
                    totalCount: 2)
        }
        router.handleRaw(ReadImportResults.name) { raw, _ in
            try await self.check()
            let jobId = try BodyCoding.decode(ReadImportResults.Parameters.self, from: raw).jobId
            let head = self.script.withLockedValue(\.importHead) ?? .example(jobId)
            return try ReadImportResults(head: head, page: self.importPage(at: 0)).raw()
        }
        router.handleRaw(ReadImportPage.name) { raw, _ in
            self.importPage(at: try BodyCoding.decode(ReadImportPage.Parameters.self, from: raw).cursor).raw
        }
    }

    private func importPage(at cursor: Int) -> ImportRowsPage {
        let pages = script.withLockedValue(\.importPages)
        return ImportRowsPage(
            next: cursor + 1 < pages.count ? cursor + 1 : nil, part: pages[cursor].0,
            rows: ByteBuffer(string: pages[cursor].1.joined(separator: ",")))
    }

    private func page(at cursor: Int) throws -> ResultsPage {
        let (rows, failure) = script.withLockedValue { script -> ([[String]], RPCError?) in
            let failure = script.pageFailures[cursor]?.first
            script.pageFailures[cursor]?.removeFirst(failure == nil ? 0 : 1)
            return (script.rows, failure)
        }
        if let failure { throw failure }
        return ResultsPage(
            next: cursor + 1 < rows.count ? cursor + 1 : nil,
            rows: ByteBuffer(string: rows.indices.contains(cursor) ? rows[cursor].joined(separator: ",") : ""))
    }

    private func addSockets(to router: inout RPCRouter) {
        router.handle(OpenSocket.self) { opening, connection in
            self.openers.withLockedValue { $0[opening.socket] = connection }
            try await self.check()
            let script = self.script.withLockedValue { $0 }
            if let failure = script.openFailure { throw failure }
            if let token = opening.request.token, script.refusedTokens.contains(token) {
                throw RPCApplicationError(code: APIErrorCode.unauthorized.rawValue, message: "no")
            }
            if let frame = script.earlyFrame { self.deliver(frame, to: [opening.socket], .event, seq: 1) }
            self.events.append(.opened(opening.socket, opening.request))
            if let release = script.openRelease { try await release.take() }
            return OpenSocket.Result(tokenNumber: 7, replaysAfter: script.replaysAfter, isOver: script.isOver)
        }
        router.handle(ResumeSockets.self) { resume, _ in
            if !resume.sockets.isEmpty { self.events.append(.resumed(resume.sockets)) }
            if let release = self.script.withLockedValue({ $0.resumeRelease }) { try await release.take() }
            return Nothing()
        }
        router.on(SocketMessage.self) { message, _ in self.events.append(.message(message.socket, message.text)) }
        router.on(SocketAlive.self) { alive, _ in self.events.append(.alive(alive.socket)) }
        router.on(SocketCaughtUp.self) { caughtUp, _ in self.events.append(.caughtUp(caughtUp.socket)) }
        router.on(SocketClosed.self) { closed, _ in self.events.append(.closed(closed.socket)) }
    }
}

extension FakeHost {
    /// The parameters of the next call that starts an import.
    func nextBegun() async throws -> BeginImport.Parameters {
        guard case .begun(let start) = try await events.take(where: { if case .begun = $0 { true } else { false } })
        else { throw RPCError.notConnected }
        return start
    }

    func nextOpened() async throws -> (SocketID, SocketRequest) {
        guard
            case .opened(let id, let request) = try await events.take(where: {
                if case .opened = $0 { true } else { false }
            })
        else { throw RPCError.notConnected }
        return (id, request)
    }

    func nextCreated() async throws -> CreateJob.Parameters {
        guard case .created(let job) = try await events.take(where: { if case .created = $0 { true } else { false } })
        else { throw RPCError.notConnected }
        return job
    }

    func nextMessage() async throws -> (SocketID, String) {
        guard
            case .message(let id, let text) = try await events.take(where: {
                if case .message = $0 { true } else { false }
            })
        else { throw RPCError.notConnected }
        return (id, text)
    }

    /// The connection on which a socket was opened.
    func opener(of socket: SocketID) -> RPCConnection? { openers.withLockedValue { $0[socket] } }

    /// The pages in which the next `count` sockets are resumed.
    func nextResumed(_ count: Int) async throws -> [[ResumeSockets.LiveSocket]] {
        var pages: [[ResumeSockets.LiveSocket]] = []
        while pages.joined().count < count { pages.append(try await nextResumed()) }
        return pages
    }

    func nextResumed() async throws -> [ResumeSockets.LiveSocket] {
        guard
            case .resumed(let sockets) = try await events.take(where: { if case .resumed = $0 { true } else { false } })
        else { throw RPCError.notConnected }
        return sockets
    }
}

extension ReadResults.Head {
    /// The head that `ReadResults` returns for an import, whose results are read with other calls.
    static var ofImport: Self {
        .init(
            jobId: .random(), pipeline: .csvImport, resultsRevision: 0, expiresAt: "2025-11-16T20:00:00.000Z",
            successCount: 0, failureCount: 0)
    }
}
