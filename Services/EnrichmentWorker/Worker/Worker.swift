import BookstrackContract
import JSONRPC
import LibraryImport
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Observability
import ProviderClient
import ServiceKit
import SuiteMethods

/// A worker attached to one host: its connection, and everything that claims work and delivers outcomes over it.
final class Worker: Sendable {
    /// How long to wait for a connection at a time; a pause follows.
    private static let connectionWait = Duration.seconds(60)
    private static let connectionPause = Duration.seconds(1)

    let host: RPCClient
    let leased: LeasedItems
    let outbox: OutcomeOutbox
    let status: WorkerStatus
    /// Library files that are being read.
    let readings: OpenSteps
    /// Asks models about columns; shared with previews.
    let mappings: MappingCaller
    /// The engines that read photos.
    let engines: EngineClients
    /// Answers the lookups' questions; shared with searches.
    let scheduler: QuestionScheduler
    private let claims: ClaimLoop
    private let importClaims: StepClaimLoop<ReadingStep>
    private let scanClaims: StepClaimLoop<ScanStep>
    /// Claims webhooks; nil if webhooks are off.
    private let webhookClaims: StepClaimLoop<WebhookCall>?
    private let policy: WorkerPolicy
    private let disconnections: LoopSignal
    private let claiming = NIOLockedValueBox<[Task<Void, Never>]>([])

    init(
        hostPath: String, clients: ProviderClients, cache: ProviderCache, policy: WorkerPolicy,
        webhooks: WebhookSender? = nil, clock: any SuiteClock, health: HealthReporter, tail: TailHub = TailHub(),
        metrics: WorkerMetrics, logger: Logger
    ) {
        self.policy = policy
        let leased = LeasedItems()
        let disconnections = LoopSignal()
        let readings = OpenSteps()
        let scans = OpenSteps()
        let host = Self.client(hostPath, leased, readings, scans, disconnections, logger)
        let outbox = OutcomeOutbox(host: host, leased: leased, limit: policy.outcomes, clock: clock, logger: logger)
        let scheduler = QuestionScheduler(
            caller: clients.caller, cache: cache, gathering: policy.gathering, clock: clock)
        let runner = ItemRunner(
            scheduler: scheduler, cache: cache, leased: leased, outbox: outbox, host: host, policy: policy,
            clock: clock, tail: tail, metrics: metrics)
        self.leased = leased
        self.readings = readings
        self.scheduler = scheduler
        self.disconnections = disconnections
        let engines = EngineClients(all: clients.engines, metrics: metrics, clock: clock, logger: logger)
        mappings = MappingCaller(engines: engines.models, cache: cache)
        self.engines = engines
        self.host = host
        self.outbox = outbox
        status = WorkerStatus(
            host: host, providers: clients.shown, health: health, engines: clients.engines,
            watch: EngineWatch(clients.engines, clock: clock))
        claims = ClaimLoop(
            host: host, leased: leased, outbox: outbox, runner: runner, policy: policy, clock: clock,
            failures: ClaimFailures(name: "item", logger: logger))
        importClaims = StepClaimLoop(
            host: host,
            work: Self.imports(
                ImportReader(
                    readings: readings, limits: policy.libraryFiles, mappings: mappings, clock: clock, tail: tail,
                    metrics: metrics.readings, logger: logger), policy),
            failures: ClaimFailures(name: "import", logger: logger))
        scanClaims = StepClaimLoop(
            host: host,
            work: Self.scans(
                PhotoReader(
                    asker: PhotoAsker(engines: engines, cache: cache), open: scans, clock: clock, tail: tail,
                    metrics: metrics.scans, logger: logger), policy),
            failures: ClaimFailures(name: "scan", logger: logger))
        webhookClaims = webhooks.map {
            StepClaimLoop(
                host: host, work: $0.work(at: host, policy, logger),
                failures: ClaimFailures(name: "webhook", logger: logger))
        }
    }

    /// Maximum number of library files that the worker holds at a time: those that it is reading, and those waiting for a model.
    private static let importsAtOnce = 10
    /// How often a worker without an engine checks whether a shelf reader has been installed.
    private static let enginePause = Duration.seconds(1)

    private static func imports(_ reader: ImportReader, _ policy: WorkerPolicy) -> StepClaimLoop<ReadingStep>.Work {
        let wait = ClaimImport.Parameters(waitMilliseconds: policy.claimWaitMilliseconds)
        return .init(
            atOnce: importsAtOnce, permits: reader.permits,
            claim: { connection throws(RPCError) in try await connection.call(ClaimImport.self, wait).step },
            run: { await reader.read($0, $1) })
    }

    /// How scans are claimed and read: several at a time, one photo of each. Without an engine, the worker claims none, so that they go to other
    /// workers or wait for one with an engine.
    private static func scans(_ reader: PhotoReader, _ policy: WorkerPolicy) -> StepClaimLoop<ScanStep>.Work {
        let wait = ClaimScan.Parameters(waitMilliseconds: policy.claimWaitMilliseconds)
        return .init(
            atOnce: Engine.photosAtOnce, permits: StepPermits(Engine.photosAtOnce),
            claim: { connection throws(RPCError) in
                guard !reader.asker.engines.present.isEmpty else {
                    try? await reader.clock.sleep(until: reader.clock.now.advanced(by: enginePause))
                    return nil
                }
                return try await connection.call(ClaimScan.self, wait).step
            },
            run: { await reader.read($0, $1) })
    }

