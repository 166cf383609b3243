internal import Logging
internal import NIOConcurrencyHelpers
internal import Observability

extension ProviderClient {
    /// Makes one call: attempts until one succeeds or ``RetrySequence`` gives up, then tells the breaker and the counters.
    func make(_ call: Call, terms: CallTerms) async -> Result<ProviderAnswer, ProviderFailure> {
        let start = clock.now
        var attempt = ProviderAttempt(client: self, call: call, terms: terms)
        let (result, verdict) = await repeated(&attempt, since: start)
        if let permit = attempt.permit { record(verdict, of: result, permit: permit) }
        count(result, after: start.duration(to: clock.now))
        return result
    }

    private func repeated(
        _ attempt: inout ProviderAttempt, since start: MonotonicInstant
    ) async -> (Result<ProviderAnswer, ProviderFailure>, CallVerdict) {
        var retries = RetrySequence(policy: configuration.retry, deadline: attempt.terms.deadline)
        var hasFailed = false
        while true {
            do throws(AttemptFailure) {
                let response = try await attempt.run()
                let duration = start.duration(to: clock.now)
                let answer = ProviderAnswer(status: response.status, body: response.body, duration: duration)
                return (.success(answer), .healthy)
            } catch {
                hasFailed = hasFailed || error.verdict == .failed
                // An earlier attempt's failure still counts when a later one is cut short.
                let verdict = error.verdict == .abandoned && hasFailed ? .failed : error.verdict
                let isLast = attempt.permit?.isProbe == true
                let next = retries.failed(error.failure, retryAfter: error.retryAfter, now: clock.now)
                guard !isLast, case .retry(let instant) = next else { return (.failure(error.failure), verdict) }
                guard (try? await clock.sleep(until: instant)) != nil else {
                    return (.failure(.cancelled), .abandoned)
                }
            }
        }
    }

    private func record(
        _ verdict: CallVerdict, of result: Result<ProviderAnswer, ProviderFailure>, permit: BreakerPermit
    ) {
        let now = clock.now
        let (before, after, isToldRefusal) = state.withLockedValue { state in
            let before = state.breaker.status(now: now)
            state.breaker.record(verdict, permit: permit, now: now)
            let after = state.breaker.status(now: now)
            return (before, after, state.noteRefusal(after))
        }
        guard before != after else { return }
        switch after {
        case .open(_, .refusal(let refusal)) where !isToldRefusal:
            logger.warning(
                "\(configuration.name) \(refusal.statement); it is not asked until \(refusal.setting) is corrected",
                metadata: ["cause": "\(refusal.cause.rawValue)", "setting": "\(refusal.setting)"])
        case .open(_, .refusal):
            logger.debug("refused again")
        case .open(let until, let cause):
            let pause = now.duration(to: until)
            var metadata: Logger.Metadata = ["cause": "\(cause.code)", "pause": "\(pause)"]
            if case .failure(let failure) = result { metadata["failure"] = "\(failure.outcome.rawValue)" }
            logger.notice("circuit breaker open", metadata: metadata)
        case .closed:
            logger.notice("circuit breaker closed")
        case .halfOpen:
            break
        }
    }

    private func count(_ result: Result<ProviderAnswer, ProviderFailure>, after time: Duration) {
        let outcome: ProviderOutcome
        switch result {
        case .success:
            outcome = .ok
        case .failure(let failure):
            outcome = failure.outcome
            logger.debug("provider call failed", metadata: ["outcome": "\(outcome.rawValue)", "error": "\(failure)"])
        }
        durations[outcome].observe(time)
    }
}
