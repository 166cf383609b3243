import BookstrackContract
import ProgressClient

/// Shows the progress of jobs that run side by side, as one, until the last of them has ended.
struct JobsWatch {
    /// How often a server that says nothing new is asked whether something is missing.
    private static let interval = Duration.seconds(3)

    let address: ServerAddress
    let output: ProgressOutput
    var calls = PatientCalls()

    /// A job to watch.
    struct Job: Sendable {
        var id: JobID
        /// Nil when it is not known; such a job cannot be watched.
        var token: String?
        /// Its books, as far as they are known before the job says so.
        var count = 0
    }

    /// Watches; one job's failure ends no other's watching. The reports are in the order of the jobs.
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

    /// Says what the jobs wait for while nothing moves.
    private func monitor(_ jobs: [Job], _ progress: RunProgress) async {
        let client = HTTPClient(address: address)
        let api = APIClient(client)
        var processed = 0
        while (try? await Task.sleep(for: Self.interval)) != nil {
            let (now, open) = await progress.standing
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
                // That nothing answers is what the watchers say.
                continue
            }
        }
        await client.shutdown()
    }
}

/// The progress of several jobs as one.
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

    /// How many books are done, and a job that is not over.
    var standing: (processed: Int, open: Int?) {
        (counts.reduce(0) { $0 + $1.processed }, isOver.firstIndex(of: false))
    }

    /// Shows where the run stands.
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
        case .progress, .failed, .reconnected, .ping, .other: break
        }
        if frame.ending != nil { isOver[place] = true }
        show()
    }

    /// Connections that are lost for one reason are told of once.
    func interrupted(_ reason: String, _ delay: Duration) {
        guard interruption != reason else { return }
        interruption = reason
        output.note("\(reason); connecting again in \(delay.components.seconds) s.")
    }

    /// The jobs cannot go on without a service, or can again.
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

/// How a job ended, as far as it is known.
struct JobReport: Sendable {
    let job: JobID
    let token: String?
    /// Nil when the job was not watched to its end.
    var status: JobStatus?
    /// What the server says of the end.
    var message = ""
    /// Why the end, or the results, could not be seen.
    var failure: CommandFailure?
    /// Reasons for which books have no result.
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

    /// What the end means for the run: the reasons of the books say more than that the job failed.
    var exitStatus: ExitStatus {
        if let failure { return failure.status }
        return reasons.isEmpty && status == .failed ? .jobFailed : ExitStatus(reasons)
    }
}

extension [JobReport] {
    /// The status of all of them: a job that could not be watched first, then the reasons of all books, then a failed job.
    var exitStatus: ExitStatus {
        if let failure = lazy.compactMap(\.failure).first { return failure.status }
        let reasons = reduce(into: Set<FailureReason>()) { $0.formUnion($1.reasons) }
        if reasons.isEmpty, contains(where: { $0.status == .failed }) { return .jobFailed }
        return ExitStatus(reasons)
    }
}
