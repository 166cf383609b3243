import BookstrackContract
import ServiceKit

/// The counts of the most recently used ended jobs. They are kept in memory because SQLite would have to read every item of a job to find them, and an
/// ended job may have thousands of watchers.
///
/// The counts of an ended job change when an item is retried (`OpenJobs.changeOutcome`) or added (`OpenJobs.itemsAdded`). A job that is removed never
/// comes back, because its number is not used again.
struct EndedJobCache {
    /// Maximum number of jobs.
    private let jobLimit: Int
    private var jobs = LRUTable<Int64, JobCounts>()

    init(jobLimit: Int = 1_024) { self.jobLimit = jobLimit }

    /// The counts of a job; nil if they are not kept.
    mutating func counts(of job: Int64) -> JobCounts? { jobs.use(job).map { jobs[$0] } }

    /// Keeps the counts of a job, or forgets them if they are nil.
    mutating func keep(_ counts: JobCounts?, of job: Int64) {
        jobs.remove(job)
        if let counts { jobs.add(counts, for: job) }
        if jobs.count > jobLimit, let oldest = jobs.leastRecent { jobs.remove(at: oldest) }
    }

    mutating func removeAll() { self = EndedJobCache(jobLimit: jobLimit) }
}
