import BookstrackClient
import BookstrackContract

/// Shows the combined progress of concurrent jobs until the last one has ended.
struct JobsWatch {
    /// How often to check whether a service is down while there is no progress.
    private static let interval = Duration.seconds(3)

    let client: BookstrackClient
    let output: ProgressOutput

    /// A job to watch.
    struct Job: Sendable {
        var id: JobID
        /// The job's number of books, if known before the job reports it.
        var count = 0
    }

    /// Watches the jobs; an error while watching one job does not affect the others. The reports are in the order of the jobs.
    func run(_ jobs: [Job]) async -> [JobReport] {
        let progress = RunProgress(output, counts: jobs.map { ProgressCount(total: $0.count) })
        await progress.show()
        let monitoring = Task { await monitor(jobs, progress) }
        defer { monitoring.cancel() }
        let reports = await withTaskGroup { group in
            for (place, job) in jobs.enumerated() {
                group.addTask { (place, await watch(job, place, progress)) }
            }
            var reports: [Int: JobReport] = [:]
            for await (place, report) in group { reports[place] = report }
            return jobs.indices.compactMap { reports[$0] }
        }
        await progress.finish()
        return reports
    }

    private func watch(_ job: Job, _ place: Int, _ progress: RunProgress) async -> JobReport {
        var report = JobReport(job: job.id)
        do {
            let last = try await client.watch(job.id) { update in
                switch update {
                case .interrupted(let interruption): await progress.interrupted(interruption)
                case .frame(let text): output.show(frame: text)
                case .event(let event): await progress.take(event, of: place)
                }
            }
            report.take(last)
        } catch let error as BookstrackError where error.code == .tokenMissing {
            report.failure = CommandFailure(
                .notPermitted, "its token was lost: the response to the start request never arrived")
        } catch {
            report.failure = CommandFailure(error)
        }
        await progress.end(place)
        return report
    }

    /// Reports what the jobs are waiting for while there is no progress.
    private func monitor(_ jobs: [Job], _ progress: RunProgress) async {
        var processed = 0
        while (try? await Task.sleep(for: Self.interval)) != nil {
            let (now, open) = await progress.position
            defer { processed = now }
            guard now == processed, let open else {
                await progress.waits(for: nil)
                continue
            }
            do {
                await progress.waits(for: try await client.state(of: jobs[open].id).waitingFor)
            } catch  where error.isRefusal {
                await progress.waits(for: error.service)
            } catch {
                // The watchers report an unreachable server.
                continue
            }
        }
    }
}

/// The combined progress of several jobs.
actor RunProgress {
    private let output: ProgressOutput
    private var counts: [ProgressCount]
    /// Whether each job is no longer watched.
    private var isOver: [Bool]
    /// The progress that was last shown; nothing is shown before the number of books of at least one job is known.
    private var shown = ProgressCount(total: 0)
    private var outage = RunOutage()

    init(_ output: ProgressOutput, counts: [ProgressCount]) {
        self.output = output
        self.counts = counts
        isOver = counts.map { _ in false }
    }

    /// The number of books processed in all jobs, and the index of the first job that is still watched; nil if there is none.
    var position: (processed: Int, open: Int?) {
        (counts.reduce(0) { $0.addingClamped($1.processed) }, isOver.firstIndex(of: false))
    }

    /// Shows the progress of the run if it has changed.
    func show() {
        var sum = ProgressCount(total: 0)
        for count in counts { sum.add(count) }
        guard sum.saysMore(than: shown) else { return }
        shown = sum
        output.show(sum)
    }

    /// Ends the line with the progress, if any was shown.
    func finish() {
        if shown != ProgressCount(total: 0) { output.finish() }
    }

    func take(_ event: JobEvent, of place: Int) {
        outage.eventArrives()
        counts[place].take(event)
        show()
    }

    /// Records that a job has ended or cannot be watched.
    func end(_ place: Int) { isOver[place] = true }

    func interrupted(_ interruption: JobInterruption) {
        if let notice = outage.interrupted(interruption) { output.note(notice) }
    }

    /// Reports that the jobs are waiting for a service or, with nil, that they are continuing.
    func waits(for service: String?) {
        if let notice = outage.waits(for: service) { output.note(notice) }
    }
}

/// Why there is no progress: a lost connection, a service that is down, or both. The methods return the messages to print; a reason is not repeated
/// while it lasts.
struct RunOutage {
    /// The newest lost connection since the last event; nil if there is none.
    private var interruption: JobInterruption?
    /// The service that the jobs are waiting for; nil if there is none.
    private var missing: String?

    /// Records that an event has arrived.
    mutating func eventArrives() { interruption = nil }

    /// Records a lost connection; returns a message unless the reason is known already.
    mutating func interrupted(_ new: JobInterruption) -> String? {
        let isKnown = new.reason == interruption?.reason || (new.service != nil && new.service == missing)
        interruption = new
        return isKnown ? nil : new.text
    }

    /// Records that the jobs are waiting for a service or, with nil, that they are continuing.
    mutating func waits(for service: String?) -> String? {
        defer { missing = service }
        guard service != missing else { return nil }
        if let service {
            return service == interruption?.service
                ? nil : "\(service) is down; the books will be looked up once it is back."
        }
        interruption = nil
        return missing.map { "\($0) is back." }
    }
}

/// How a job ended, if known.
struct JobReport: Sendable {
    let job: JobID
    /// The final state; nil if the job was not watched to its end.
    var status: JobStatus?
    /// How the job ended, as text for users; empty if that is unknown.
    var message = ""
    /// Why the job's outcome or results are unknown; nil if they are known.
    var failure: CommandFailure?
    /// The job's kind, if its results turned out to be served by another route.
    var otherPipeline: Pipeline?
    /// The reasons why books have no result.
    var reasons: Set<FailureReason> = []

    init(job: JobID) { self.job = job }

    /// Takes the last event of the job.
    mutating func take(_ event: JobEvent) {
        switch event.content {
        case .completed(let summary):
            (status, message) = (.completed, event.userMessage ?? "the job is complete")
            let counts = FailureReason.counts(summary.failureCounts, of: summary.failureCount ?? 0)
            reasons = Set(counts.keys)
        case .failed: (status, message) = (.failed, event.userMessage ?? "")
        case .cancelled: (status, message, reasons) = (.cancelled, "the job was cancelled", [.cancelled])
        case .started, .progress, .photosStarted, .photos, .photosCompleted, .state, .resultsUpdated: break
        }
    }

    /// The exit status for this job.
    var exitStatus: ExitStatus { [self].exitStatus }
}

extension [JobReport] {
    /// The exit status for all jobs. The first `failure` takes precedence, then the reasons of all books, then a failed job.
    var exitStatus: ExitStatus {
        if let failure = lazy.compactMap(\.failure).first { return failure.status }
        let reasons = reduce(into: Set<FailureReason>()) { $0.formUnion($1.reasons) }
        if reasons.isEmpty, contains(where: { $0.status == .failed }) { return .jobFailed }
        return ExitStatus(reasons)
    }
}
