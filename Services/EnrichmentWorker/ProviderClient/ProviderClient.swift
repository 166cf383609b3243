package import Foundation
package import Logging
internal import NIOConcurrencyHelpers
package import Observability
package import Transfer

/// A rate-limited client for one provider: a circuit breaker and a budget decide whether and when a request is sent, failed attempts are retried, and
/// redirects are checked (metadata.md "Providers").
///
/// ```swift
/// let answer = try await openLibrary.get(
///     "/search.json?q=isbn:9780441172719&fields=key,title", priority: .bulk, deadline: clock.now.advanced(by: .seconds(60)))
/// ```
///
/// Every request to the provider's origin needs a turn in the budget, so retries and redirects to it count too. Only ``probe()`` bypasses the budget.
/// A request that libcurl repeats because an idle connection was closed as it was reused needs only one turn. All clients in a process share one
/// ``TransferEngine``.
package final class ProviderClient: Sendable {
    /// A call's request.
    struct Call: Sendable {
        let path: String
        var headers: [HeaderField] = []
        /// JSON body of a POST; nil for a GET.
        var body: TransferBody?
    }

    struct State: Sendable {
        var breaker: CircuitBreaker
        /// The current key.
        var credential: ProviderCredential
        /// Whether an operator has replaced the key.
        var isKeyReplaced = false
        var requests = 0
        var inFlight = 0
        /// The refusal that has been logged.
        private var loggedRefusal: LastingRefusal?

        init(_ configuration: ProviderConfiguration) {
            breaker = CircuitBreaker(policy: configuration.breaker)
            credential = configuration.credential
        }

        /// Remembers the refusal for which the breaker is open, until the breaker closes. Returns whether the same refusal was already remembered; it
        /// is then not logged again.
        mutating func noteRefusal(_ status: BreakerStatus) -> Bool {
            switch status {
            case .closed:
                loggedRefusal = nil
                return false
            case .open(_, .refusal(let refusal)):
                defer { loggedRefusal = refusal }
                return loggedRefusal == refusal
            case .open, .halfOpen:
                return false
            }
        }
    }

    let configuration: ProviderConfiguration
    /// The provider's name in logs, metrics and figures.
    package var name: String { configuration.name }
    let engine: TransferEngine
    package let budget: RequestBudget
    let clock: any SuiteClock
    let logger: Logger
    let state: NIOLockedValueBox<State>
    let durations = Labeled(ProviderOutcome.self) { Histogram(ProviderClient.durationBounds) }

    /// Histogram bounds for the durations of calls.
    package static let durationBounds = HistogramBounds.longDurations

    package init(
        configuration: ProviderConfiguration, engine: TransferEngine, budget: RequestBudget,
        clock: any SuiteClock = SystemClock(), logger: Logger
    ) {
        self.configuration = configuration
        self.engine = engine
        self.budget = budget
        self.clock = clock
        var logger = logger
        logger[metadataKey: "provider"] = "\(configuration.name)"
        self.logger = logger
        state = NIOLockedValueBox(State(configuration))
    }

    /// Gets a path below the base URL.
    ///
    /// The call ends by `deadline`, including all waits. A 404 counts as a response.
    /// - Parameters:
    ///   - path: Path and query, percent-encoded, beginning with `/`, without the key.
    ///   - client: The client whose share of a daily budget is charged; nil if shares do not apply.
    ///   - turn: A turn already taken from the budget; it is used for the first request, or given back.
    /// - Throws: ``ProviderFailure``.
    package func get(
        _ path: String, priority: CallPriority, deadline: MonotonicInstant, client: String? = nil,
        turn: BudgetTurn? = nil
    ) async throws(ProviderFailure) -> ProviderAnswer {
        let terms = CallTerms(priority: priority, deadline: deadline, client: client)
        return try await make(Call(path: path), terms: terms, turn: turn).get()
    }

    /// Posts JSON, for example a list of ISBNs or a question to an AI engine. As with ``get(_:priority:deadline:client:turn:)``, the request may be
    /// repeated.
    /// - Parameter json: The body.
    /// - Throws: ``ProviderFailure``.
    package func post(
        _ path: String, json: TransferBody, priority: CallPriority, deadline: MonotonicInstant, client: String? = nil,
        turn: BudgetTurn? = nil
    ) async throws(ProviderFailure) -> ProviderAnswer {
        let terms = CallTerms(priority: priority, deadline: deadline, client: client)
        let headers = [HeaderField(name: "Content-Type", value: "application/json")].compactMap(\.self)
        return try await make(Call(path: path, headers: headers, body: json), terms: terms, turn: turn).get()
    }

    /// The current key.
    var credential: ProviderCredential { state.withLockedValue(\.credential) }

    /// Allows calls immediately, at an operator's request; if the next call fails, the breaker opens again. A pause requested by the provider remains
    /// in effect.
    package func resume() {
        let now = clock.now
        state.withLockedValue { state in
            state.breaker.close()
            _ = state.noteRefusal(state.breaker.status(now: now))
        }
        logger.notice("calls resumed by an operator")
    }

    /// Uses a new key for all later requests in this process, and allows calls immediately. Only attempts that have already begun follow redirects
    /// with the old key.
    /// - Returns: False if the provider is called without a key, or if this key cannot be sent.
    package func use(key: String) -> Bool {
        guard let credential = credential.replaced(by: key) else { return false }
        state.withLockedValue { ($0.credential, $0.isKeyReplaced) = (credential, true) }
        logger.notice("key replaced by an operator")
        resume()
        return true
    }

    /// The current figures.
    package var snapshot: ProviderSnapshot {
        let (now, budget) = (clock.now, budget.snapshot)
        var times: [ProviderOutcome: Distribution] = [:]
        for outcome in ProviderOutcome.allCases { times[outcome] = durations.existing(outcome)?.distribution }
        return state.withLockedValue { state in
            ProviderSnapshot(
                provider: configuration.name, durations: times, requests: state.requests, inFlight: state.inFlight,
                breaker: state.breaker.status(now: now), budget: budget, hasKey: state.credential.secret != nil,
                isKeyReplaced: state.isKeyReplaced)
        }
    }
}

