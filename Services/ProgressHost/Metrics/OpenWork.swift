import BookstrackContract
import Observability

/// How many jobs have not ended, and how many of their items have no outcome. Like everything in memory a view of the database: built
/// again when that is read again.
struct OpenWork: Equatable {
    /// By place of `JobLabels`.
    private(set) var jobs = [Int](repeating: 0, count: JobLabels.placeCount)
    private(set) var items = 0

    mutating func opened(_ job: JobRow, items count: Int) {
        change(job.pipeline, job.status, by: 1)
        items += count
    }

    mutating func started(_ pipeline: Pipeline) {
        change(pipeline, .pending, by: -1)
        change(pipeline, .processing, by: 1)
    }

    mutating func ended(_ pipeline: Pipeline, hadStarted: Bool) {
        change(pipeline, hadStarted ? .processing : .pending, by: -1)
    }

    mutating func itemsEnded(_ count: Int = 1) { items -= count }

    private mutating func change(_ pipeline: Pipeline, _ status: JobStatus, by change: Int) {
        jobs[JobLabels(pipeline, status).place] += change
    }
}
