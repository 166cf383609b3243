/// When failed items are tried again (jobs.md "Retries").
struct RetryPolicy: Sendable {
    /// Upper bounds of the waits within a job; a wait is drawn evenly from zero to its bound (full jitter).
    var withinJob: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2)]
    /// Waits from the job's end.
    var background: [Duration] = [.seconds(3_600), .seconds(4 * 3_600), .seconds(24 * 3_600)]

    /// What follows a failure.
    enum Step: Sendable, Equatable {
        case retry(after: Duration)
        case giveUp
    }

    /// What follows the failure of an attempt that had `attempts` before it; `jitter` is drawn from 0 up to 1.
    func afterFailure(attempts: Int, retryable: Bool, jitter: Double) -> Step {
        guard retryable, withinJob.indices.contains(attempts) else { return .giveUp }
        return .retry(after: withinJob[attempts] * jitter)
    }

    /// The first round of the background retries that is due after `now`, nil when there is none left.
    func nextBackground(after now: Int64, endedAt: Int64) -> (round: Int, due: Int64)? {
        for (round, wait) in background.enumerated() where endedAt + wait.milliseconds > now {
            return (round, endedAt + wait.milliseconds)
        }
        return nil
    }
}
