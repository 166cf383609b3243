import BookstrackContract
import JSONRPC
import NIOCore
import Observability
import SuiteMethods
import TestSupport
import Testing

/// Bodies of the methods that operators' tools call (deploy/docs/operations.md).
@Suite("JSON of operator methods")
struct OperationMethodFormTests {
    @Test("a health report contains the service's name, version and readiness")
    func health() throws {
        #expect(HealthCheck.name == "service.health")
        var result = HealthCheck.Result(
            service: .enrichmentWorker, version: "0.2.0", readiness: ReadinessReport(status: .ready))
        #expect(
            try WireForm.of(result)
                == #"{"service":"enrichment-worker","version":"0.2.0","readiness":{"status":"ready"}}"#)
        result.photos = .quotaExhausted
        #expect(try WireForm.of(result).hasSuffix(#","photos":"quotaExhausted"}"#))
        #expect(PhotoReadiness.allCases.map(\.rawValue) == ["available", "unavailable", "quotaExhausted"])
    }

    @Test("a health report from an older version's worker is decoded without the state of photo reading")
    func olderHealth() throws {
        let result = try WireForm.read(
            HealthCheck.Result.self,
            #"{"service":"enrichment-worker","version":"0.1.0","readiness":{"status":"ready"}}"#)
        #expect(result.photos == nil)
    }

    @Test("metrics are encoded as families of samples")
    func metrics() throws {
        #expect(ReadMetrics.name == "service.metrics")
        let family = MetricFamily(
            .gauge, "jobs_open", help: "Open jobs.", [(labels: [.init("pipeline", "ai_scan")], value: 3)])
        let text = WireForm.line(
            """
            {"service":"progress-host","families":[{"name":"jobs_open","help":"Open jobs.","kind":"gauge","bounds":[],
            "samples":[{"labels":[{"name":"pipeline","value":"ai_scan"}],"reading":{"number":{"_0":3}}}]}]}
            """)
        #expect(try WireForm.of(ReadMetrics.Result(service: .progressHost, families: [family])) == text)
        #expect(try WireForm.read(ReadMetrics.Result.self, text).families == [family])
    }

    @Test("settings contain the source of each value, and for secrets only whether they are set")
    func settings() throws {
        #expect(ReadSettings.name == "service.settings")
        let setting = ReadSettings.Setting(
            name: "BOOKSTRACK_PORT", value: "8080", source: "environment", isDefault: false)
        #expect(
            try WireForm.of(ReadSettings.Result(service: .apiProxy, startedAt: 1_700, settings: [setting]))
                == WireForm.line(
                    """
                    {"service":"api-proxy","startedAt":1700,"settings":[
                    {"name":"BOOKSTRACK_PORT","value":"8080","source":"environment","isDefault":false}]}
                    """))
        #expect(ReadSettings.Setting.secretIsSet == "set")
        #expect(ReadSettings.Setting.secretIsNotSet == "not set")
    }

