import BookstrackContract
import JSONRPC
import NIOCore
import Observability
import ServiceKit
import SuiteMethods

/// The RPC entry points of progress-host: decode, pass on to the engine or to a reader of the database, encode. No state lives here
/// (Services/README.md rule 2).
struct HostMethods: Sendable {
    let engine: EngineThread
    let results: ResultsReader
    let lister: JobLister
    let analytics: AnalyticsReader
    let health: HealthReporter
    let tail: TailHub
    let metrics: ServerMetrics
    /// The effective settings of the process.
    var settings: [ReadSettings.Setting] = []

    /// A router with all methods that progress-host answers.
    func router() -> RPCRouter {
        var router = RPCRouter()
        addJobs(to: &router)
        addReading(to: &router)
        addConsole(to: &router)
        addImports(to: &router)
        addScans(to: &router)
        addService(to: &router)
        addSockets(to: &router)
        addWork(to: &router)
        addWebhooks(to: &router)
        addV1(to: &router)
        router.answerTail(of: .progressHost, from: tail)
        router.gather = { engine.gather($0) }
        return router
    }

    /// Handles a closed connection: drops its claims, leases, sockets and drafts.
    func disconnected(_ connection: RPCConnection) {
        let peer = connection.id
        engine.tell { engine, _ in engine.disconnected(peer) }
    }

    /// Closes the server's connections, finishes the engine's work, and ends its thread.
    func stop(_ server: RPCServer?) async {
        engine.tell { engine, _ in engine.prepareToStop() }
        await server?.shutdown()
        await engine.stop()
    }

    private func addJobs(to router: inout RPCRouter) {
        handle(CreateJob.self, durable: true, in: &router) { parameters, _, engine, turn in
            try engine.create(
                parameters.jobId, pipeline: parameters.pipeline, digest: parameters.digest, items: parameters.items,
                origin: parameters.origin, turn)
        }
        handle(BeginDraft.self, in: &router) { parameters, link, engine, turn in
            try engine.beginDraft(parameters, owner: link.id, turn)
        }
        handle(AppendToDraft.self, in: &router) { parameters, link, engine, turn in
            try engine.appendToDraft(parameters, owner: link.id, turn)
            return Nothing()
        }
        handle(SubmitDraft.self, durable: true, in: &router) { parameters, link, engine, turn in
            try engine.submitDraft(parameters.draftId, owner: link.id, turn)
        }
        handle(CancelJob.self, durable: true, in: &router) { parameters, _, engine, turn in
            try engine.cancel(parameters, turn)
        }
        handle(RetryJob.self, durable: true, in: &router) { parameters, _, engine, turn in
            try engine.retryFailed(parameters, turn)
        }
        handle(RefreshToken.self, durable: true, in: &router) { parameters, _, engine, turn in
            try engine.tokens.refresh(parameters, turn)
        }
    }

    private func addReading(to router: inout RPCRouter) {
        handle(ReadJobState.self, writes: false, in: &router) { parameters, _, engine, turn in
            try engine.state(parameters, turn)
        }
        handle(ReadJobProgress.self, writes: false, in: &router) { parameters, _, engine, turn in
            try engine.progress(parameters, turn)
        }
        router.handle(QueryAnalytics.self) { parameters, _ in try await analytics.days(parameters) }
        addResults(ReadResults.name, to: &router) { (parameters: ReadResults.Parameters) in
            (parameters.jobId, { try await results.opening(of: parameters.jobId).raw() })
        }
        addResults(ReadResultsPage.name, to: &router) { (parameters: ReadResultsPage.Parameters) in
            (parameters.jobId, { try await results.page(of: parameters.jobId, cursor: parameters.cursor).raw })
        }
    }

    /// Registers a method that answers with rows of a job's results as raw JSON, at the caller's pace.
    func addResults<Parameters: Decodable>(
        _ name: String, to router: inout RPCRouter,
        _ read: @escaping @Sendable (Parameters) -> (job: JobID, rows: () async throws -> ByteBuffer)
    ) {
        router.handlePaced(name, answerBytes: ResultsPage.bytes) { raw, _ in
            try await rpcErrors {
                guard let parameters = try? BodyCoding.decode(Parameters.self, from: raw) else {
                    throw HostFailure.invalidRequest("parameters do not have the documented shape")
                }
                let (job, rows) = read(parameters)
                Activity.current?.concern(job: job.text)
                return try await rows()
            }
        }
    }

    private func addService(to router: inout RPCRouter) {
        router.handle(HealthCheck.self) { _, _ in
            reportStorage()
            return HealthCheck.Result(
                service: .progressHost, version: SuiteVersion.text, readiness: health.readiness)
        }
        router.handle(ReadStatus.self) { _, _ in try await status() }
        router.answerMetrics(from: metrics) { reportStorage() }
        router.answerSettings(of: .progressHost, settings)
    }

    private func status() async throws -> ReadStatus.Result {
        var jobs = try await read { engine, turn in engine.figures(at: turn.now) }
        // While the database cannot be read, everything else is still reported.
        jobs.recentlyEnded = (try? await read { engine, turn in try engine.jobs.recentlyEnded(turn) }) ?? []
        reportStorage()
        var status = ReadStatus.Result(of: .progressHost, health, health.readiness)
        status.host = HostFigures(
            jobs: jobs, storage: StorageFiles(results.pool).figures(engine.storage), mailbox: engine.mailboxFigure)
        return status
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (JobEngine, Turn) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { caller in
            engine.submit(writes: false, reply: { caller.resume(with: $0.mapError(\.rpc)) }, body)
        }
    }

