import BookstrackContract
import Foundation
import JSONRPC
import Logging
import NIOPosix
import ServiceKit
import SuiteMethods
import Testing
@testable import BookstrackCLI

@Suite("bookstrack status")
struct StatusReportTests {
    private static let reports = [
        SampleReports.report(SampleReports.host), SampleReports.report(SampleReports.worker),
        SampleReports.down(.apiProxy),
    ]

    private func lines(_ reports: [ServiceReport], width: Int = 100) -> [String] {
        StatusReport(reports: reports, now: SampleReports.now, style: OutputStyle(width: width, colors: false)).lines
    }

    @Test("engines have a separate table with their models, and with the reason if one cannot be reached")
    func engines() {
        var gemini = ProviderFigure(
            name: "gemini", requests: 12, inFlight: 1, waiting: 0, leftToday: 188, breaker: .closed)
        gemini.model = "gemini-3.5-flash-lite"
        var reader = ProviderFigure(
            name: "reader", requests: 0, inFlight: 0, waiting: 0, leftToday: nil, breaker: .closed)
        (reader.model, reader.fault) = ("shelf-reader", "it cannot be reached")
        var status = SampleReports.worker
        status.worker?.providers += [gemini, reader]
        #expect(
            lines([SampleReports.report(status)]).joined(separator: "\n").contains(
                """
                openlibrary   OK                                    60            3        9           -

                Engine  Model                  State                 Requests  In progress  Waiting  Left today
                ------  ---------------------  --------------------  --------  -----------  -------  ----------
                gemini  gemini-3.5-flash-lite  OK                          12            1        0         188
                reader  shelf-reader           it cannot be reached         0            0        0           -
                """))
    }

    @Test("running services are shown with their full status, and other services with the reason why they are down")
    func text() {
        #expect(
            lines(Self.reports).joined(separator: "\n") == """
                Service            State     Pid  Up         Version
                -----------------  --------  ---  ---------  -------
                progress-host      ready      42  2 h 5 min  \(SuiteVersion.text)
                enrichment-worker  degraded   42  2 h 5 min  \(SuiteVersion.text)
                api-proxy          down        -  -          -
                enrichment-worker: peer: the day's budget is used up
                api-proxy does not answer at /run/x (there is no such socket); start it, or point
                BOOKSTRACK_RUNTIME_DIR at its directory

                Jobs     2 pending, 1 processing, watched by 3 connections, next retry in 1 min
                Items    4 interactive and 1200 bulk items waiting, 250 in progress (1 worker)
                Storage  writable, jobs.sqlite 12 MiB, log 4.0 KiB

                Open job    Status         Done  Failed  Age
                ----------  ----------  -------  ------  -----
                open-job-1  processing  50/1500       3  1 min

                Ended job    Status     Done  Failed  Ended
                -----------  ---------  ----  ------  -------
                ended-job-1  completed   9/9       1  5 s ago

                Queue                      Length  Limit
                -------------------------  ------  -----
                progress-host: commands         7  65536
                enrichment-worker: items      250    750
                enrichment-worker: outbox       0   1000

                Provider      State                           Requests  In progress  Waiting  Left today
                ------------  ------------------------------  --------  -----------  -------  ----------
                google-books  calls paused for 1 min (quota)      1000            0        0           0
                openlibrary   OK                                    60            3        9           -

                Cache                           Size    Limit  Hits  Stale  Misses
                ---------------------------  -------  -------  ----  -----  ------
                provider responses, on disk  1.0 MiB  256 MiB     3      0       9
                """)
    }

    @Test("several workers are distinguished in services, queues, providers and caches")
    func severalWorkers() throws {
        let second = ServiceInstance.worker(WorkerName("second")!)
        let reports = [
            SampleReports.report(SampleReports.worker), SampleReports.report(SampleReports.worker, of: second),
        ]
        let text = lines(reports).joined(separator: "\n")
        for part in [
            "enrichment-worker         degraded", "enrichment-worker-second  degraded",
            "enrichment-worker: items", "enrichment-worker-second: items", "Provider (main)", "Provider (second)",
            "provider responses, on disk (second)",
            "enrichment-worker-second: peer: the day's budget is used up",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        let document = try OutputOptions.jsonLine(StatusDocument(reports))
        #expect(document.contains(#""service":"enrichment-worker""#))
        #expect(document.contains(#""worker":"second""#))
    }

    @Test("a pause requested by a provider is shown")
    func pause() {
        var status = SampleReports.worker
        status.worker?.providers[1].pausedForMilliseconds = 20_000
        #expect(lines([SampleReports.report(status)]).contains { $0.contains("paused for 20 s") })
    }

    @Test("no line is wider than the terminal", arguments: [40, 60, 80])
    func width(columns: Int) {
        for line in lines(Self.reports, width: columns) { #expect(DisplayWidth.of(line) <= columns, "\(line)") }
    }

    @Test("if progress-host cannot open its database, the reason is shown, and no jobs are listed")
    func outage() {
        let status = SampleReports.status(.progressHost, .unavailable, because: "the disk is full")
        let lines = lines([SampleReports.report(status)])
        #expect(lines.contains("progress-host: peer: the disk is full"))
        #expect(!lines.contains { $0.hasPrefix("Jobs") })
    }

    @Test("a failed service is shown with its unit's state and last log lines, in text and in JSON")
    func failedUnit() throws {
        var report = SampleReports.down(.progressHost)
        report.unit = UnitReport(
            unit: "bookstrack-progress-host.service", state: "failed", ending: "exit status 78 (bad setting)",
            exitStatus: 78, log: ["BOOKSTRACK_KEEPALIVE_MS must be a whole number"])
        let lines = lines([report])
        #expect(lines.contains("bookstrack-progress-host.service has failed: exit status 78 (bad setting)"))
        #expect(lines.contains("  | BOOKSTRACK_KEEPALIVE_MS must be a whole number"))
        let document = try OutputOptions.jsonLine(StatusDocument([report]))
        #expect(document.contains(#""exitStatus":78"#))
    }

    @Test("states are colored if colors are enabled, and job IDs are complete at 80 columns")
    func colors() throws {
        let colored = StatusReport(
            reports: Self.reports, now: SampleReports.now, style: OutputStyle(width: 100, colors: true)
        ).lines.joined(separator: "\n")
        for part in ["\u{1B}[32mready", "\u{1B}[33mdegraded", "\u{1B}[31mdown"] { #expect(colored.contains(part)) }
        var status = SampleReports.host
        let id = "f2fe9772-e404-440f-8ad9-19432d456abc"
        status.host?.jobs.recentlyEnded[0].jobId = try #require(JobID(id))
        status.host?.jobs.recentlyEnded[0].endedAt = SampleReports.now - 59 * 60_000 - 59_000
        status.host?.jobs.recentlyEnded[0].total = 1_500
        let narrow = lines([SampleReports.report(status)], width: 80)
        #expect(narrow.contains { $0.hasPrefix(id + "  completed") })
        #expect(narrow.contains { $0.hasSuffix("59 min ago") })
    }

    @Test("the exit status depends on whether all services are serving, and on whether any of them answers")
    func exitStatus() {
        let ready = SampleReports.report(SampleReports.host)
        let degraded = SampleReports.report(SampleReports.worker)
        #expect([ready, degraded].exitStatus == .success)
        #expect([ready, SampleReports.down(.apiProxy)].exitStatus == .incomplete)
        let stuck = SampleReports.report(SampleReports.status(.progressHost, .unavailable))
        #expect([stuck, degraded].exitStatus == .incomplete)
        #expect([SampleReports.down(.apiProxy)].exitStatus == .unavailable)
    }

    @Test("JSON contains an entry per service, and takes one line when watching")
    func json() throws {
        let text = try OutputOptions.jsonLine(StatusDocument(Self.reports))
        #expect(text.split(separator: "\n").count == 1)
        let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let services = try #require(document["services"] as? [[String: Any]])
        #expect(services.map { $0["state"] as? String } == ["ready", "degraded", "down"])
        let host = try #require((services[0]["status"] as? [String: Any])?["host"] as? [String: Any])
        #expect((host["jobs"] as? [String: Any])?["waitingBulk"] as? Int == 1_200)
        #expect(services[2]["status"] == nil)
    }
}

@Suite("Reading the services' status")
struct StatusCallsTests {
    @Test("a missing service and a service of an earlier version are reported as down, and a running one as ready")
    func reports() async throws {
        let folder = "/tmp/bt-status-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let directories = try SuiteDirectories(
            Settings.load(
                arguments: [], environment: ["BOOKSTRACK_RUNTIME_DIR": folder, "BOOKSTRACK_DATA_DIR": folder]))
        func listen(_ service: ServiceInstance, _ router: RPCRouter) async throws -> RPCServer {
            try await RPCServer.bind(
                path: directories.socket(of: service), router: router, allowedUIDs: [getuid()],
                group: MultiThreadedEventLoopGroup.singleton,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        }
        var router = RPCRouter()
        router.handle(ReadStatus.self) { _, _ in SampleReports.host }
        let host = try await listen(.progressHost, router)
        let older = try await listen(.enrichmentWorker, RPCRouter())
        let reports = await StatusCalls(directories: directories).reports()
        #expect(reports.map(\.state) == ["ready", "down", "down"])
        #expect(reports.map(\.service) == [.progressHost, .enrichmentWorker, .apiProxy])
        #expect(reports[0].status?.host?.jobs.leased == 250)
        #expect(reports[2].reasons.first?.contains("there is no such socket") == true)
        let second = ServiceInstance.worker(WorkerName("second")!)
        let worker = try await listen(second, router)
        let withSecond = await StatusCalls(directories: directories).reports()
        #expect(withSecond.map(\.service) == [.progressHost, .enrichmentWorker, second, .apiProxy])
        #expect(withSecond.map(\.state) == ["ready", "down", "ready", "down"])
        await worker.shutdown()
        await host.shutdown()
        await older.shutdown()
    }
}

@Suite("bookstrack health")
struct HealthTextTests {
    @Test("the health output has a line for the service and one for each of its dependencies")
    func health() {
        let answer = HealthCheck.Result(
            service: .apiProxy, version: "1.4.0",
            readiness: ReadinessReport(
                status: .degraded,
                dependencies: [
                    .init(name: "progress-host", status: .ready, reason: "connected"),
                    .init(name: "enrichment-worker", status: .unavailable, reason: "not reachable"),
                ]))
        #expect(
            HealthCommand.text(answer, of: .apiProxy) == """
                api-proxy 1.4.0: degraded
                  progress-host: ready (connected)
                  enrichment-worker: unavailable (not reachable)

                """)
    }
}
