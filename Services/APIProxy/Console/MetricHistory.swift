import NIOConcurrencyHelpers
import Observability
import ServiceLifecycle

/// Metrics of the last hour in steps of 15 seconds, so that the console can show graphs without Prometheus (console.md "Overview").
final class MetricHistory: Service {
    /// Time between two points.
    static let interval = Duration.seconds(15)
    /// Maximum number of points.
    static let length = 240

    private struct State {
        var last: MetricSnapshot?
        var points: [HistoryPoint] = []
        var providers: [String: ProviderHistory] = [:]
    }

    private let scrape: SuiteScrape
    private let clock: any SuiteClock
    private let state = NIOLockedValueBox(State())

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

    /// Records the next point.
    func sample() async {
        let snapshot = MetricSnapshot(await scrape.table().families, at: Activity.now)
        state.withLockedValue { state in
            defer { state.last = snapshot }
            guard let last = state.last else { return }
            state.points.append(HistoryPoint(from: last, to: snapshot))
            state.points.removeFirst(max(0, state.points.count - Self.length))
            for (name, calls) in snapshot.providers {
                state.providers[name, default: ProviderHistory()].add(
                    calls.since(last.providers[name]), at: snapshot.at, limit: Self.length)
            }
        }
    }

    /// The points, oldest first.
    var points: [HistoryPoint] { state.withLockedValue(\.points) }

    /// The newest readings; nil before the first ones.
    var latest: MetricSnapshot? { state.withLockedValue(\.last) }

    /// The activity of each provider in the last hour.
    var providers: [ProviderHour] {
        state.withLockedValue { $0.providers.map { $1.hour(of: $0) } }.sorted { $0.name < $1.name }
    }
}

/// Rates per second between two samples, and states at the time of the second sample.
struct HistoryPoint: Codable, Sendable, Equatable {
    /// When the second sample was taken, in milliseconds since 1970.
    var at: Int64
    /// Client requests, excluding those from monitoring and from the console.
    var requests: Double
    /// Client requests that were answered with a status of 500 or more.
    var failedRequests: Double
    /// Median and 95th percentile of the requests' durations in milliseconds; nil if there were none.
    var p50: Double?
    var p95: Double?
    /// Items that were found.
    var found: Double
    /// Items that failed.
    var failed: Double
    /// Calls to providers.
    var calls: Double
    /// Calls to providers that failed.
    var failedCalls: Double
    /// Open WebSockets and event streams, and requests waiting for a job's next event.
    var sockets: Double
    /// Items without an outcome.
    var openItems: Double

    init(from old: MetricSnapshot, to new: MetricSnapshot) {
        let seconds = max(0.001, Double(new.at - old.at) / 1_000)
        func rate(_ reading: KeyPath<MetricSnapshot, Double>) -> Double {
            Increase.of(new[keyPath: reading], since: old[keyPath: reading]) / seconds
        }
        at = new.at
        requests = rate(\.requests)
        failedRequests = rate(\.failedRequests)
        let durations = new.durations.since(old.durations)
        (p50, p95) = (durations.quantile(0.5), durations.quantile(0.95))
        (found, failed) = (rate(\.found), rate(\.failed))
        let calls = new.providers.map { $1.since(old.providers[$0]) }
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

    /// When the readings were taken, in milliseconds since 1970.
    var at: Int64
    private(set) var requests = 0.0
    private(set) var failedRequests = 0.0
    private(set) var durations = DurationCounts()
    private(set) var found = 0.0
    private(set) var failed = 0.0
    private(set) var sockets = 0.0
    private(set) var openItems = 0.0
    private(set) var openJobs: [OpenJobs] = []
    private(set) var providers: [String: ProviderCalls] = [:]

    init(_ families: [MetricFamily], at: Int64) {
        self.at = at
        for family in families {
            for sample in family.samples { add(sample, of: family) }
        }
    }

    private mutating func add(_ sample: Sample, of family: MetricFamily) {
        func label(_ name: String) -> String { sample.labels.first { $0.name == name }?.value ?? "" }
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
        case ("bookstrack_sockets_open", .number(let count)): sockets += count
        case ("bookstrack_items_open", .number(let count)): openItems += count
        case ("bookstrack_jobs_open", .number(let count)):
            openJobs.append(.init(pipeline: label("pipeline"), status: label("status"), count: Int(count)))
        case ("bookstrack_provider_calls_total", .number(let count)):
            providers[label("provider"), default: ProviderCalls()].outcomes[label("outcome"), default: 0] += count
        case ("bookstrack_provider_call_duration_seconds", .distribution(let distribution)):
            // A call that was not sent reveals nothing about the provider.
            guard label("outcome") != "breaker_open" else { return }
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
