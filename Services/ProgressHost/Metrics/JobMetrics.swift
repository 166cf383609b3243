import BookstrackContract
import Observability

/// Metrics of accepted, open and ended jobs, and of drafts.
struct JobMetrics: Sendable {
    /// The labels of open jobs.
    private static let openLabels = Pipeline.allCases.flatMap { pipeline in
        [JobStatus.pending, .processing].map { JobLabels(pipeline, $0) }
    }

    private let created: Labeled<StartLabels, Counter>
    private let ended: Labeled<JobLabels, Histogram>
    private let open: Labeled<JobLabels, Gauge>
    private let drafts: Gauge

    init(_ registry: MetricRegistry) {
        created = registry.counters(
            "bookstrack_jobs_created_total", help: "Accepted jobs, by what triggered them.",
            by: StartLabels.self)
        ended = registry.histograms(
            "bookstrack_job_duration_seconds", help: "Time from a job's acceptance to its end, by status.",
            by: JobLabels.self, .longDurations)
        open = registry.gauges("bookstrack_jobs_open", help: "Jobs that have not ended.", by: JobLabels.self)
        drafts = registry.gauge("bookstrack_drafts_open", help: "Jobs whose items are still arriving.")
        showFromTheStart()
    }

    /// Creates the series at 0, so their first increase is visible.
    private func showFromTheStart() {
        for labels in StartLabels.allCases { _ = created[labels] }
        for pipeline in Pipeline.allCases {
            for status in [JobStatus.completed, .failed, .cancelled] { _ = ended[JobLabels(pipeline, status)] }
        }
        for labels in Self.openLabels { _ = open[labels] }
    }

    func count(_ tally: TurnTally) {
        for labels in tally.created { created[labels].add() }
        for job in tally.ended { ended[JobLabels(job.pipeline, job.status)].observe(job.duration) }
    }

    func show(_ engine: JobEngine) {
        for labels in Self.openLabels {
            open[labels].set(engine.jobs.openWork.jobs[labels, default: 0])
        }
        drafts.set(engine.drafts.count)
    }
}

/// The numbers of open jobs and of their items without an outcome. This is a view of the database and is rebuilt when the database is read again.
struct OpenWork: Equatable {
    private(set) var jobs: [JobLabels: Int] = [:]
    private(set) var items = 0

    /// Adds a job. One that was being cancelled when it was last stored counts as pending or processing, as it did before its cancellation.
    mutating func opened(_ job: JobRow, items count: Int) {
        change(job.pipeline, job.startedAt == nil ? .pending : .processing, by: 1)
        items += count
    }

    mutating func started(_ pipeline: Pipeline) {
        change(pipeline, .pending, by: -1)
        change(pipeline, .processing, by: 1)
    }

    mutating func ended(_ pipeline: Pipeline, hadStarted: Bool) {
        change(pipeline, hadStarted ? .processing : .pending, by: -1)
    }

    mutating func itemsAdded(_ count: Int) { items += count }

    mutating func itemsEnded(_ count: Int = 1) { items -= count }

    private mutating func change(_ pipeline: Pipeline, _ status: JobStatus, by change: Int) {
        let count = jobs[JobLabels(pipeline, status), default: 0] + change
        jobs[JobLabels(pipeline, status)] = count == 0 ? nil : count
    }
}