    /// Runs until ``stop()``.
    func run() async {
        await withTaskGroup { group in
            let claims = [
                Task { [claims] in await claims.run() }, Task { [importClaims] in await importClaims.run() },
                Task { [scanClaims] in await scanClaims.run() },
                Task { [webhookClaims] in if let webhookClaims { await webhookClaims.run() } },
            ]
            claiming.withLockedValue { $0 = claims }
            disconnections.signal()
            group.addTask { await self.followConnection() }
            group.addTask { await self.status.watch.run() }
            await host.run()
            for task in claims { task.cancel() }
            group.cancelAll()
        }
    }

    /// Returns unfinished items, delivers finished ones, and disconnects.
    func stop() async {
        leased.room.finish()
        let claims = claiming.withLockedValue { $0 }
        for task in claims { task.cancel() }
        let unfinished = leased.dropUnfinished()
        if !unfinished.isEmpty { _ = try? await host.call(ReleaseWork.self, .init(items: unfinished)) }
        await outbox.drain(within: policy.deliveryLimit)
        // This also waits until files and photos that were being read have been returned.
        for task in claims { await task.value }
        await host.shutdown()
    }

    /// Reports when the host is disconnected. When it is connected again, reports that, too, and sends the outbox's outcomes.
    private func followConnection() async {
        for await _ in disconnections.wakes {
            status.reportHost()
            while (try? await host.waitUntilConnected(within: Self.connectionWait)) == nil {
                // A client that has been shut down fails immediately, so pause.
                guard (try? await Task.sleep(for: Self.connectionPause)) != nil else { return }
            }
            status.reportHost()
            outbox.sendCalls()
        }
    }

    /// The router for notifications from progress-host.
    static func router(_ leased: LeasedItems, _ readings: OpenSteps, _ scans: OpenSteps) -> RPCRouter {
        var router = RPCRouter()
        router.on(WorkWithdrawn.self) { parameters, _ in
            leased.drop(jobs: parameters.jobs)
            readings.drop(jobs: parameters.jobs)
            scans.drop(jobs: parameters.jobs)
        }
        return router
    }

    private static func client(
        _ path: String, _ leased: LeasedItems, _ readings: OpenSteps, _ scans: OpenSteps,
        _ disconnections: LoopSignal,
        _ logger: Logger
    ) -> RPCClient {
        var limits = RPCLimits()
        limits.maximumOutboundBytes = 32 << 20
        return RPCClient(
            path: path, router: router(leased, readings, scans), limits: limits,
            group: MultiThreadedEventLoopGroup.singleton,
            logger: logger, reconnect: ReconnectBackoff(cap: AttachWorker.maxReconnectPause)
        ) { connection in
            let answer = try await connection.call(AttachWorker.self, .init(held: leased.keys))
            leased.cancelLookups(of: answer.unwanted)
        } onDisconnect: { _ in
            disconnections.signal()
        }
    }
}

/// The limits and intervals of the worker.
struct WorkerPolicy: Sendable {
    /// Maximum number of leased first lookups, across all jobs.
    var firstLookups = 500
    /// Maximum number of additional leased items of interactive jobs, beyond `firstLookups`.
    var interactiveReserve = 50
    /// Maximum number of leased follow-ups and background retries.
    var laterItems = 250
    /// Maximum number of leased items.
    var leasedItems: Int { firstLookups + interactiveReserve + laterItems }
    /// Minimum time between claims of follow-ups and background retries while first lookups are in progress.
    var laterPause: Duration = .seconds(1)
    /// Maximum number of leased items of one job, counted separately for first lookups and later work: enough for ten full requests.
    var perJob = 250
    /// Minimum room for a claim, except an interactive one, while items of its kind are leased: enough for a full request.
    var minClaim = 25
    /// How long a claim waits for work at the host.
    var claimWait: Duration = .seconds(25)
    var claimWaitMilliseconds: Int { Int(claimWait / .milliseconds(1)) }
    /// How long a request that is not full waits for more questions, unless another request of its batch is in flight (``CallLimits/sharing``).
    var gathering: Duration = .milliseconds(2)
    /// How long a lookup may take; shorter than the host's lease of 120 s.
    var itemDeadline: Duration = .seconds(90)
    /// Maximum expected wait at which a first lookup waits for additions, for at most twice this time.
    var maxExpectedWait: Duration = .seconds(3)
    /// Number of unrecorded outcomes at which the worker stops claiming items.
    var outcomes = 1_000
    /// Limits for the rows, columns and cells of a library file.
    var libraryFiles = TableLimits()
    /// Maximum time for delivering finished items when the worker stops.
    var deliveryLimit: Duration = .seconds(5)
}
