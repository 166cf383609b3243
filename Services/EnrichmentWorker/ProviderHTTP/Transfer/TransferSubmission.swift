/// A request on its way from the calling task to the engine's thread.
struct TransferSubmission: Sendable {
    typealias Outcome = Result<TransferResponse, TransferError>

    /// Names the transfer for cancellation.
    let id: UInt64
    let request: TransferRequest
    let caller: CheckedContinuation<Outcome, Never>
    let submitted: ContinuousClock.Instant

    /// When the transfer gives up waiting for its turn.
    var queueDeadline: ContinuousClock.Instant {
        request.deadline ?? submitted.advanced(by: request.timeouts.total)
    }
}
