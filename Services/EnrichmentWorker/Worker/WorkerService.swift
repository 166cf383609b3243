import Foundation
import JSONRPC
import LibraryImport
import Logging
import NIOCore
import NIOPosix
import Observability
import ProviderClient
import ServiceKit
import ServiceLifecycle
import SuiteMethods
import Transfer

/// The enrichment-worker service: claims items, library files, photos and webhooks from progress-host and records their outcomes there, and answers
/// calls, such as api-proxy's searches.
struct WorkerService: Service {
    private let context: ServiceContext
    private let listener: Listeners.Listener
    private let policy: WorkerPolicy
    private let cache: ProviderCache
    private let clients: ProviderClients
    private let webhooks: WebhookSender?
    private let clock: any SuiteClock
    private let metrics: WorkerMetrics

    /// Opens the cache as soon as storage permits it, then creates the clients and their transfer engine.
    init(
        _ context: ServiceContext, policy: WorkerPolicy = WorkerPolicy(),
        clock: any SuiteClock = SystemClock()
    ) async throws {
        self.context = context
        listener = context.listeners.announce("socket")
        var policy = policy
        policy.libraryFiles.rows = context.settings[.maxImportRows]
        self.policy = policy
        self.clock = clock
        let metrics = WorkerMetrics(context.metrics)
        self.metrics = metrics
        cache = try await ProviderCache.opened(clock: clock, health: context.health, logger: context.logger) {
            try ProviderCache(
                path: Self.cachePath(context), ttl: CacheTTL(context.settings),
                limit: context.settings[.cacheMaxBytes], clock: clock, metrics: metrics, logger: context.logger)
        }
        context.metrics.declareDatabase("cache", at: Self.cachePath(context))
        clients = try await ProviderClients(
            context.settings, budgets: cache, clock: clock, logger: context.logger)
        webhooks = try WebhookSender(context.settings, clients.engine)
        context.metrics.declare(clients.all)
    }

    private static func cachePath(_ context: ServiceContext) -> String { context.directories.file("cache.sqlite") }

    private var covers: CoverFetcher {
        let store = CoverStore(
            directory: context.directories.covers, limit: context.settings[.coversMaxBytes], clock: clock,
            logger: context.logger)
        return CoverFetcher(
            clients: clients.covers, store: store, clock: clock, metrics: metrics, logger: context.logger)
    }

    func run() async throws {
        let worker = Worker(
            hostPath: context.directories.socket(of: .progressHost), clients: clients,
            cache: cache, policy: policy, webhooks: webhooks, clock: clock, health: context.health, tail: context.tail,
            metrics: metrics,
            logger: context.logger)
        context.metrics.declare(worker)
        let serverMetrics = ServerMetrics(.enrichmentWorker, context.metrics)
        let methods = WorkerMethods(
            starter: JobStarter(host: worker.host),
            searcher: Searcher(scheduler: worker.scheduler, cache: cache, clock: clock),
            reports: MetadataReports(
                cache: cache, scheduler: worker.scheduler,
                budgets: [context.settings[.googleBooksDailyBudget]]
                    + (clients.caller.isbndb == nil ? [] : [context.settings[.isbndbDailyBudget]]), metrics: metrics),
            covers: covers, previews: ImportPreviews(limits: policy.libraryFiles, mappings: worker.mappings),
            cache: cache, status: worker.status,
            figures: WorkerFigureReader(
                worker: worker, providers: clients.shown, cache: cache, policy: policy, clock: clock),
            probes: ProviderProbes(providers: clients.shown),
            operations: ProviderOperations(providers: clients.shown, scheduler: worker.scheduler),
            maxBooks: context.settings[.maxBatchBooks],
            tail: context.tail, metrics: serverMetrics, settings: context.settings.reported)
        let path = context.directories.socket(of: .worker(context.settings[.workerName]))
        let server = try await RPCServer.bind(
            path: path, router: methods.router(),
            allowedUIDs: Set(context.settings[.allowedUserIDs]).union([getuid()]),
            group: MultiThreadedEventLoopGroup.singleton, logger: context.logger)
        serverMetrics.follow(server)
        listener.listens(at: path)
        let work = Task { await worker.run() }
        try? await gracefulShutdown()
        await server.shutdown()
        await worker.stop()
        await work.value
        await clients.engine.shutdown()
        try await cache.close()
    }
}

/// The service that queries metadata providers (Services/README.md).
package enum EnrichmentWorker {
    /// Runs the service until it is stopped by a signal.
    package static func main() async {
        await ServiceMain.run(
            .enrichmentWorker, abstract: "Looks up books at metadata providers, and reads library files and photos."
        ) { context in
            [try await WorkerService(context)]
        }
    }
}
