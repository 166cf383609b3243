internal import NIOConcurrencyHelpers
internal import Observability
internal import Transfer

/// The attempts of one call. Each attempt waits for its turn in the budget, consults the breaker, sends a request, and follows redirects.
struct ProviderAttempt {
    private let client: ProviderClient
    private let call: ProviderClient.Call
    let terms: CallTerms
    /// The breaker's latest permit for the call, which is used as long as the breaker still admits it; nil before the first request.
    private(set) var permit: BreakerPermit?
    /// A turn passed in with the call, until it is used.
    private(set) var turn: BudgetTurn?

    init(client: ProviderClient, call: ProviderClient.Call, terms: CallTerms, turn: BudgetTurn?) {
        self.client = client
        self.call = call
        self.terms = terms
        self.turn = turn
    }

    private var configuration: ProviderConfiguration { client.configuration }

    /// Makes one attempt, and returns the response after all redirects.
    mutating func run() async throws(AttemptFailure) -> TransferResponse {
        var grant: BudgetGrant? = try await takeTurn()
        // Every hop that sends a key sends this one. It is read only now, because an operator may have replaced the key while the call was waiting.
        let credential = client.credential
        guard let url = configuration.url(path: call.path, credential: credential) else {
            if let grant { await client.budget.giveBack(grant) }
            throw AttemptFailure(failure: .malformed, verdict: .abandoned)
        }
        var chain = RedirectChain(
            base: configuration.baseURL.origin, secret: credential.secret,
            hosts: configuration.redirectHosts, limit: configuration.redirectLimit)
        var hop = RedirectChain.Hop(url: url, trust: .configured)
        // Waiting for a turn does not count against the timeout, which covers all hops.
        var left = configuration.timeouts.total
        while true {
            let start = client.clock.now
            let outcome = await outcome(
                of: hop, credential, expiry: min(terms.deadline, start.advanced(by: left)))
            left -= start.duration(to: client.clock.now)
            if let grant { await settle(grant, after: outcome) }
            let response = try outcome.get()
            guard let target = response.redirectTarget else { return response }
            switch chain.follow(target) {
            case .success(let next):
                hop = next
                // A hop to another origin does not use one of the provider's turns.
                grant = hop.trust == .configured ? try await takeTurn() : nil
            case .failure(let refusal): throw AttemptFailure(failure: .redirectRefused(refusal), verdict: .healthy)
            }
        }
    }

    private func settle(_ grant: BudgetGrant, after outcome: Result<TransferResponse, AttemptFailure>) async {
        client.budget.finish(grant)
        guard case .failure(let failure) = outcome, case .refused = failure.verdict else { return }
        await client.budget.uncount(grant)
    }

    /// Waits for the budget. Consults the breaker first, because waiting is pointless while it is open, and again afterwards; if it refuses the call
    /// then, the turn is given back.
    private mutating func takeTurn() async throws(AttemptFailure) -> BudgetGrant {
        if let refusal = breakerRefusal() { throw AttemptFailure(refusal) }
        let grant: BudgetGrant
        do throws(BudgetRefusal) {
            if let taken = turn {
                turn = nil
                grant = try await client.budget.confirm(taken, deadline: terms.deadline)
            } else {
                grant = try await client.budget.acquire(
                    priority: terms.priority, deadline: terms.deadline, client: terms.client)
            }
        } catch {
            throw AttemptFailure(error)
        }
        if let refusal = admit() {
            await client.budget.giveBack(grant)
            throw AttemptFailure(refusal)
        }
        return grant
    }

    private func breakerRefusal() -> CircuitBreaker.Refusal? {
        let now = client.clock.now
        return client.state.withLockedValue { state in
            if let permit, state.breaker.stillAdmits(permit) { return nil }
            return state.breaker.refusal(now: now)
        }
    }

    private mutating func admit() -> CircuitBreaker.Refusal? {
        let (now, held) = (client.clock.now, permit)
        let result = client.state.withLockedValue { state in
            if let held, state.breaker.stillAdmits(held) { return Result<_, CircuitBreaker.Refusal>.success(held) }
            return state.breaker.admit(now: now)
        }
        switch result {
        case .success(let permit):
            self.permit = permit
            return nil
        case .failure(let refusal):
            return refusal
        }
    }

