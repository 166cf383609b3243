/// Stops calls to a provider that does not answer, and lets one probe find out when it does again (metadata.md "Providers").
///
/// A value: events go in with the time, decisions come out.
package struct CircuitBreaker: Sendable {
    private enum State: Hashable {
        case closed(failures: Int)
        case open(until: MonotonicInstant, cause: BreakerCause)
        case probing(cause: BreakerCause)
    }

    /// Why a call may not be made.
    package struct Refusal: Error, Hashable, Sendable {
        /// How long until a probe may pass; zero while one is under way.
        package let retryAfter: Duration
        /// Why the breaker is open.
        package let cause: BreakerCause
    }

    private let policy: BreakerPolicy
    private var state = State.closed(failures: 0)
    private var epoch: UInt64 = 0
    /// Openings for quota or refusal since the provider was last healthy; the pause doubles with each.
    private var lastingOpenings = 0

    package init(policy: BreakerPolicy = BreakerPolicy()) {
        self.policy = policy
    }

    /// What the breaker is doing at `now`.
    package func status(now: MonotonicInstant) -> BreakerStatus {
        switch state {
        case .closed: .closed
        case .open(let until, let cause): now < until ? .open(until: until, cause: cause) : .halfOpen(cause: cause)
        case .probing(let cause): .halfOpen(cause: cause)
        }
    }

    /// Why a call made at `now` would be refused; nil when it would pass. Changes nothing.
    package func refusal(now: MonotonicInstant) -> Refusal? {
        switch state {
        case .closed: nil
        case .open(let until, let cause):
            now < until ? Refusal(retryAfter: now.duration(to: until), cause: cause) : nil
        case .probing(let cause): Refusal(retryAfter: .zero, cause: cause)
        }
    }

    /// Asks for leave to make a call. Each permit must come back through ``record(_:permit:now:)``.
    package mutating func admit(now: MonotonicInstant) -> Result<BreakerPermit, Refusal> {
        if let refusal = refusal(now: now) { return .failure(refusal) }
        guard case .open(_, let cause) = state else { return .success(BreakerPermit(isProbe: false, epoch: epoch)) }
        state = .probing(cause: cause)
        return .success(BreakerPermit(isProbe: true, epoch: epoch))
    }

    /// Whether a call that was admitted earlier may send another request.
    package func stillAdmits(_ permit: BreakerPermit) -> Bool {
        permit.epoch == epoch
    }

    /// Takes the verdict of a call.
    package mutating func record(_ verdict: CallVerdict, permit: BreakerPermit, now: MonotonicInstant) {
        guard permit.epoch == epoch else { return recordLate(verdict, now: now) }
        switch (verdict, state) {
        case (.healthy, _):
            state = .closed(failures: 0)
            lastingOpenings = 0
        case (.failed, .closed(let failures)):
            state = .closed(failures: failures + 1)
            if failures + 1 >= policy.failureLimit { open(.failures, until: now.advanced(by: policy.failurePause)) }
        case (.failed, _):
            open(.failures, until: now.advanced(by: policy.failurePause))
        case (.quotaExhausted(let reset), _):
            openForLong(.quota, reset: reset, now: now)
        case (.refused(let refusal), _):
            openForLong(.refusal(refusal), reset: nil, now: now)
        case (.abandoned, .probing(let cause)):
            state = .open(until: now, cause: cause)
        case (.abandoned, _):
            break
        }
    }

    /// A call from before the last opening: only news of an exhausted quota or of a refusal still counts.
    private mutating func recordLate(_ verdict: CallVerdict, now: MonotonicInstant) {
        guard case .open(_, .failures) = state else { return }
        switch verdict {
        case .quotaExhausted(let reset): openForLong(.quota, reset: reset, now: now)
        case .refused(let refusal): openForLong(.refusal(refusal), reset: nil, now: now)
        case .healthy, .failed, .abandoned: break
        }
    }

    private mutating func openForLong(_ cause: BreakerCause, reset: MonotonicInstant?, now: MonotonicInstant) {
        let pause = min(policy.quotaCeiling, policy.quotaPause * (1 << min(lastingOpenings, 16)))
        lastingOpenings += 1
        open(cause, until: reset.map { max($0, now) } ?? now.advanced(by: pause))
    }

    private mutating func open(_ cause: BreakerCause, until instant: MonotonicInstant) {
        epoch += 1
        state = .open(until: instant, cause: cause)
    }
}
