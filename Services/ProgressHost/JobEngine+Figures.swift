import BookstrackContract
import GRDB
import Observability
import ServiceKit
import SuiteMethods

extension JobEngine {
    private static let mostOpenJobs = 10

    /// What operators want to know of the jobs, from memory.
    func figures() -> HostFigures.Jobs {
        var figures = HostFigures.Jobs()
        for job in jobs.values {
            if job.row.status == .pending { figures.pending += 1 } else { figures.processing += 1 }
            switch job.lane(interactiveLimit: policy.interactiveLimit) {
            case .high: figures.waitingInteractive += job.waitingItems
            default: figures.waitingBulk += job.waitingItems
            }
        }
        figures.leased = leases.count
        figures.workers = workers.count
        figures.sockets = sessions.count
        let isDue = queue.count(in: .followUp) + queue.count(in: .backgroundRetry) > 0
        figures.nextLaterAt = isDue ? Activity.now : later.next
        figures.oldestOpen = jobs.keys.sorted().prefix(Self.mostOpenJobs).compactMap { jobs[$0]?.figure }
        figures.recentlyEnded = endedJobs.newest
        return figures
    }
}

extension ActiveJob {
    /// The job as it is now.
    var figure: JobFigure {
        JobFigure(
            jobId: row.id, status: row.status, processed: counts.processed, failed: counts.failed, total: row.total,
            createdAt: row.createdAt, endedAt: row.endedAt)
    }
}

/// The jobs that ended last, for operators; a view that starts empty with the process.
struct EndedJobs {
    private static let limit = 10

    /// Newest first.
    private(set) var newest: [JobFigure] = []

    mutating func add(_ job: JobFigure) {
        newest.insert(job, at: 0)
        if newest.count > Self.limit { newest.removeLast() }
    }
}

/// Sizes of the files of `jobs.sqlite`; 0 for one that is not there.
struct StorageFiles {
    private let path: String

    init(_ pool: DatabasePool) { path = pool.path }

    func figures(_ state: EngineThread.StorageState) -> HostFigures.Storage {
        let refusal: String? =
            switch state {
            case .working: nil
            case .refusing(let reason): reason
            }
        return HostFigures.Storage(
            refusal: refusal, databaseBytes: FileSize.bytes(at: path) ?? 0,
            logBytes: FileSize.bytes(at: path + "-wal") ?? 0)
    }
}