    /// The response to one request, a redirect, or the reason why there is neither.
    private func outcome(
        of hop: RedirectChain.Hop, _ credential: ProviderCredential, expiry: MonotonicInstant
    ) async -> Result<TransferResponse, AttemptFailure> {
        do throws(AttemptFailure) {
            let response = try await send(hop, credential, expiry: expiry)
            return .success(response.redirectTarget == nil ? try judged(response) : response)
        } catch {
            return .failure(error)
        }
    }

    private func send(
        _ hop: RedirectChain.Hop, _ credential: ProviderCredential, expiry: MonotonicInstant
    ) async throws(AttemptFailure) -> TransferResponse {
        client.state.withLockedValue { $0.requests += 1 }
        let left = client.clock.now.duration(to: expiry)
        let request = TransferRequest(
            url: hop.url, headers: call.headers + (hop.carriesCredential ? credential.headers : []),
            body: hop.carriesCredential ? call.body : nil,
            server: hop.carriesCredential ? configuration.server : nil, trust: hop.trust,
            timeouts: configuration.timeouts,
            deadline: .now.advanced(by: left), answerLimit: configuration.answerLimit)
        do throws(TransferError) {
            return try await client.engine.perform(request)
        } catch {
            throw AttemptFailure(error, isCut: client.clock.now >= terms.deadline)
        }
    }

    /// Returns the response, or throws the failure that its status or body indicates.
    private func judged(_ response: TransferResponse) throws(AttemptFailure) -> TransferResponse {
        let status = response.status
        let verdict = status >= 400 ? configuration.judge(status, response.body) : .ordinary
        switch verdict {
        case .quotaExhausted(let scope): throw quotaFailure(scope)
        case .refused(let refusal): throw AttemptFailure(failure: .refused(refusal), verdict: .refused(refusal))
        case .rateLimited(let delay): throw failure(of: 429, retryAfter: delay)
        case .ordinary, .answer: break
        }
        guard verdict == .ordinary, status != 404, !(200..<300).contains(status) else { return response }
        throw failure(
            of: status, retryAfter: response.retryAfter.flatMap { RetryAfter.delay($0, at: client.clock.date) })
    }

    /// Returns the failure for a status, and starts a pause if a 429 or 503 requests one.
    private func failure(of status: Int, retryAfter delay: Duration?) -> AttemptFailure {
        if let delay, status == 429 || status == 503 {
            client.budget.pause(until: client.clock.now.advanced(by: delay), status: status)
        }
        return switch status {
        case 429: AttemptFailure(failure: .rateLimited(retryAfter: delay), verdict: .failed, retryAfter: delay)
        case 500...: AttemptFailure(failure: .httpStatus(status), verdict: .failed, retryAfter: delay)
        default: AttemptFailure(failure: .httpStatus(status), verdict: .healthy)
        }
    }

    private func quotaFailure(_ scope: QuotaScope) -> AttemptFailure {
        guard scope == .day, client.budget.snapshot.leftToday != nil else {
            return AttemptFailure(failure: .quotaExhausted(retryAfter: nil), verdict: .quotaExhausted(reset: nil))
        }
        let delay = DailyBudget.timeToReset(from: client.clock.date)
        let reset = client.clock.now.advanced(by: delay)
        return AttemptFailure(
            failure: .quotaExhausted(retryAfter: delay), verdict: .quotaExhausted(reset: reset))
    }
}

/// A failed attempt of a call: what the caller would receive, and what it means for retries and the breaker.
struct AttemptFailure: Error, Hashable, Sendable {
    let failure: ProviderFailure
    let verdict: CallVerdict
    /// The pause that the provider requested, in `Retry-After` or in the body, or what is left of it; nil if it requested none.
    var retryAfter: Duration?
}

extension AttemptFailure {
    /// - Parameter isCut: Whether the call's own deadline ended the transfer, which does not indicate a fault of the provider.
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
            self.init(failure: failure, verdict: .abandoned, retryAfter: delay)
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
