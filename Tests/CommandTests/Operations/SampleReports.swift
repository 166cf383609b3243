import BookstrackContract
import ServiceKit
import SuiteMethods

@testable import BookstrackCLI

/// Sample status results of services.
enum SampleReports {
    /// Milliseconds since 1970.
    static let now: Int64 = 1_763_236_800_000

    static func status(
        _ service: ServiceName, _ state: ReadinessStatus = .ready, because reason: String = "connected",
        version: String = SuiteVersion.text
    ) -> ReadStatus.Result {
        ReadStatus.Result(
            service: service, version: version, pid: 42, startedAt: now - 7_500_000,
            readiness: ReadinessReport(
                status: state, dependencies: [.init(name: "peer", status: state, reason: reason)]))
    }

    static var host: ReadStatus.Result {
        var jobs = HostFigures.Jobs()
        (jobs.pending, jobs.processing) = (2, 1)
        (jobs.waitingInteractive, jobs.waitingBulk, jobs.leased, jobs.workers, jobs.sockets) = (4, 1_200, 250, 1, 3)
        jobs.nextLaterAt = now + 60_000
        jobs.oldestOpen = [
            JobFigure(
                jobId: JobID("open-job-1")!, status: .processing, processed: 50, failed: 3, total: 1_500,
                createdAt: now - 90_000, endedAt: nil)
        ]
        jobs.recentlyEnded = [
            JobFigure(
                jobId: JobID("ended-job-1")!, status: .completed, processed: 9, failed: 1, total: 9,
                createdAt: now - 99_000, endedAt: now - 5_000)
        ]
        var status = status(.progressHost)
        status.host = HostFigures(
            jobs: jobs,
            storage: HostFigures.Storage(refusal: nil, databaseBytes: 12 << 20, logBytes: 4_096),
            mailbox: QueueFigure(length: 7, limit: 65_536))
        return status
    }

    static var worker: ReadStatus.Result {
        var status = status(.enrichmentWorker, .degraded, because: "the day's budget is used up")
        status.worker = WorkerFigures(
            held: QueueFigure(length: 250, limit: 750), outbox: QueueFigure(length: 0, limit: 1_000),
            waitingCallers: 12,
            providers: [
                ProviderFigure(
                    name: "google-books", requests: 1_000, inFlight: 0, waiting: 0, leftToday: 0, breaker: .open,
                    cause: "quota", opensForMilliseconds: 60_000),
                ProviderFigure(
                    name: "openlibrary", requests: 60, inFlight: 3, waiting: 9, leftToday: nil, breaker: .closed),
            ], cache: CacheFigure(bytes: 1 << 20, limit: 256 << 20, hits: 3, staleHits: 0, misses: 9))
        return status
    }

    static func report(_ status: ReadStatus.Result, of service: ServiceInstance? = nil) -> ServiceReport {
        let standard = ServiceInstance.standard.first { $0.service == status.service }
        return ServiceReport(service: service ?? standard ?? .apiProxy, answer: .success(status))
    }

    static func down(_ service: ServiceInstance, _ reason: ServiceFailure.Reason = .absent) -> ServiceReport {
        ServiceReport(service: service, answer: .failure(ServiceFailure(service, at: "/run/x", reason)))
    }
}
