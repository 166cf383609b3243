package import BookstrackContract

/// How a watched job ended.
package enum JobEnding: Sendable, Equatable {
    case completed(JobCompletePayload)
    case failed(JobErrorPayload)
    case cancelled(JobProgressPayload)
}
