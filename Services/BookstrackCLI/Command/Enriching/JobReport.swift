import BookstrackContract
import ProgressClient

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
