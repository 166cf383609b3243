import Logging
import Observability
import SuiteMethods
import Testing

@testable import APIProxy

@Suite("Metrics in the console") struct MetricHistoryTests {
    private static let bounds = [0.1, 1.0]

    private func counter(_ name: MetricName, _ samples: [([String: String], Double)]) -> MetricFamily {
        MetricFamily(
            .counter, name, help: "",
            samples.map { labels, value in
                (labels: labels.map { Sample.Label($0.key, $0.value) }, value: value)
            })
    }

    private func histogram(_ name: MetricName, _ labels: [String: String], _ counts: [UInt64]) -> MetricFamily {
        let registry = MetricRegistry()
        let histogram = registry.histogram(
            "bookstrack_sample_seconds", help: "", .durations(.milliseconds(100), .seconds(1)))
        for (place, count) in counts.enumerated() {
            for _ in 0..<count { histogram.observe([.milliseconds(50), .milliseconds(500), .seconds(5)][place]) }
        }
        let samples = [
            Sample(labels: labels.map { Sample.Label($0.key, $0.value) }, .distribution(histogram.distribution))
        ]
        return MetricFamily(name, help: "", kind: .histogram, bounds: Self.bounds, samples: samples)
    }

    /// A snapshot at an uptime in seconds. Its time since 1970 is `change` seconds longer than the uptime, as if the clock had been set.
    private func snapshot(
        _ requests: Double, failed: Double, uptime: Int, setBy change: Int = 0
    ) -> MetricSnapshot {
        MetricSnapshot(
            [
                counter(
                    "bookstrack_http_requests_total",
                    [
                        (["route": "/v1/search/isbn", "status": "200"], requests),
                        (["route": "/v1/search/isbn", "status": "503"], failed),
                        (["route": "/console/api/jobs", "status": "200"], 1_000 * requests),
                        (["route": "/metrics", "status": "200"], 1_000 * requests),
                    ]),
                counter(
                    "bookstrack_items_total",
                    [(["outcome": "succeeded"], 2 * requests), (["outcome": "failed"], failed)]),
            ], at: Int64(1_000 * (uptime + change)), uptime: .seconds(uptime))
    }

    @Test("a graph point covers the events between two readings and excludes monitoring and console requests")
    func rates() {
        let point = HistoryPoint(from: snapshot(100, failed: 0, uptime: 0), to: snapshot(130, failed: 15, uptime: 15))
        #expect(point.at == 15_000)
        #expect(point.requests == 3)
        #expect(point.failedRequests == 1)
        #expect(point.found == 4)
        #expect(point.failed == 1)
        #expect(point.p50 == nil)
    }

    @Test("after a process restarts, its counters start from zero, and no graph value is negative")
    func restarts() {
        let point = HistoryPoint(from: snapshot(100, failed: 50, uptime: 0), to: snapshot(30, failed: 0, uptime: 15))
        #expect(point.requests == 2)
        #expect(point.failedRequests == 0)
    }

    @Test("rates do not change when the clock is set between two readings", arguments: [-3_600, 3_600])
    func clockChange(seconds: Int) {
        let point = HistoryPoint(
            from: snapshot(100, failed: 0, uptime: 0), to: snapshot(130, failed: 15, uptime: 15, setBy: seconds))
        #expect(point.at == Int64(1_000 * (15 + seconds)))
        #expect(point.requests == 3)
    }

    @Test("percentiles are interpolated within their bucket and given in milliseconds")
    func percentiles() {
        var counts = DurationCounts()
        #expect(counts.quantile(0.5) == nil)
        let labels = ["route": "/v1/search/isbn"]
        for sample in histogram("bookstrack_http_request_duration_seconds", labels, [10, 10, 0]).samples {
            if case .distribution(let distribution) = sample.reading { counts.add(distribution, bounds: Self.bounds) }
        }
        #expect(counts.quantile(0.5) == 100)
        #expect(counts.quantile(0.25) == 50)
        #expect(counts.quantile(0.75) == 550)
        #expect(counts.since(counts).quantile(0.5) == nil)
    }

