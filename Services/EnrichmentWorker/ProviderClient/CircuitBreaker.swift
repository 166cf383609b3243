/// Stops calls to a provider that fails or refuses them, and allows single probes to detect when it is available again (metadata.md "Providers").
///
/// A value type: it receives events with their times and returns decisions.
package struct CircuitBreaker: Sendable {
    private enum State: Hashable {
        case closed(failures: Int)
        case open(until: MonotonicInstant, cause: BreakerCause)
        case probing(cause: BreakerCause)
    }

    /// Why a call may not be made.
    package struct Refusal: Error, Hashable, Sendable {
        /// Time until a probe is allowed; zero while a probe is in progress.
        package let retryAfter: Duration
        /// Why the breaker is open.
        package let cause: BreakerCause
    }

    private let policy: BreakerPolicy
    private var state = State.closed(failures: 0)
    private var epoch: UInt64 = 0
    /// Number of times the breaker opened because of a quota or refusal since the provider was last healthy or an operator closed the breaker; the
    /// pause doubles each time.
    private var lastingOpenings = 0

    package init(policy: BreakerPolicy = BreakerPolicy()) {
        self.policy = policy
    }

    /// The state of the breaker at `now`.
    package func status(now: MonotonicInstant) -> BreakerStatus {
        switch state {
        case .closed: .closed
        case .open(let until, let cause): now < until ? .open(until: until, cause: cause) : .halfOpen(cause: cause)
        case .probing(let cause): .halfOpen(cause: cause)
        }
    }

    /// Why a call made at `now` would be refused; nil if it would be allowed. Does not change the state.
    package func refusal(now: MonotonicInstant) -> Refusal? {
        switch state {
        case .closed: nil
        case .open(let until, let cause):
            now < until ? Refusal(retryAfter: now.duration(to: until), cause: cause) : nil
        case .probing(let cause): Refusal(retryAfter: .zero, cause: cause)
        }
    }

    /// Requests permission to make a call. The permit must be returned through ``record(_:permit:now:)``, unless the breaker no longer admits it
    /// (``stillAdmits(_:)``).
    package mutating func admit(now: MonotonicInstant) -> Result<BreakerPermit, Refusal> {
        if let refusal = refusal(now: now) { return .failure(refusal) }
        guard case .open(_, let cause) = state else { return .success(BreakerPermit(isProbe: false, epoch: epoch)) }
        state = .probing(cause: cause)
        return .success(BreakerPermit(isProbe: true, epoch: epoch))
    }

    /// Whether a call admitted earlier may send another request.
    package func stillAdmits(_ permit: BreakerPermit) -> Bool {
        permit.epoch == epoch
    }

    /// Records the result of a call.
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

    /// Allows calls immediately, at an operator's request; if the next call fails, the breaker opens again. The results of calls in progress no
    /// longer count, with one exception: an exhausted quota or a refusal counts if failures have opened the breaker again.
    package mutating func close() {
        epoch += 1
        state = .closed(failures: policy.failureLimit - 1)
        lastingOpenings = 0
    }

    /// Records the result of a call admitted before the breaker last opened, or was closed by an operator: only an exhausted quota or a refusal
    /// counts, and only while the breaker is open because of failures.
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

/// When a circuit breaker opens, and for how long (metadata.md "Providers").
package struct BreakerPolicy: Hashable, Sendable {
    /// Number of consecutive failed calls that opens the breaker; default 5.
    package var failureLimit: Int
    /// Pause before a probe after failures; default 10 s.
    package var failurePause: Duration
    /// Pause before a probe after a lasting refusal, or after an exhausted quota whose reset is unknown, doubled each time; default 60 s.
    package var quotaPause: Duration
    /// Maximum length of the pause after doubling ``quotaPause``; default 1 h.
    package var quotaCeiling: Duration

    package init(
        failureLimit: Int = 5, failurePause: Duration = .seconds(10), quotaPause: Duration = .seconds(60),
        quotaCeiling: Duration = .seconds(3600)
    ) {
        self.failureLimit = failureLimit
        self.failurePause = failurePause
        self.quotaPause = quotaPause
        self.quotaCeiling = quotaCeiling
    }
}

/// Permission to make one call, given by ``CircuitBreaker/admit(now:)`` and returned with the call's result.
package struct BreakerPermit: Hashable, Sendable {
    /// Whether the call is the probe that decides whether the breaker closes; a probe is not retried.
    package let isProbe: Bool
    /// Number of times that the breaker had opened, or been closed by an operator, when the call was admitted. If this number has changed
    /// when the call ends, only an exhausted quota or a refusal counts, and only while the breaker is open because of failures.
    let epoch: UInt64
}

/// What a finished call means for the provider's health.
package enum CallVerdict: Hashable, Sendable {
    /// The provider responded, possibly refusing this particular request.
    case healthy
    /// The provider failed: timeout, connection failure, malformed response, 429, 5xx.
    case failed
    /// The quota is used up, until `reset` if known.
    case quotaExhausted(reset: MonotonicInstant?)
    /// Every call is refused until a setting is corrected.
    case refused(LastingRefusal)
    /// The call ended without information about the provider.
    case abandoned
}

/// The state of a circuit breaker at one moment.
package enum BreakerStatus: Hashable, Sendable {
    /// Calls are allowed.
    case closed
    /// No call is allowed before the instant.
    case open(until: MonotonicInstant, cause: BreakerCause)
    /// The pause has ended: one call is allowed or in flight, and its result determines the next state.
    case halfOpen(cause: BreakerCause)
}

/// Why a circuit breaker opened.
package enum BreakerCause: Hashable, Sendable {
    /// Too many consecutive calls failed, or a probe failed.
    case failures
    /// The provider's quota is used up.
    case quota
    /// The provider refuses every call until a setting is corrected.
    case refusal(LastingRefusal)

    /// A stable name for logs and figures.
    package var code: String {
        switch self {
        case .failures: "failures"
        case .quota: "quota"
        case .refusal: "refusal"
        }
    }

    /// The refusal, if the breaker opened because of one.
    package var refusal: LastingRefusal? {
        if case .refusal(let refusal) = self { refusal } else { nil }
    }
}

/// A refusal that lasts until an operator corrects a setting (metadata.md "Providers").
///
/// The breaker opens at the first such refusal, which is logged once and does not count against the daily budget. After a minute, a probe checks
/// whether the refusal still applies; the interval doubles up to an hour.
package struct LastingRefusal: Hashable, Sendable {
    /// The reason for the refusal.
    package enum Cause: String, Sendable {
        /// The key is not accepted.
        case key
        /// The provider cannot determine the country from which the requests come.
        case country
        /// The provider does not serve the country from which the requests come.
        case region
        /// The model does not exist, or is not available for this key.
        case model
        /// The requests contain no contact details.
        case identification
    }

    package let cause: Cause
    /// The setting to correct, for example `BOOKSTRACK_GOOGLE_BOOKS_API_KEY`.
    package let setting: String
    /// Name of the refused model, if the model is the cause.
    package let model: String?

    package init(_ cause: Cause, setting: String, model: String? = nil) {
        self.cause = cause
        self.model = model
        self.setting = setting
    }

    /// The problem, as a predicate that follows the provider's name.
    package var statement: String {
        switch cause {
        case .key: "refuses the key"
        case .country: "cannot determine which country the requests come from"
        case .region: "does not serve the country that the requests come from"
        case .model: "does not have the model" + (model.map { " \($0)" } ?? "")
        case .identification: "refuses requests without contact details"
        }
    }
}
