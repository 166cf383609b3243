import BookstrackContract
import ServiceKit

/// The counts and events of the most recently used ended jobs. They are kept in memory because SQLite would have to read every item of a job to find
/// them, and an ended job may have thousands of watchers.
///
/// The events of an ended job never change. Its counts change when an item is retried (`OpenJobs.changeOutcome`) or added
/// (`OpenJobs.itemsAdded`). A job that is removed never comes back, because its number is not used again.
struct EndedJobCache {
    private struct Entry {
        var counts: JobCounts?
        var events: OutcomeEvents?
    }

    /// Maximum number of jobs.
    private let jobLimit: Int
    /// Maximum number of events of all jobs, of 16 bytes each.
    private let eventLimit: Int
    private var jobs = LRUTable<Int64, Entry>()
    private var eventCount = 0

    init(jobLimit: Int = 1_024, eventLimit: Int = 1 << 18) {
        self.jobLimit = jobLimit
        self.eventLimit = eventLimit
    }

    /// The counts of a job; nil if they are not kept.
    mutating func counts(of job: Int64) -> JobCounts? { jobs.use(job).flatMap { jobs[$0].counts } }

    /// The events that are stored with a job's items; nil if they are not kept.
    mutating func events(of job: Int64) -> OutcomeEvents? { jobs.use(job).flatMap { jobs[$0].events } }

    /// Keeps the counts of a job, or forgets them if they are nil.
    mutating func keep(_ counts: JobCounts?, of job: Int64) { change(job) { $0.counts = counts } }

    /// Keeps the events that are stored with a job's items.
    mutating func keep(_ events: OutcomeEvents, of job: Int64) { change(job) { $0.events = events } }

    mutating func removeAll() { self = EndedJobCache(jobLimit: jobLimit, eventLimit: eventLimit) }

    private mutating func change(_ job: Int64, _ body: (inout Entry) -> Void) {
        let place = jobs.use(job) ?? jobs.add(Entry(), for: job)
        eventCount -= jobs[place].events?.count ?? 0
        jobs.change(at: place, body)
        eventCount += jobs[place].events?.count ?? 0
        while jobs.count > jobLimit || eventCount > eventLimit, let oldest = jobs.leastRecent {
            eventCount -= jobs.remove(at: oldest).events?.count ?? 0
        }
    }
}