    private func reportStorage() {
        switch engine.storage {
        case .working: health.report("storage", .ready, reason: "the database is writable")
        case .refusing(let reason): health.report("storage", .unavailable, reason: reason)
        }
    }

    private func addSockets(to router: inout RPCRouter) {
        handle(OpenSocket.self, writes: false, in: &router) { parameters, link, engine, turn in
            try engine.connections.open(parameters.socket, parameters.request, from: link, turn)
        }
        handle(ResumeSockets.self, writes: false, in: &router) { parameters, link, engine, turn in
            try engine.connections.resume(parameters.sockets, from: link, turn)
            return Nothing()
        }
        router.on(SocketMessage.self) { parameters, connection in
            let key = SocketKey(peer: connection.id, socket: parameters.socket)
            engine.post(writes: false, bytes: parameters.text.utf8.count) { engine, turn in
                try engine.connections.receive(parameters.text, from: key, turn)
            } refuse: { _ in
                // A message must not be lost silently: after the close, the client reconnects and repeats it.
                connection.notify(
                    CloseSockets.self,
                    .init(sockets: [parameters.socket], code: .tryAgainLater, reason: "the service is busy"))
            }
        }
        router.on(SocketAlive.self) { parameters, connection in
            let key = SocketKey(peer: connection.id, socket: parameters.socket)
            engine.post(writes: false) { engine, turn in engine.connections.heard(key, turn) }
        }
        router.on(SocketCaughtUp.self) { parameters, connection in
            let key = SocketKey(peer: connection.id, socket: parameters.socket)
            engine.tell { engine, _ in engine.streams.caughtUp(key) }
        }
        router.on(SocketClosed.self) { parameters, connection in
            let key = SocketKey(peer: connection.id, socket: parameters.socket)
            engine.tell { engine, _ in engine.streams.forget(key) }
        }
    }

    private func addWork(to router: inout RPCRouter) {
        handle(AttachWorker.self, writes: false, in: &router) { parameters, link, engine, turn in
            AttachWorker.Result(unwanted: try engine.work.attach(link, held: parameters.held, turn))
        }
        router.handleInline(ClaimWork.self) { parameters, connection, reply in
            let peer = connection.id
            engine.post { engine, turn in
                engine.work.claim(
                    parameters, from: peer, turn, isAwaited: { reply.isAwaited },
                    reply: { reply.answer($0) { try $0.raw() } })
            } refuse: {
                reply.fail($0.rpc)
            }
        }
        handle(ReleaseWork.self, writes: false, outlivesCaller: true, in: &router) { parameters, link, engine, turn in
            try engine.work.release(parameters.items, from: link.id, turn)
            return Nothing()
        }
        router.handleRawInline(RecordWork.name, answering: Nothing.self) { raw, connection, reply in
            guard let work = RecordWork(raw: raw) else {
                let reason = "outcomes and rows do not have the documented shape"
                return reply.fail(HostFailure.invalidRequest(reason).rpc)
            }
            let peer = connection.id
            engine.submit(bytes: raw.readableBytes, reply: { reply.answer($0) }) { engine, turn in
                try engine.record(work, from: peer, turn)
                return Nothing()
            }
        }
    }

    private func addWebhooks(to router: inout RPCRouter) {
        handleClaim(ClaimWebhook.self, in: &router) { $0.webhooks.claims }
        handle(RecordWebhook.self, outlivesCaller: true, in: &router) { parameters, _, engine, turn in
            try engine.recordWebhook(parameters, turn)
            return Nothing()
        }
    }

    private func addV1(to router: inout RPCRouter) {
        handle(PushProgress.self, in: &router) { parameters, _, engine, turn in
            guard let text = parameters.text else { throw HostFailure.invalidRequest("no status text") }
            try engine.push(text, to: parameters.jobId, turn)
            return Nothing()
        }
        handle(CloseConnection.self, writes: false, in: &router) { parameters, _, engine, turn in
            try engine.connections.closeConnections(of: parameters.jobId, reason: parameters.reason, turn)
            return Nothing()
        }
    }

    /// Registers `method`, whose calls the engine answers in order of arrival. If the caller has given up, the call runs only if it `outlivesCaller`.
    func handle<M: RPCMethod>(
        _ method: M.Type, durable: Bool = false, writes: Bool = true, outlivesCaller: Bool = false,
        in router: inout RPCRouter,
        _ body: @escaping @Sendable (M.Parameters, any PeerLink, JobEngine, Turn) throws -> M.Result
    ) {
        router.handleInline(method) { parameters, connection, reply in
            engine.submit(
                durable: durable, writes: writes, bytes: reply.parameterBytes,
                isAwaited: { outlivesCaller || reply.isAwaited },
                reply: { reply.answer($0) }
            ) { engine, turn in
                try body(parameters, connection, engine, turn)
            }
        }
    }

    /// Registers `method`, with which a worker claims a file, photos or a webhook.
    func handleClaim<M: RPCMethod>(
        _ method: M.Type, in router: inout RPCRouter,
        _ claims: @escaping @Sendable (JobEngine) -> WaitingClaims<M.Result>
    ) where M.Parameters == ClaimImport.Parameters {
        router.handleInline(method) { parameters, connection, reply in
            let peer = connection.id
            engine.post { engine, turn in
                engine.claim(
                    parameters, in: claims(engine), from: peer, turn, isAwaited: { reply.isAwaited },
                    reply: { reply.answer($0) })
            } refuse: {
                reply.fail($0.rpc)
            }
        }
    }

    func rpcErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let failure as HostFailure {
            throw failure.rpc
        }
    }
}
