import BookstrackContract
import ProgressClient

/// Shows the combined progress of concurrent jobs until the last one has ended.
struct JobsWatch {
    /// How often to ask a silent server whether a service is missing.
    private static let interval = Duration.seconds(3)

    let address: ServerAddress
    let output: ProgressOutput
    var calls = RetryingCalls()

    /// A job to watch.
    struct Job: Sendable {
        var id: JobID
        /// Nil if unknown; such a job cannot be watched.
        var token: String?
        /// Its number of books, as far as known before the job reports it.
        var count = 0
    }

    /// Watches the jobs; a failure with one job does not affect the others. The reports are in the order of the jobs.
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
        output.finish()
        return reports
    }

    private func watch(_ job: Job, _ place: Int, _ progress: RunProgress) async -> JobReport {
        var report = JobReport(job: job.id, token: job.token)
        guard let token = job.token else {
            report.failure = CommandFailure(.notPermitted, "its token was lost together with the response to its start")
            return report
        }
        do {
            let watcher = JobWatcher(address: address, job: job.id, token: token, pause: calls.pause)
            let ending = try await watcher.watch { update in
                switch update {
                case .interrupted(let reason, let delay): await progress.interrupted(reason, delay)
                case .frame(let bytes, let frame):
                    output.show(frame: bytes)
                    await progress.take(frame, of: place)
                }
            }
            report.take(ending)
        } catch {
            report.failure = CommandFailure(error)
        }
        return report
    }

    /// Reports what the jobs are waiting for while there is no progress.
    private func monitor(_ jobs: [Job], _ progress: RunProgress) async {
        let client = HTTPClient(address: address)
        let api = APIClient(client)
        var processed = 0
        while (try? await Task.sleep(for: Self.interval)) != nil {
            let (now, open) = await progress.position
            defer { processed = now }
            guard now == processed, let open, let token = jobs[open].token else {
                await progress.waits(for: nil)
                continue
            }
            do {
                await progress.waits(for: try await api.state(of: jobs[open].id, token: token).waitingFor)
            } catch let refusal as APIRefusal {
                await progress.waits(for: refusal.service)
            } catch {
                // The watchers report an unreachable server.
                continue
            }
        }
        await client.shutdown()
    }
}

/// The combined progress of several jobs.
actor RunProgress {
    private let output: ProgressOutput
    private var counts: [ProgressCount]
    private var isOver: [Bool]
    private var shown: ProgressCount?
    private var interruption: String?
    private var missing: String?

    init(_ output: ProgressOutput, counts: [ProgressCount]) {
        self.output = output
        self.counts = counts
        isOver = counts.map { _ in false }
    }

    /// The progress and identifier of a running job.
    var position: (processed: Int, open: Int?) {
        (counts.reduce(0) { $0 + $1.processed }, isOver.firstIndex(of: false))
    }

    /// Shows the progress of the run.
    func show() {
        var sum = ProgressCount(total: 0)
        for count in counts { sum.add(count) }
        guard shown.map(sum.saysMore) ?? true else { return }
        shown = sum
        output.show(sum)
    }

    func take(_ frame: ProgressFrame, of place: Int) {
        interruption = nil
        switch frame.content {
        case .started(let payload): counts[place].total = payload.totalCount
        case .progress(let payload) where payload.keepAlive != true: counts[place].take(payload)
        case .complete(let payload): counts[place].take(payload)
        case .progress, .failed, .reconnected, .photos, .photosCancelled, .ping, .other: break
        }
        if frame.ending != nil { isOver[place] = true }
        show()
    }

    /// Connections lost for the same reason are reported once.
    func interrupted(_ reason: String, _ delay: Duration) {
        guard interruption != reason else { return }
        interruption = reason
        output.note("\(reason); connecting again in \(delay.components.seconds) s.")
    }

    /// Reports that the jobs wait for a service, or, with nil, that they continue.
    func waits(for service: String?) {
        guard service != missing else { return }
        if let service {
            output.note("\(service) is down; the books wait until it returns.")
        } else if let missing {
            output.note("\(missing) is back.")
        }
        missing = service
    }
}

/// How a job ended, as far as known.
struct JobReport: Sendable {
    let job: JobID
    let token: String?
    /// Nil if the job was not watched to its end.
    var status: JobStatus?
    /// The server's report of the end.
    var message = ""
    /// Why the end or the results are unknown.
    var failure: CommandFailure?
    /// Its kind, if it turned out to be one whose results are read from another route.
    var otherPipeline: Pipeline?
    /// Reasons for missing results.
    var reasons: Set<FailureReason> = []

    init(job: JobID, token: String? = nil) {
        self.job = job
        self.token = token
    }

    mutating func take(_ ending: JobEnding) {
        switch ending {
        case .completed(let payload):
            (status, message) = (.completed, payload.userMessage)
            reasons = Set(FailureReason.counts(payload.failureCounts, of: payload.failureCount).keys)
        case .failed(let payload): (status, message) = (.failed, payload.userMessage)
        case .cancelled: (status, message, reasons) = (.cancelled, "the job was cancelled", [.cancelled])
        }
    }

    /// The status of the run: the books' reasons are more specific than the failure of the job.
    var exitStatus: ExitStatus {
        if let failure { return failure.status }
        return reasons.isEmpty && status == .failed ? .jobFailed : ExitStatus(reasons)
    }
}

extension [JobReport] {
    /// The status of all jobs: a job that could not be watched first, then the reasons of all books, then a failed job.
    var exitStatus: ExitStatus {
        if let failure = lazy.compactMap(\.failure).first { return failure.status }
        let reasons = reduce(into: Set<FailureReason>()) { $0.formUnion($1.reasons) }
        if reasons.isEmpty, contains(where: { $0.status == .failed }) { return .jobFailed }
        return ExitStatus(reasons)
    }
}