extension ProviderClient {
    /// Makes one call: repeats attempts until one succeeds or ``RetrySequence`` gives up, then informs the breaker and the
    /// counters.
    private func make(
        _ call: Call, terms: CallTerms, turn: BudgetTurn?
    ) async -> Result<ProviderAnswer, ProviderFailure> {
        let start = clock.now
        state.withLockedValue { $0.inFlight += 1 }
        defer { state.withLockedValue { $0.inFlight -= 1 } }
        var attempt = ProviderAttempt(client: self, call: call, terms: terms, turn: turn)
        let (result, verdict) = await repeated(&attempt)
        if let unused = attempt.turn { budget.giveBack(unused) }
        if let permit = attempt.permit { record(verdict, of: result, permit: permit) }
        count(result, after: start.duration(to: clock.now))
        return result
    }

    private func repeated(
        _ attempt: inout ProviderAttempt
    ) async -> (Result<ProviderAnswer, ProviderFailure>, CallVerdict) {
        var retries = RetrySequence(policy: configuration.retry, deadline: attempt.terms.deadline)
        var hasFailed = false
        while true {
            do throws(AttemptFailure) {
                let response = try await attempt.run()
                return (.success(ProviderAnswer(status: response.status, body: response.body)), .healthy)
            } catch {
                hasFailed = hasFailed || error.verdict == .failed
                // An earlier attempt's failure still counts if a later attempt, or the pause before it, is cut short.
                let verdict = error.verdict == .abandoned && hasFailed ? .failed : error.verdict
                let isLast = attempt.permit?.isProbe == true
                let next = retries.failed(error.failure, retryAfter: error.retryAfter, now: clock.now)
                guard !isLast, case .retry(let instant) = next else { return (.failure(error.failure), verdict) }
                guard (try? await clock.sleep(until: instant)) != nil else {
                    return (.failure(.cancelled), verdict)
                }
            }
        }
    }