    @Test("a probe contains the status of a response, or the failure and its cause")
    func probe() throws {
        #expect(ProbeProviders.name == "providers.probe")
        var failed = ProbeProviders.Probe(
            provider: "openlibrary", address: "https://openlibrary.org", milliseconds: 2_000, status: nil,
            failure: "timeout")
        failed.cause = "connecting"
        let answered = ProbeProviders.Probe(
            provider: "google-books", address: "https://www.googleapis.com", milliseconds: 80, status: 200,
            failure: nil)
        #expect(
            try WireForm.of(ProbeProviders.Result(providers: [failed, answered]))
                == WireForm.line(
                    """
                    {"providers":[{"provider":"openlibrary","address":"https://openlibrary.org","milliseconds":2000,
                    "failure":"timeout","cause":"connecting"},
                    {"provider":"google-books","address":"https://www.googleapis.com","milliseconds":80,"status":200}]}
                    """))
    }

    @Test("a provider action contains only the members that it needs")
    func providerAction() throws {
        #expect(OperateProvider.name == "providers.operate")
        #expect(
            try WireForm.of(OperateProvider.Parameters(provider: "isbndb", action: .resume))
                == #"{"provider":"isbndb","action":"resume"}"#)
        #expect(
            try WireForm.of(OperateProvider.Parameters(provider: "isbndb", action: .allow, requests: 5))
                == #"{"provider":"isbndb","action":"allow","requests":5}"#)
        #expect(
            try WireForm.of(OperateProvider.Parameters(provider: "isbndb", action: .useKey, key: "K"))
                == #"{"provider":"isbndb","action":"useKey","key":"K"}"#)
        #expect(
            try WireForm.of(OperateProvider.Result(outcome: "Calls have resumed"))
                == #"{"outcome":"Calls have resumed"}"#)
    }

    @Test("a provider figure from an older version's worker is read without a daily budget or key")
    func olderProvider() throws {
        let text = WireForm.line(
            """
            {"name":"isbndb","requests":1,"inFlight":0,"waiting":0,"breaker":"closed"}
            """)
        let figure = try WireForm.read(ProviderFigure.self, text)
        #expect(figure.dailyBudget == nil)
        #expect(figure.resetsInMilliseconds == nil)
        #expect(figure.key == nil)
        #expect(try WireForm.of(figure) == text)
    }

    @Test("cache statistics contain the numbers of entries, bytes, hits and misses")
    func cache() throws {
        #expect(ReadCacheStatistics.name == "cache.statistics")
        #expect(PurgeCache.name == "cache.purge")
        let statistics = ReadCacheStatistics.Result(
            entries: 1, bytes: 2, limit: 3, hits: 4, staleHits: 5, misses: 6)
        let text = #"{"entries":1,"bytes":2,"limit":3,"hits":4,"staleHits":5,"misses":6}"#
        #expect(try WireForm.of(statistics) == text)
        #expect(try WireForm.read(ReadCacheStatistics.Result.self, text) == statistics)
        #expect(try WireForm.of(PurgeCache.Result(removed: 7)) == #"{"removed":7}"#)
    }

    @Test("a status report contains only the figures of the service that responds")
    func status() throws {
        #expect(ReadStatus.name == "service.status")
        var result = ReadStatus.Result(
            service: .apiProxy, version: "0.2.0", pid: 7, startedAt: 1_700, readiness: ReadinessReport(status: .ready))
        result.proxy = ProxyFigures(
            sockets: QueueFigure(length: 1, limit: 10_000),
            cache: CacheFigure(bytes: 2, limit: 3, hits: 4, staleHits: 5, misses: 6))
        let text = WireForm.line(
            """
            {"service":"api-proxy","version":"0.2.0","pid":7,"startedAt":1700,"readiness":{"status":"ready"},
            "proxy":{"sockets":{"length":1,"limit":10000},
            "cache":{"bytes":2,"limit":3,"hits":4,"staleHits":5,"misses":6}}}
            """)
        #expect(try WireForm.of(result) == text)
        #expect(try WireForm.read(ReadStatus.Result.self, text).host == nil)
        #expect(
            try WireForm.requiredMembers(of: ReadStatus.Result.self, in: text) == [
                "pid", "readiness", "service", "startedAt", "version",
            ])
    }

    @Test("progress-host's status contains figures for jobs, storage and the mailbox")
    func hostFigures() throws {
        var jobs = HostFigures.Jobs()
        (jobs.pending, jobs.processing, jobs.nextLaterAt) = (1, 2, 3)
        jobs.oldestOpen = [
            JobFigure(
                jobId: JobID("job-under-test")!, status: .processing, processed: 1, failed: 0, total: 2, createdAt: 5,
                endedAt: nil)
        ]
        let figures = HostFigures(
            jobs: jobs, storage: .init(refusal: "disk full", databaseBytes: 8, logBytes: 9),
            mailbox: QueueFigure(length: 0, limit: 1_000))
        let text = WireForm.line(
            """
            {"jobs":{"pending":1,"processing":2,"waitingInteractive":0,"waitingBulk":0,"leased":0,"workers":0,
            "sockets":0,"nextLaterAt":3,"oldestOpen":[{"jobId":"job-under-test","status":"processing","processed":1,
            "failed":0,"total":2,"createdAt":5}],"recentlyEnded":[]},
            "storage":{"refusal":"disk full","databaseBytes":8,"logBytes":9},"mailbox":{"length":0,"limit":1000}}
            """)
        #expect(try WireForm.of(figures) == text)
        #expect(try WireForm.read(HostFigures.self, text) == figures)
    }

    @Test("enrichment-worker's status contains figures for items, outcomes and requests to each provider")
    func workerFigures() throws {
        var provider = ProviderFigure(
            name: "google-books", requests: 10, inFlight: 1, waiting: 2, leftToday: 900, breaker: .halfOpen,
            cause: "quota", opensForMilliseconds: 5)
        provider.refusal = .init(statement: "The key is refused.", setting: "BOOKSTRACK_GOOGLE_BOOKS_API_KEY")
        (provider.pausedForMilliseconds, provider.model, provider.fault) = (6, "m", "f")
        let figures = WorkerFigures(
            held: QueueFigure(length: 1, limit: 2), outbox: QueueFigure(length: 3, limit: 4),
            waitingCallers: 5, providers: [provider],
            cache: CacheFigure(bytes: 0, limit: 1, hits: 0, staleHits: 0, misses: 0))
        let text = WireForm.line(
            """
            {"held":{"length":1,"limit":2},"outbox":{"length":3,"limit":4},"questions":5,"providers":[
            {"name":"google-books","requests":10,"inFlight":1,"waiting":2,"leftToday":900,"breaker":"halfOpen",
            "cause":"quota","refusal":{"statement":"The key is refused.",
            "setting":"BOOKSTRACK_GOOGLE_BOOKS_API_KEY"},"opensForMilliseconds":5,"pausedForMilliseconds":6,
            "model":"m","fault":"f"}],"cache":{"bytes":0,"limit":1,"hits":0,"staleHits":0,"misses":0}}
            """)
        #expect(try WireForm.of(figures) == text)
        #expect(try WireForm.read(WorkerFigures.self, text) == figures)
    }

    @Test("a tail subscription contains a filter and the number of stored events to replay")
    func tail() throws {
        #expect(SubscribeToTail.name == "tail.subscribe")
        #expect(TailEvents.name == "tail.events")
        var filter = TailFilter()
        (filter.outcomes, filter.methods, filter.search) = ([.error], ["GET"], "dune")
        filter.headers = [.init(name: "X-Client-Version", value: nil)]
        (filter.addresses, filter.samplingRate, filter.jobID) = (["::1"], 0.5, "J")
        filter.level =
            try WireForm.read(
                TailFilter.self, #"{"outcomes":[],"methods":[],"headers":[],"addresses":[],"level":"warning"}"#
            ).level
        #expect(
            try WireForm.of(SubscribeToTail.Parameters(filter: filter, replay: .init(last: 20)))
                == WireForm.line(
                    """
                    {"filter":{"outcomes":["error"],"methods":["GET"],"headers":[{"name":"X-Client-Version"}],
                    "search":"dune","addresses":["::1"],"samplingRate":0.5,"jobID":"J","level":"warning"},
                    "replay":{"last":20}}
                    """))
        #expect(
            try WireForm.of(SubscribeToTail.Result(service: .apiProxy, version: "0.2.0", pid: 7))
                == #"{"service":"api-proxy","version":"0.2.0","pid":7}"#)
    }

    @Test("tail events are sent in pages that contain the number of lost events")
    func tailPages() throws {
        var page = TailPage(dropped: 0)
        #expect(page.isEmpty)
        #expect(String(buffer: page.raw) == #"{"events":[],"dropped":0}"#)
        page.append(ByteBuffer(string: #"{"a":1}"#))
        page.append(ByteBuffer(string: #"{"b":2}"#))
        page.dropped = 3
        #expect(!page.isEmpty)
        #expect(!page.isFull)
        #expect(String(buffer: page.raw) == #"{"events":[{"a":1},{"b":2}],"dropped":3}"#)
        page.append(ByteBuffer(repeating: UInt8(ascii: " "), count: TailPage.bytes))
        #expect(page.isFull)
        #expect(!TailPage(dropped: 1).isEmpty)
    }
}
