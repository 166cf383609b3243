import BookstrackContract
import Hummingbird
import JSONRPC
import Logging
import NIOCore
import Observability
import ServiceKit
import ServiceLifecycle
import SuiteMethods

/// All parts of api-proxy, wired together once.
struct ProxyServices {
    let hub: SocketHub
    let host: HostLinks
    /// A separate connection to progress-host for results, reports, insights and what the console reads, so that frames of live sockets do not wait
    /// behind pages of rows.
    let results: RPCClient
    let workers: WorkerLinks
    let readiness: Readiness
    let searches: SearchLink
    let readings: ReadingLimiter
    let uploads: UploadReceiver
    let routes: [Route]
    let registry: MetricRegistry
    let metrics: HTTPMetrics
    let serverMetrics: ServerMetrics
    let adminRoutes: [Route]
    /// The services behind the console; none if the console is disabled.
    private let consoleServices: [any Service]
    private let watchers: WatcherAdmission
    private let settings: ProxySettings
    private let directory: SuiteSockets
    private let tail: TailHub
    private let handover: ListenerHandover
    let aborted: AbortedConnections
    private let group: any EventLoopGroup
    private let logger: Logger

    /// - Parameters:
    ///   - covers: The directory in which enrichment-worker stores covers.
    ///   - uploads: The directory of uploaded files.
    ///   - onHandover: Called when a successor has taken the listening sockets; must stop the process.
    init(
        settings: ProxySettings, sockets directory: SuiteSockets, covers: String, uploads: UploadDirectory,
        health: HealthReporter, tail: TailHub = TailHub(), metrics registry: MetricRegistry,
        group: any EventLoopGroup, logger: Logger, onHandover: @escaping @Sendable () -> Void = {}
    ) {
        handover = ListenerHandover(path: directory.handover, onDone: onHandover)
        aborted = AbortedConnections(gracePeriod: settings.timeouts.lastSearch)
        self.settings = settings
        self.registry = registry
        self.directory = directory
        self.group = group
        self.tail = tail
        self.logger = logger
        hub = SocketHub(
            group: group, limits: settings.socketLimits, timeouts: settings.timeouts, metrics: SocketMetrics(registry),
            tail: tail)
        readings = ReadingLimiter { [socketLimiter = hub.socketLimiter] in socketLimiter.total > 0 }
        host = HostLinks(
            path: directory.path(of: .progressHost), hub: hub, resumePage: settings.resumePage, logger: logger)
        watchers = WatcherAdmission(
            originRule: settings.originRule, hub: hub, host: host, trustedProxies: settings.trustedProxies)
        results = RPCClient(
            path: directory.path(of: .progressHost), router: RPCRouter(), group: group, logger: logger)
        workers = WorkerLinks(sockets: directory, group: group, logger: logger)
        readiness = Readiness(host: host.client, workers: workers, health: health)
        searches = SearchLink(workers: workers, aborted: aborted)
        self.uploads = UploadReceiver(
            directory: uploads, limiter: UploadLimiter(settings.uploadLimits), trustedProxies: settings.trustedProxies,
            metrics: UploadMetrics(registry), tail: tail)
        let scrape = SuiteScrape(
            registry: registry, host: host.client, workers: workers, peerLimit: settings.scrapeLimit)
        let history = MetricHistory(scrape: scrape)
        let tails = ConsoleTails(
            sockets: directory, workers: workers, heartbeat: settings.timeouts.streamHeartbeat, group: group)
        let photos = ScanPhotoRoute(host: host.client, uploads: self.uploads)
        let consoleActions = ConsoleActions(host: host.client, logger: logger)
        let console = ConsoleRoutes(
            consoleGuard: ConsoleGuard(
                access: settings.console, sessions: ConsoleSessions(), originRule: settings.consoleRule),
            reading: ConsoleReading(
                host: results, workers: workers, hub: hub, history: history, photos: photos,
                own: { [readiness, searches, socketLimiter = hub.socketLimiter] in
                    await ForwardingRouter.status(
                        readiness: readiness, searches: searches, socketLimiter: socketLimiter)
                },
                ownSettings: settings.reported),
            actions: consoleActions,
            providerActions: ConsoleProviderActions(workers: workers, actions: consoleActions),
            watchers: WatcherAdmission(
                originRule: settings.consoleRule, hub: hub, host: host, trustedProxies: settings.trustedProxies),
            tails: tails,
            bodies: JSONBodies(
                budget: BodyBudget(), trustedProxies: settings.trustedProxies, limit: JSONBodies.maxShortBytes))
        consoleServices = settings.console.mode == .off ? [] : [history, tails]
        routes =
            Self.routes(
                settings, host: host.client, results: results, workers: workers, searches: searches, readings: readings,
                covers: CoverLink(workers: workers, directory: covers),
                imports: ImportRoutes(
                    host: host.client, workers: workers, uploads: self.uploads, aborted: aborted,
                    maxFileBytes: settings.maxImportBytes),
                scans: ScanRoutes(
                    host: host.client, uploads: self.uploads, scanner: ScannerWatch(workers: workers)),
                watchers: watchers, aborted: aborted, photos: photos, readiness: readiness)
            + console.routes(of: .public)
        adminRoutes =
            HealthRoutes(readiness: readiness, endpoints: [], showsReasons: true).routes
            + MetricsRoutes(scrape: scrape).routes + console.routes(of: .admin)
        metrics = HTTPMetrics(registry, paths: (routes + adminRoutes).map(\.path))
        serverMetrics = ServerMetrics(.apiProxy, registry)
        registry.declare(hub.socketLimiter, limit: settings.socketLimits.total)
        registry.declare(searches)
        registry.declare(self.uploads, limit: settings.uploadLimits.bytes)
        registry.declarePeers { [host, workers] in
            [(.progressHost, host.isConnected)] + workers.links.map { ($0.instance, $0.client.isConnected) }
        }
    }

