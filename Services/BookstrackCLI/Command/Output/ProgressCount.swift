import BookstrackContract

/// How far a run of one or more jobs is.
struct ProgressCount: Equatable {
    var total: Int
    var found = 0
    var notFound = 0
    /// What was looked up last.
    var title = ""
    /// Seconds that the rest will take.
    var secondsLeft: Int?

    var processed: Int { found + notFound }

    /// Whether it is worth another line: the time left alone is not.
    func saysMore(than other: ProgressCount) -> Bool {
        (total, found, notFound, title) != (other.total, other.found, other.notFound, other.title)
    }

    /// Takes a frame's counts on top of those of the jobs before.
    mutating func take(_ payload: JobProgressPayload, before: ProgressCount) {
        found = before.found + payload.successCount
        notFound = before.notFound + payload.failureCount
        if !payload.currentTitle.isEmpty { title = payload.currentTitle }
        secondsLeft = payload.estimatedTimeRemaining
    }

    /// Takes a finished job's counts.
    mutating func take(_ payload: JobCompletePayload, before: ProgressCount) {
        found = before.found + payload.successCount
        notFound = before.notFound + payload.failureCount
        secondsLeft = nil
    }
}
