/// One failed attempt of a call: what the caller would get, and what it means for retry and breaker.
struct AttemptFailure: Error, Hashable, Sendable {
    let failure: ProviderFailure
    let verdict: CallVerdict
    /// The provider's `Retry-After`.
    var retryAfter: Duration?
}

extension AttemptFailure {
    /// - Parameter isCut: the call's own deadline ended the transfer, which says nothing about the provider.
    init(_ error: TransferError, isCut: Bool) {
        switch error {
        case .timedOut: self.init(failure: .timeout, verdict: isCut ? .abandoned : .failed)
        case .connectionFailed(let fault, _): self.init(failure: .connection(fault), verdict: .failed)
        case .privateAddress: self.init(failure: .redirectRefused(.privateAddress), verdict: .healthy)
        case .tooLarge: self.init(failure: .tooLarge, verdict: .healthy)
        case .malformedAnswer: self.init(failure: .malformed, verdict: .failed)
        case .invalidRequest: self.init(failure: .malformed, verdict: .abandoned)
        case .saturated: self.init(failure: .busy, verdict: .abandoned)
        case .cancelled, .stopped: self.init(failure: .cancelled, verdict: .abandoned)
        }
    }

    init(_ refusal: BudgetRefusal) {
        switch refusal {
        case .exhausted(let resetsIn):
            self.init(failure: .quotaExhausted(retryAfter: resetsIn), verdict: .abandoned)
        case .paused(let delay, let status):
            let failure: ProviderFailure = status == 429 ? .rateLimited(retryAfter: delay) : .httpStatus(status)
            self.init(failure: failure, verdict: .abandoned)
        case .queueFull, .deadline:
            self.init(failure: .busy, verdict: .abandoned)
        case .cancelled:
            self.init(failure: .cancelled, verdict: .abandoned)
        }
    }

    init(_ refusal: CircuitBreaker.Refusal) {
        let failure = ProviderFailure.breakerOpen(retryAfter: refusal.retryAfter, cause: refusal.cause)
        self.init(failure: failure, verdict: .abandoned)
    }
}