    /// The services in the order in which they start; they stop in reverse order. Each closure is called once its listener is listening.
    func all(
        onRunning: @escaping @Sendable (any Channel) async -> Void = { _ in },
        onAdminRunning: @escaping @Sendable (any Channel) async -> Void = { _ in },
        onSocketRunning: @escaping @Sendable () -> Void = {}
    ) -> [any Service] {
        let clients: [any Service] = (host.clients + [results]).map { ClientService(client: $0) }
        let behind: [any Service] = [
            workers,
            UploadSweeper(directory: uploads.directory, threads: uploads.threads, logger: logger),
            ReadinessWatch(readiness: readiness),
        ]
        let listeners = HTTPListeners(
            settings: settings, watchers: watchers,
            feed: RequestFeed(tail: tail, trustedProxies: settings.trustedProxies, aborted: aborted), metrics: metrics,
            handover: handover, group: group, logger: logger)
        let listening: [any Service] = [
            ForwardingService(
                path: directory.path(of: .apiProxy), allowedUIDs: settings.allowedUIDs,
                router: ForwardingRouter.make(
                    host: host.client, readiness: readiness, searches: searches, socketLimiter: hub.socketLimiter,
                    tail: tail, metrics: serverMetrics, settings: settings.reported),
                handover: handover, predecessorTimeout: settings.predecessorTimeout, group: group,
                metrics: serverMetrics, logger: logger, onRunning: onSocketRunning),
            listeners.adminServer(adminRoutes, onRunning: onAdminRunning),
            listeners.publicListener(routes, onRunning: onRunning),
        ]
        return clients + behind + consoleServices + listening
    }

