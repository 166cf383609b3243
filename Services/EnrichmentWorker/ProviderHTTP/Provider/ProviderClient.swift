package import Logging
internal import NIOConcurrencyHelpers
package import Observability

/// One provider, called politely: identical calls are made once, a circuit breaker and a budget decide whether and when a request
/// is sent, failed attempts are repeated, redirects are judged (metadata.md "Providers").
///
/// ```swift
/// let answer = try await openLibrary.get(
///     "/search.json?q=isbn:9780441172719&fields=key,title", priority: .bulk, deadline: clock.now.advanced(by: .seconds(60)))
/// ```
///
/// An attempt is a request for which the budget gave a turn, so retries and redirects count as what they are. All clients of a
/// process share one ``TransferEngine``.
package final class ProviderClient: Sendable {
    /// What is asked; equal calls have equal answers.
    struct Call: Hashable, Sendable {
        let path: String
        var headers: [HeaderField] = []
        /// JSON to post; nil for a GET.
        var body: String?
    }

    struct State: Sendable {
        var breaker: CircuitBreaker
        var joined = 0
        var requests = 0
        /// The refusal that the log has told of.
        private var toldRefusal: LastingRefusal?

        init(breaker: CircuitBreaker) { self.breaker = breaker }

        /// Notes what the breaker does now. Returns whether the log has told of its refusal already, which it does once until a call
        /// succeeds.
        mutating func noteRefusal(_ status: BreakerStatus) -> Bool {
            switch status {
            case .closed:
                toldRefusal = nil
                return false
            case .open(_, .refusal(let refusal)):
                defer { toldRefusal = refusal }
                return toldRefusal == refusal
            case .open, .halfOpen:
                return false
            }
        }
    }

    let configuration: ProviderConfiguration
    let engine: TransferEngine
    package let budget: RequestBudget
    let clock: any ProviderClock
    let logger: Logger
    let state: NIOLockedValueBox<State>
    let durations = Labelled(ProviderOutcome.self) { Histogram(ProviderClient.durationBounds) }
    private let flights = SingleFlight<Call, Result<ProviderAnswer, ProviderFailure>>()

    /// Of the durations of calls.
    package static let durationBounds = HistogramBounds.patience

    package init(
        configuration: ProviderConfiguration, engine: TransferEngine, budget: RequestBudget,
        clock: any ProviderClock = SystemProviderClock(), logger: Logger
    ) {
        self.configuration = configuration
        self.engine = engine
        self.budget = budget
        self.clock = clock
        var logger = logger
        logger[metadataKey: "provider"] = "\(configuration.name)"
        self.logger = logger
        state = NIOLockedValueBox(State(breaker: CircuitBreaker(policy: configuration.breaker)))
    }

    /// Gets a path below the base URL.
    ///
    /// The call ends by `deadline`, whatever it waits for. It may share the result of an identical call that is under way and
    /// at least as urgent. 404 is an answer.
    /// - Parameters:
    ///   - path: path and query, percent-encoded, beginning with `/`, without the key.
    ///   - headers: beside `User-Agent`, `Accept-Encoding` and the key; sent along redirects, so no place for secrets.
    ///   - client: whose share of a daily budget the call counts against; nil where shares do not count.
    /// - Throws: ``ProviderFailure``.
    package func get(
        _ path: String, headers: [HeaderField] = [], priority: CallPriority, deadline: MonotonicInstant,
        client: String? = nil
    ) async throws(ProviderFailure) -> ProviderAnswer {
        let terms = CallTerms(priority: priority, deadline: deadline, client: client)
        return try await answer(to: Call(path: path, headers: headers), terms)
    }

    /// Posts a question that has no room in an address, as ``get(_:headers:priority:deadline:client:)`` gets: it may be repeated.
    /// - Parameter json: the body.
    /// - Throws: ``ProviderFailure``.
    package func post(
        _ path: String, json: String, priority: CallPriority, deadline: MonotonicInstant, client: String? = nil
    ) async throws(ProviderFailure) -> ProviderAnswer {
        let terms = CallTerms(priority: priority, deadline: deadline, client: client)
        guard let type = HeaderField(name: "Content-Type", value: "application/json") else { throw .malformed }
        return try await answer(to: Call(path: path, headers: [type], body: json), terms)
    }

    private func answer(to call: Call, _ terms: CallTerms) async throws(ProviderFailure) -> ProviderAnswer {
        while true {
            let landing = await flights.run(call, terms: terms) { await self.make(call, terms: terms) }
            guard case .landed(let result, let joined) = landing else { throw .cancelled }
            guard let joined else { return try result.get() }
            state.withLockedValue { $0.joined += 1 }
            let now = clock.now
            // The flight ended at its own, earlier deadline: what is left of this call's time is worth another.
            if case .failure(.timeout) = result, joined.deadline <= now, now < terms.deadline { continue }
            return try result.get()
        }
    }

    /// Lets ``snapshot`` show what other processes have used of the day.
    package func refreshBudget() async { await budget.refresh() }

    /// The figures now.
    package var snapshot: ProviderSnapshot {
        let (now, budget, inFlight) = (clock.now, budget.snapshot, flights.count)
        var times: [ProviderOutcome: Distribution] = [:]
        for outcome in ProviderOutcome.allCases { times[outcome] = durations.existing(outcome)?.distribution }
        return state.withLockedValue { state in
            ProviderSnapshot(
                provider: configuration.name, durations: times, joined: state.joined, requests: state.requests,
                inFlight: inFlight, breaker: state.breaker.status(now: now), budget: budget)
        }
    }
}
