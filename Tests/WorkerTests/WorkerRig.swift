import BookMetadata
import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOConcurrencyHelpers
import NIOPosix
import Observability
import ProviderClient
import ServiceKit
import SuiteMethods
import Testing
import Transfer
@testable import EnrichmentWorker
@testable import ProviderEmulator

/// A whole worker in this process: real libcurl, a real cache file, the real emulator, and a scripted host.
struct WorkerRig: Sendable {
    let providers: EmulatedProviders
    let host: FakeHost
    let worker: Worker
    let cache: ProviderCache
    let directory: String
    let clock: any SuiteClock
    let registry: MetricRegistry
    let tail: TailHub
    private let clients: ProviderClients
    private let work: Task<Void, Never>

    struct Options: Sendable {
        /// Requests per second to Open Library; 0 for no limit.
        var rate = 0.0
        /// Requests per day to Google Books; 0 for no limit.
        var googleBudget = 0
        /// Whether ISBNdb is configured.
        var hasISBNdb = false
        /// Requests per second to ISBNdb; 0 for no limit.
        var isbndbRate = 0
        /// The configured engines.
        var engines: Set<EngineName> = []
        /// The contact sent to providers.
        var contact: String? = "tests@example.org"
        /// Further settings.
        var environment: [String: String] = [:]
        var logger = Logger(label: "worker") { _ in SwiftLogNoOpLogHandler() }
        var latency: Duration = .zero
        /// Fault rules that apply from the worker's first request on.
        var faults: String?
        /// The providers' books, replacing the sample and the synthetic books.
        var books: [CatalogBook]?
        var policy = WorkerPolicy()
        var clock: any SuiteClock = SystemClock()
        /// The cache's clock, if it is another one.
        var cacheClock: (any SuiteClock)?
        /// The directory to use instead of a temporary one; a cache in it is reused.
        var directory: String?
        /// The host of another rig, to which this worker attaches as well.
        var host: FakeHost?
    }

    /// Runs `body` with everything started, and stops everything afterward.
    static func run(_ options: Options = Options(), _ body: (WorkerRig) async throws -> Void) async throws {
        let rig = try await start(options)
        do {
            try await body(rig)
        } catch {
            await rig.stop(hasOwnHost: options.host == nil)
            throw error
        }
        await rig.stop(hasOwnHost: options.host == nil)
        if options.directory == nil { try? FileManager.default.removeItem(atPath: rig.directory) }
    }

    private static func start(_ options: Options) async throws -> WorkerRig {
        let directory = try options.directory ?? temporaryDirectory()
        let providers = try await EmulatedProviders.start(books: options.books, latency: options.latency)
        if let faults = options.faults { providers.setFaults(faults) }
        let host = options.host ?? FakeHost(path: directory + "/host.sock")
        if options.host == nil { try await host.start() }
        let logger = options.logger
        var environment = options.environment
        environment["BOOKSTRACK_CONTACT"] = options.contact
        environment["BOOKSTRACK_RUNTIME_DIR"] = directory
        if options.engines.contains(.gemini) { environment["BOOKSTRACK_GEMINI_API_KEY"] = "a-gemini-key" }
        if options.engines.contains(.openai) {
            environment["BOOKSTRACK_VISION_BASE_URL"] = providers.url + "/openai/v1"
            environment["BOOKSTRACK_VISION_MODEL"] = "emulated-model"
        }
        if options.engines.contains(.reader) {
            environment["BOOKSTRACK_SHELF_READER_SOCKET"] = Self.readerSocket(in: directory)
        }
        if options.hasISBNdb { environment["BOOKSTRACK_ISBNDB_API_KEY"] = "a-key" }
        let settings = try Settings.load(
            arguments: [
                "--open-library-base-url", providers.url + "/openlibrary",
                "--google-books-base-url", providers.url + "/googlebooks/books/v1",
                "--isbndb-base-url", providers.url + "/isbndb",
                "--covers-base-url", providers.url + "/covers", "--wikidata-base-url", providers.url + "/wikidata",
                "--wikidata-requests-per-second", "0", "--gemini-base-url", providers.url + "/gemini/v1beta",
                "--open-library-requests-per-second", "\(options.rate)",
                "--google-books-daily-budget", "\(options.googleBudget)",
                "--isbndb-requests-per-second", "\(options.isbndbRate)",
            ], environment: environment)
        let (registry, tail) = (MetricRegistry(), TailHub())
        let metrics = WorkerMetrics(registry)
        let cache = try ProviderCache(
            path: directory + "/cache.sqlite", ttl: CacheTTL(settings),
            limit: settings[.cacheMaxBytes], clock: options.cacheClock ?? options.clock,
            metrics: metrics, logger: logger)
        let clock = options.clock
        let clients = try await ProviderClients(settings, budgets: cache, clock: clock, logger: logger)
        let worker = Worker(
            hostPath: host.path, clients: clients, cache: cache, policy: options.policy, clock: clock,
            health: HealthReporter(logger: logger), tail: tail, metrics: metrics, logger: logger)
        return WorkerRig(
            providers: providers, host: host, worker: worker, cache: cache, directory: directory,
            clock: clock, registry: registry, tail: tail, clients: clients,
            work: Task { await worker.run() })
    }