    private static func routes(
        _ settings: ProxySettings, host: RPCClient, results: RPCClient, workers: WorkerLinks, searches: SearchLink,
        readings: ReadingLimiter, covers: CoverLink, imports: ImportRoutes, scans: ScanRoutes,
        watchers: WatcherAdmission, aborted: AbortedConnections, photos: ScanPhotoRoute, readiness: Readiness
    ) -> [Route] {
        let budget = BodyBudget()
        let bodies = JSONBodies(budget: budget, trustedProxies: settings.trustedProxies)
        let shortBodies = JSONBodies(
            budget: budget, trustedProxies: settings.trustedProxies, limit: JSONBodies.maxShortBytes)
        let routes =
            BatchRoutes(
                starter: JobStarter(host: host), bodies: bodies, limits: settings.batchLimits,
                trustedProxies: settings.trustedProxies, sunset: settings.sunset
            ).routes
            + BookRoutes(
                host: host, ends: JobEnds(admission: watchers), bodies: shortBodies, aborted: aborted,
                trustedProxies: settings.trustedProxies, limit: settings.bookLimit
            ).routes
            + SearchRoutes(link: searches, trustedProxies: settings.trustedProxies).routes
            + CoverRoutes(link: covers).routes
            + LegacySearchRoutes(
                link: searches, trustedProxies: settings.trustedProxies, sunset: settings.sunset
            ).routes
            + ResultsRoutes(host: results, limiter: readings, trustedProxies: settings.trustedProxies).routes
            + ReportRoutes(host: results, workers: workers, bodies: shortBodies).routes
            + InsightsRoute(
                host: results, limiter: readings, aborted: aborted, trustedProxies: settings.trustedProxies
            ).routes
            + imports.routes
            + ImportStatusRoutes(host: host).routes
            + scans.routes
            + photos.routes
            + JobStateRoute(host: host, admission: watchers).routes
            + JobRoutes(host: host, bodies: shortBodies).routes
            + TokenRoutes(host: host, bodies: shortBodies).routes
            + SocketRoute().routes
            + ReaderPage.routes
            + EventStreamRoutes(admission: watchers, bodies: shortBodies).routes
            + DescriptionRoutes(operations: OperationCatalog.all, addresses: settings.clientAddresses).routes
        let endpoints = routes.map { "\($0.method.rawValue) \($0.path)" }
        return routes + HealthRoutes(readiness: readiness, endpoints: endpoints, showsReasons: false).routes
    }
}

extension MetricRegistry {
    /// Declares the metrics for the number of open sockets and its limit.
    func declare(_ socketLimiter: SocketLimiter, limit: Int) {
        gauge(
            "bookstrack_sockets_open",
            help: "WebSockets and event streams that are open or being opened, and requests waiting for an event."
        ) {
            Double(socketLimiter.total)
        }
        gauge("bookstrack_sockets_limit", help: "Maximum of bookstrack_sockets_open (BOOKSTRACK_MAX_SOCKETS).") {
            Double(limit)
        }
    }

    /// Declares the metrics for the in-memory response cache and the searches in flight.
    func declare(_ searches: SearchLink) {
        families(
            "bookstrack_answer_cache_requests_total", "bookstrack_answer_cache_entries",
            "bookstrack_answer_cache_bytes", "bookstrack_answer_cache_limit_bytes", "bookstrack_searches_in_flight"
        ) {
            let cache = searches.statistics
            let results = [("hit", cache.hits), ("stale", cache.staleHits), ("miss", cache.misses)]
            return [
                MetricFamily(
                    .counter, "bookstrack_answer_cache_requests_total",
                    help: "Searches by result of the lookup in the memory cache, except renewals of expired results.",
                    results.map { (labels: [Sample.Label("result", $0.0)], value: Double($0.1)) }),
                MetricFamily(
                    .gauge, "bookstrack_answer_cache_entries", help: "Finished search results in memory.",
                    value: Double(cache.entries)),
                MetricFamily(
                    .gauge, "bookstrack_answer_cache_bytes", help: "Bytes of finished search results in memory.",
                    value: Double(cache.bytes)),
                MetricFamily(
                    .gauge, "bookstrack_answer_cache_limit_bytes",
                    help: "Maximum bytes of finished search results in memory.",
                    value: Double(cache.limit)),
                MetricFamily(
                    .gauge, "bookstrack_searches_in_flight", help: "Searches in flight at enrichment-worker.",
                    value: Double(searches.questionsInFlight)),
            ]
        }
    }
}