    @Test("open jobs are counted by pipeline and status")
    func openJobs() {
        let family = counter("bookstrack_jobs_open", [(["pipeline": "ai_scan", "status": "pending"], 3)])
        let jobs = MetricSnapshot([family], at: 0, uptime: .zero).openJobs
        #expect(jobs == [.init(pipeline: "ai_scan", status: "pending", count: 3)])
    }

    @Test("a provider's last hour shows calls by outcome and the last failure")
    func providers() throws {
        func reading(_ fine: Double, _ broken: Double) -> MetricSnapshot {
            let calls = counter(
                "bookstrack_provider_calls_total",
                [
                    (["provider": "openlibrary", "outcome": "ok"], fine),
                    (["provider": "openlibrary", "outcome": "timeout"], broken),
                ])
            return MetricSnapshot([calls], at: 0, uptime: .zero)
        }
        var history = ProviderHistory()
        func add(_ new: MetricSnapshot, since old: MetricSnapshot, at: Int64, limit: Int = 240) throws {
            history.add(try #require(new.calls(since: old)["openlibrary"]), at: at, limit: limit)
        }
        let (first, second, third) = (reading(10, 0), reading(12, 3), reading(20, 3))
        try add(second, since: first, at: 1)
        try add(third, since: second, at: 2)
        let hour = history.hour(of: "openlibrary")
        #expect(hour.calls == 13)
        #expect(hour.failed == 3)
        #expect(hour.outcomes == ["ok": 10, "timeout": 3])
        #expect(hour.lastFailure == .init(outcome: "timeout", at: 1))
        try add(third, since: third, at: 3, limit: 1)
        #expect(history.hour(of: "openlibrary").calls == 0)
    }

    @Test(
        "only calls that succeeded or timed out count toward a provider's latency",
        arguments: [
            ("ok", true), ("timeout", true), ("breaker_open", false), ("quota_exhausted", false),
            ("rate_limited", false), ("http_status", false), ("busy", false), ("cancelled", false),
            ("unreachable", false),
        ])
    func latency(outcome: String, isShown: Bool) throws {
        let labels = ["provider": "openlibrary", "outcome": outcome]
        func reading(_ count: UInt64) -> MetricSnapshot {
            let calls = counter("bookstrack_provider_calls_total", [(labels, Double(count))])
            let durations = histogram("bookstrack_provider_call_duration_seconds", labels, [count, 0, 0])
            return MetricSnapshot([calls, durations], at: 0, uptime: .zero)
        }
        var history = ProviderHistory()
        history.add(try #require(reading(9).calls(since: reading(2))["openlibrary"]), at: 1, limit: 240)
        let hour = history.hour(of: "openlibrary")
        #expect(hour.calls == 7)
        #expect((hour.p50 != nil) == isShown)
    }

    @Test("the sum of two histograms of durations contains each duration once")
    func durations() {
        func counts(_ ranges: [UInt64]) -> DurationCounts {
            var counts = DurationCounts()
            for sample in histogram("bookstrack_sample_seconds", [:], ranges).samples {
                guard case .distribution(let distribution) = sample.reading else { continue }
                counts.add(distribution, bounds: Self.bounds)
            }
            return counts
        }
        var sum = DurationCounts()
        sum.add(counts([1, 2, 0]))
        sum.add(counts([0, 3, 4]))
        #expect(sum.counts == [1, 5, 4])
    }

    private static let up: MetricName = "bookstrack_service_up"
    private static let calls: MetricName = "bookstrack_provider_calls_total"
    private static let fine = ["provider": "openlibrary", "outcome": "ok"]

    /// A snapshot of the calls of two workers; the number is nil for a worker that does not respond.
    private func calls(_ main: Double?, _ second: Double?) -> MetricSnapshot {
        var table = FamilyTable()
        for (worker, calls) in [("main", main), ("second", second)] {
            var families = [counter(Self.up, [([:], calls == nil ? 0 : 1)])]
            if let calls { families.append(counter(Self.calls, [(Self.fine, calls)])) }
            table.add(families, labels: [.init("service", "enrichment-worker"), .init("worker", worker)])
        }
        return MetricSnapshot(table.families, at: 0, uptime: .zero)
    }

    @Test("what a process counted before its first answer is not counted as an increase")
    func firstAnswer() {
        let increase = calls(12, 5_000).calls(since: calls(10, nil))
        #expect(increase["openlibrary"]?.total == 2)
    }

    @Test("after a missed answer, only the increase since the answer before it is counted")
    func missedAnswer() {
        let first = calls(10, 5_000)
        let missed = calls(12, nil)
        #expect(missed.calls(since: first)["openlibrary"]?.total == 2)
        let increase = calls(13, 5_003).calls(since: missed.keepingCounters(of: first))
        #expect(increase["openlibrary"]?.total == 4)
    }

    @Test(
        "a provider's calls are forgotten after an hour even if no worker has reported any since; its last failure is not"
    )
    func forgotten() throws {
        let failures = ["provider": "openlibrary", "outcome": "timeout"]
        func reading(_ count: Double?) -> MetricSnapshot {
            let families = count.map { [counter(Self.up, [([:], 1)]), counter(Self.calls, [(failures, $0)])] } ?? []
            return MetricSnapshot(families, at: 7, uptime: .zero)
        }
        var hour = MetricHour()
        for count in [1.0, 3.0, nil] as [Double?] { hour.add(reading(count), limit: 2) }
        #expect(hour.providers.map(\.failed) == [2])
        hour.add(reading(nil), limit: 2)
        #expect(hour.providers.map(\.calls) == [0])
        #expect(hour.providers.map(\.failed) == [0])
        #expect(hour.providers.map(\.lastFailure) == [.init(outcome: "timeout", at: 7)])
        #expect(hour.points.count == 2)
    }

    @Test("the first value of a counter is an increase if its process has answered before")
    func lateCounter() {
        let up = counter(Self.up, [([:], 1)])
        let increase = MetricSnapshot([up, counter(Self.calls, [(Self.fine, 3)])], at: 15_000, uptime: .seconds(15))
            .calls(since: MetricSnapshot([up], at: 0, uptime: .zero))
        #expect(increase["openlibrary"]?.total == 3)
    }
}

@Suite("Log tails requested by a console page") struct TailRequestTests {
    private func request(_ query: String) throws -> TailRequest {
        try TailRequest(QueryItems(uri: "/console/api/tail?\(query)"))
    }

    @Test("the tail's filters are read from the query")
    func criteria() throws {
        let request = try request(
            "service=api-proxy&status=error&method=GET&header=User-Agent%3A+curl&header=Origin&search=slow&ip=127.0.0.1"
                + "&job=job-number-1&request=r-1&level=warning&sampling=0.5&routine=true&last=7")
        let filter = request.parameters.filter
        #expect(request.services == [.apiProxy])
        #expect(filter.outcomes == [.error])
        #expect(filter.methods == ["GET"])
        #expect(filter.headers == [.init(name: "User-Agent", value: "curl"), .init(name: "Origin", value: nil)])
        #expect(filter.search == "slow")
        #expect(filter.addresses == ["127.0.0.1"])
        #expect(filter.jobID == "job-number-1")
        #expect(filter.requestID == "r-1")
        #expect(filter.level == .warning)
        #expect(filter.samplingRate == 0.5)
        #expect(filter.includesRoutine == true)
        #expect(request.parameters.replay?.last == 7)
    }

    @Test("with no filters, the tail starts with the last hundred events of every service")
    func nothing() throws {
        let request = try request("service=&status=&job=")
        #expect(request.services == [])
        #expect(request.parameters.filter.outcomes == [])
        #expect(request.parameters.filter.jobID == nil)
        #expect(request.parameters.replay?.last == 100)
        #expect(request.parameters.replay?.since == nil)
    }

    @Test("a tail with a start time replays the events since then, up to a thousand")
    func since() throws {
        let replay = try request("since=1763294400000").parameters.replay
        #expect(replay?.since == 1_763_294_400_000)
        #expect(replay?.last == 1_000)
    }

    @Test(
        "an invalid filter value is refused",
        arguments: [
            "service=nginx", "status=fine", "level=loud", "sampling=0", "sampling=1", "sampling=x", "last=-1",
            "last=100000", "since=yesterday", "header=%3A", "header=%3Acurl", "header=User+Agent", "ip=localhost",
        ])
    func refusals(query: String) {
        #expect(throws: APIFailure.self) { try request(query) }
    }
}
