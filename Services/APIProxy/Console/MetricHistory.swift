import NIOConcurrencyHelpers
import Observability
import ServiceLifecycle

/// Metrics of the last hour in steps of 15 seconds, so that the console can show graphs without Prometheus (console.md "Overview").
final class MetricHistory: Service {
    /// Time between two points.
    static let interval = Duration.seconds(15)
    /// Maximum number of points.
    static let length = 240

    private let scrape: SuiteScrape
    private let clock: any SuiteClock
    private let hour = NIOLockedValueBox(MetricHour())

    init(scrape: SuiteScrape, clock: any SuiteClock = SystemClock()) {
        self.scrape = scrape
        self.clock = clock
    }

    func run() async throws {
        try? await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                await sample()
                try await clock.sleep(until: clock.uptime + Self.interval)
            }
        }
    }

    /// Takes a snapshot of the metrics; each one but the first results in a point.
    func sample() async {
        let families = await scrape.table().families
        let snapshot = MetricSnapshot(families, at: clock.date.millisecondsSince1970, uptime: clock.uptime)
        hour.withLockedValue { $0.add(snapshot) }
    }

    /// The points, oldest first.
    var points: [HistoryPoint] { hour.withLockedValue(\.points) }

    /// The newest snapshot; nil before the first one.
    var latest: MetricSnapshot? { hour.withLockedValue(\.last) }

    /// The activity of each provider in the last hour.
    var providers: [ProviderHour] { hour.withLockedValue(\.providers) }
}

/// The metrics of the last hour, derived from snapshots.
struct MetricHour: Sendable {
    private(set) var last: MetricSnapshot?
    private(set) var points: [HistoryPoint] = []
    private var histories: [String: ProviderHistory] = [:]

    /// The activity of each provider, by name.
    var providers: [ProviderHour] { histories.map { $1.hour(of: $0) }.sorted { $0.name < $1.name } }

    /// Adds a snapshot; the first one is only the baseline for the next. Every known provider gets a point, even while no worker reports its calls:
    /// otherwise, its old calls would never leave the history.
    mutating func add(_ snapshot: MetricSnapshot, limit: Int = MetricHistory.length) {
        guard let last else {
            self.last = snapshot
            return
        }
        self.last = snapshot.keepingCounters(of: last)
        points.append(HistoryPoint(from: last, to: snapshot))
        points.removeFirst(max(0, points.count - limit))
        let calls = snapshot.calls(since: last)
        for name in Set(histories.keys).union(calls.keys) {
            histories[name, default: ProviderHistory()]
                .add(calls[name] ?? ProviderCalls(), at: snapshot.at, limit: limit)
        }
    }
}

/// Rates per second between two snapshots, and states at the time of the second one.
struct HistoryPoint: Codable, Sendable, Equatable {
    /// When the second snapshot was taken, in milliseconds since 1970.
    var at: Int64
    /// Client requests, excluding those from monitoring and from the console.
    var requests: Double
    /// Client requests that were answered with a status of 500 or more.
    var failedRequests: Double
    /// Median and 95th percentile of the requests' durations in milliseconds; nil if there were none.
    var p50: Double?
    var p95: Double?
    /// Items that succeeded, and items that failed; those skipped when their job ended count as neither.
    var found: Double
    var failed: Double
    /// Calls to providers: all of them, and those that failed.
    var calls: Double
    var failedCalls: Double
    /// Open WebSockets and event streams, and requests waiting for a job's next event or its end.
    var sockets: Double
    /// Number of items without an outcome.
    var openItems: Double

    init(from old: MetricSnapshot, to new: MetricSnapshot) {
        let seconds = max(0.001, (new.uptime - old.uptime) / .seconds(1))
        func rate(_ reading: KeyPath<ProcessCounters, Double>) -> Double {
            new.increase(of: reading, since: old) / seconds
        }
        at = new.at
        requests = rate(\.requests)
        failedRequests = rate(\.failedRequests)
        let durations = new.durations(since: old)
        (p50, p95) = (durations.quantile(0.5), durations.quantile(0.95))
        (found, failed) = (rate(\.found), rate(\.failed))
        let calls = new.calls(since: old).values
        self.calls = calls.reduce(0) { $0 + $1.total } / seconds
        failedCalls = calls.reduce(0) { $0 + $1.failed } / seconds
        (sockets, openItems) = (new.sockets, new.openItems)
    }
}

/// The readings that the console uses, taken from the metric families of all processes.
struct MetricSnapshot: Sendable {
    /// Open jobs of one kind in one state.
    struct OpenJobs: Codable, Sendable, Equatable {
        var pipeline: String
        var status: String
        var count: Int
    }

    /// A process, identified by the labels that all its readings have.
    private struct Process: Hashable {
        var service: String
        /// Name of the worker; empty for other services.
        var worker: String
    }