    /// The path of the socket on which a test's shelf reader must listen.
    static func readerSocket(in directory: String) -> String { directory + "/reader.sock" }

    private func stop(hasOwnHost: Bool) async {
        await worker.stop()
        await work.value
        await clients.engine.shutdown()
        try? await cache.close()
        if hasOwnHost { await host.stop() }
        try? await providers.stop()
    }

    /// The worker's RPC methods.
    func methods(maxBooks: Int = 100) -> WorkerMethods {
        WorkerMethods(
            starter: JobStarter(host: worker.host), searcher: searcher, reports: reports(),
            covers: covers(), cache: cache,
            status: worker.status,
            figures: WorkerFigureReader(
                worker: worker, providers: clients.shown, cache: cache, policy: WorkerPolicy(), clock: clock),
            probes: ProviderProbes(providers: clients.shown),
            operations: ProviderOperations(providers: clients.shown, scheduler: worker.scheduler), maxBooks: maxBooks,
            tail: TailHub(),
            metrics: ServerMetrics(.enrichmentWorker, MetricRegistry()))
    }

    /// Handles reports as the worker does.
    func reports(budgets: [Int] = []) -> MetadataReports {
        MetadataReports(
            cache: cache, scheduler: worker.scheduler, budgets: budgets, metrics: WorkerMetrics(MetricRegistry()))
    }

    /// Fetches covers as the worker does, into the rig's directory.
    func covers(
        limit: Int = 64 << 20, clock: (any SuiteClock)? = nil,
        logger: Logger = Logger(label: "covers") { _ in SwiftLogNoOpLogHandler() }
    ) -> CoverFetcher {
        let clock = clock ?? self.clock
        let store = CoverStore(directory: directory + "/covers", limit: limit, clock: clock, logger: logger)
        return CoverFetcher(
            clients: clients.covers, store: store, clock: clock, metrics: WorkerMetrics(MetricRegistry()),
            logger: logger)
    }

    /// Previews library files as the worker does.
    var previews: ImportPreviews { ImportPreviews(mappings: worker.mappings) }

    /// Number of requests to an engine, excluding health checks.
    func requests(to engine: EngineName) -> Int {
        providers.log.count { $0.provider == engine.rawValue && !$0.path.hasSuffix("/models") }
    }

    /// Asks Wikidata about several authors in one call.
    func askWikidata(_ names: [String]) async -> [Question: QuestionScheduler.Answer] {
        let call = AuthorCall(
            client: clients.caller.wikidata, priority: .interactive, deadline: clock.now.advanced(by: .seconds(30)))
        return await call.answers(to: names.map { .author(AuthorQuery(name: $0)) })
    }

    /// Asks a question as a search does, and returns the answer.
    func ask(_ question: Question) async throws -> ProviderRecords {
        let asker = Asker(
            party: .search(1, client: nil), workClass: .interactive, isAlone: true, cached: CachedAnswers())
        return try await worker.scheduler.ask(question, for: asker, deadline: clock.now.advanced(by: .seconds(30)))
            .records
    }

    /// Handles searches as the worker does.
    var searcher: Searcher { Searcher(scheduler: worker.scheduler, cache: cache, clock: clock) }

    /// The outcome of the only item that was handed out.
    func onlyDelivery() async throws -> FakeHost.Delivery {
        let deliveries = await host.delivered(1)
        return try #require(deliveries.first)
    }

    func onlyRow() async throws -> EnrichedBook { try await onlyDelivery().row }

    static func temporaryDirectory() throws -> String {
        let path = "/tmp/bw-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}

/// Items of one job, in order.
func items(
    _ queries: [BookQuery], of job: String = "job-one-1", as workClass: WorkClass = .bulk, attempts: Int = 0
) throws -> [ClaimedItem] {
    let id = try #require(JobID(job))
    return queries.enumerated().map { index, query in
        ClaimedItem(
            key: ItemKey(jobId: id, index: index), query: query, workClass: workClass, attempts: attempts)
    }
}

extension BookQuery {
    static func isbn(_ text: String) -> BookQuery { BookQuery(isbn: text) }
}

/// The machine's clock, which a test can advance; tasks that are already sleeping do not wake earlier.
final class SteppedClock: SuiteClock {
    private let system = SystemClock()
    private let ahead = NIOLockedValueBox(Duration.zero)

    var uptime: Duration { system.uptime + ahead.withLockedValue { $0 } }
    var date: Date { system.date + ahead.withLockedValue { $0 } / .seconds(1) }

    func advance(by duration: Duration) { ahead.withLockedValue { $0 += duration } }

    func sleep(until uptime: Duration) async throws {
        try await system.sleep(until: uptime - ahead.withLockedValue { $0 })
    }
}