    private func record(
        _ verdict: CallVerdict, of result: Result<ProviderAnswer, ProviderFailure>, permit: BreakerPermit
    ) {
        let now = clock.now
        let (before, after, isLogged) = state.withLockedValue { state in
            let before = state.breaker.status(now: now)
            state.breaker.record(verdict, permit: permit, now: now)
            let after = state.breaker.status(now: now)
            return (before, after, state.noteRefusal(after))
        }
        guard before != after else { return }
        switch after {
        case .open(_, .refusal(let refusal)) where !isLogged:
            logger.warning(
                "\(configuration.name) \(refusal.statement); calls are paused until \(refusal.setting) is corrected",
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

/// The priority and the deadline of a call, and the client on whose behalf it is made.
struct CallTerms: Hashable, Sendable {
    let priority: CallPriority
    /// When the call's response is no longer useful.
    let deadline: MonotonicInstant
    /// The client whose share of a daily budget is charged; nil if shares do not apply.
    let client: String?
}

/// A provider's response: 2xx, 404, or a status that ``ProviderVerdict/answer`` declares to be usable.
package struct ProviderAnswer: Hashable, Sendable {
    package let status: Int
    /// The body, decompressed.
    package let body: Data
}

/// A provider's figures at one point in time.
package struct ProviderSnapshot: Hashable, Sendable {
    /// The provider's name.
    package let provider: String
    /// Durations of finished calls by outcome, including waits for a turn and retries; outcomes that have not occurred are absent.
    package let durations: [ProviderOutcome: Distribution]
    /// Number of requests sent, including retries and redirects.
    package let requests: Int
    /// Number of calls in progress.
    package let inFlight: Int
    package let breaker: BreakerStatus
    package let budget: BudgetSnapshot
    /// Whether the provider is called with a key.
    package let hasKey: Bool
    /// Whether an operator has replaced the key since the process started.
    package let isKeyReplaced: Bool

    /// Finished calls by outcome.
    package var calls: [ProviderOutcome: Int] { durations.mapValues { Int($0.count) } }
}

extension ProviderClient {
    /// Whether the provider exists; false only for an optional server on this machine whose socket file does not exist
    /// (``ProviderConfiguration/isOptional``).
    package var isPresent: Bool {
        guard configuration.isOptional, let server = configuration.server else { return true }
        return FileManager.default.fileExists(atPath: server.path)
    }

    /// Whether ``probe()`` may be repeated regularly, because it reveals the server's health and costs nothing.
    package var hasHealthPath: Bool { configuration.healthPath != nil }

    private static let probeTimeouts = TransferTimeouts(
        connect: .seconds(5), firstByte: .seconds(8), total: .seconds(10))

    /// Requests the base URL, or the provider's health path, once and without the key, bypassing budget and breaker. Redirects count as responses and
    /// are not followed. A provider without a health path is probed only at an operator's request.
    package func probe() async -> ProviderProbe {
        let base = configuration.baseURL
        let url = configuration.healthPath.flatMap { base.url(path: $0) } ?? base.description
        let start = clock.now
        let outcome: Result<Int, TransferError>
        do throws(TransferError) {
            outcome = .success(
                try await engine.perform(
                    TransferRequest(url: url, server: configuration.server, timeouts: Self.probeTimeouts)
                ).status)
        } catch {
            outcome = .failure(error)
        }
        return ProviderProbe(
            provider: configuration.name, address: configuration.server?.path ?? url,
            duration: start.duration(to: clock.now), outcome: outcome)
    }
}

/// The result of ``ProviderClient/probe()``.
package struct ProviderProbe: Hashable, Sendable {
    /// The provider's name.
    package let provider: String
    /// The requested URL, or the path of the socket.
    package let address: String
    package let duration: Duration
    /// The status of any response, or why there is none.
    package let outcome: Result<Int, TransferError>
}