    /// When the readings were taken, in milliseconds since 1970.
    let at: Int64
    /// The same moment on a clock that cannot be set; rates are computed from it.
    let uptime: Duration
    private(set) var sockets = 0.0
    private(set) var openItems = 0.0
    private(set) var openJobs: [OpenJobs] = []
    /// The counters of the processes that answered and, after ``keepingCounters(of:)``, older ones of those that did not.
    private var counters: [Process: ProcessCounters] = [:]

    init(_ families: [MetricFamily], at: Int64, uptime: Duration) {
        self.at = at
        self.uptime = uptime
        for family in families {
            for sample in family.samples { add(sample, of: family) }
        }
    }

    private mutating func add(_ sample: Sample, of family: MetricFamily) {
        func label(_ name: String) -> String { sample.labels.first { $0.name == name }?.value ?? "" }
        let process = Process(service: label("service"), worker: label("worker"))
        switch (family.name, sample.reading) {
        case ("bookstrack_service_up", .number(let answers)):
            // A counter that appears later counts from zero.
            if answers == 1, counters[process] == nil { counters[process] = ProcessCounters() }
        case ("bookstrack_sockets_open", .number(let count)): sockets += count
        case ("bookstrack_items_open", .number(let count)): openItems += count
        case ("bookstrack_jobs_open", .number(let count)):
            openJobs.append(.init(pipeline: label("pipeline"), status: label("status"), count: Int(count)))
        default: counters[process, default: ProcessCounters()].add(sample, of: family, label)
        }
    }
}

// MARK: Increases

extension MetricSnapshot {
    /// The snapshot, plus the older counters of the processes that did not answer this time, so that the next increase of such a process includes
    /// everything it has counted in the meantime.
    func keepingCounters(of older: MetricSnapshot) -> MetricSnapshot {
        var snapshot = self
        snapshot.counters.merge(older.counters) { newer, _ in newer }
        return snapshot
    }

    /// The increase of a counter in all processes. A process that is not in the older snapshot has been running for an unknown time, so its counters
    /// contribute nothing yet and are only the baseline for the next increase.
    func increase(of reading: KeyPath<ProcessCounters, Double>, since older: MetricSnapshot) -> Double {
        pairs(since: older).reduce(0) { $0 + Increase.of($1.new[keyPath: reading], since: $1.old[keyPath: reading]) }
    }

    /// The durations of requests since an older snapshot, computed like ``increase(of:since:)``.
    func durations(since older: MetricSnapshot) -> DurationCounts {
        var sum = DurationCounts()
        for pair in pairs(since: older) { sum.add(pair.new.durations.since(pair.old.durations)) }
        return sum
    }

    /// The calls to each provider since an older snapshot, computed like ``increase(of:since:)``.
    func calls(since older: MetricSnapshot) -> [String: ProviderCalls] {
        var sums: [String: ProviderCalls] = [:]
        for pair in pairs(since: older) {
            for (name, calls) in pair.new.providers {
                sums[name, default: ProviderCalls()].add(calls.since(pair.old.providers[name]))
            }
        }
        return sums
    }

    private func pairs(since older: MetricSnapshot) -> [(new: ProcessCounters, old: ProcessCounters)] {
        counters.map { (new: $1, old: older.counters[$0] ?? $1) }
    }
}

/// The counters of one process.
struct ProcessCounters: Sendable {
    private(set) var requests = 0.0
    private(set) var failedRequests = 0.0
    private(set) var durations = DurationCounts()
    private(set) var found = 0.0
    private(set) var failed = 0.0
    private(set) var providers: [String: ProviderCalls] = [:]

    /// Adds a reading if the console uses it.
    mutating func add(_ sample: Sample, of family: MetricFamily, _ label: (String) -> String) {
        switch (family.name, sample.reading) {
        case ("bookstrack_http_requests_total", .number(let count)):
            guard Self.isClients(label("route")) else { return }
            requests += count
            if label("status").hasPrefix("5") { failedRequests += count }
        case ("bookstrack_http_request_duration_seconds", .distribution(let distribution)):
            guard Self.isClients(label("route")) else { return }
            durations.add(distribution, bounds: family.bounds)
        case ("bookstrack_items_total", .number(let count)):
            switch label("outcome") {
            case "succeeded": found += count
            case "failed": failed += count
            default: break
            }
        case ("bookstrack_provider_calls_total", .number(let count)):
            providers[label("provider"), default: ProviderCalls()].outcomes[label("outcome"), default: 0] += count
        case ("bookstrack_provider_call_duration_seconds", .distribution(let distribution)):
            guard ProviderCalls.timed.contains(label("outcome")) else { return }
            providers[label("provider"), default: ProviderCalls()].durations.add(distribution, bounds: family.bounds)
        default: break
        }
    }

    /// Whether a route is for clients rather than for operators.
    private static func isClients(_ route: String) -> Bool {
        !route.hasPrefix("/console") && !route.hasPrefix("/health") && route != "/metrics"
    }
}

/// The increase of a counter. A value below the previous one means that the counter's process was restarted.
enum Increase {
    static func of(_ new: Double, since old: Double) -> Double { new >= old ? new - old : new }
}
