/// The current figures of enrichment-worker.
package struct WorkerFigures: Codable, Sendable, Equatable {
    /// Claimed items without a confirmed outcome.
    package var held: QueueFigure
    /// Outcomes not yet confirmed by progress-host.
    package var outbox: QueueFigure
    /// Callers waiting for a provider's response; several may wait for the same one.
    package var waitingCallers: Int
    /// The providers that are queried, followed by the AI engines.
    package var providers: [ProviderFigure]
    /// Cached provider responses on disk.
    package var cache: CacheFigure

    private enum CodingKeys: String, CodingKey {
        case held
        case outbox
        // The name in version 0.2.0, whose processes may call this version's during an upgrade.
        case waitingCallers = "questions"
        case providers
        case cache
    }

    package init(
        held: QueueFigure, outbox: QueueFigure, waitingCallers: Int, providers: [ProviderFigure], cache: CacheFigure
    ) {
        self.held = held
        self.outbox = outbox
        self.waitingCallers = waitingCallers
        self.providers = providers
        self.cache = cache
    }
}

/// The current state of calls to one provider.
package struct ProviderFigure: Codable, Sendable, Equatable {
    /// The states of a circuit breaker.
    package enum Breaker: String, Codable, Sendable {
        case closed
        /// Calls are blocked.
        case open
        /// One trial call is allowed or in progress; its outcome determines the next state.
        case halfOpen
    }

    /// A provider's refusal that lasts until an operator corrects a setting.
    package struct Refusal: Codable, Sendable, Equatable {
        /// The refusal, as a predicate that follows the provider's name.
        package var statement: String
        /// The setting to correct.
        package var setting: String

        package init(statement: String, setting: String) {
            self.statement = statement
            self.setting = setting
        }
    }

    /// The source of a provider's key.
    package enum KeySource: String, Codable, Sendable {
        case settings
        /// An operator has replaced the key until the worker restarts (``OperateProvider``).
        case `operator`
    }

    /// Name of the provider, as in metrics.
    package var name: String
    /// Requests since the process started, including retries and redirects.
    package var requests: Int
    /// Number of calls in progress.
    package var inFlight: Int
    /// Number of calls waiting for the budget.
    package var waiting: Int
    /// Requests left today; nil without a daily budget.
    package var leftToday: Int?
    /// Maximum requests per day; nil without a daily budget.
    package var dailyBudget: Int?
    /// Milliseconds until the daily budget is reset; nil without a daily budget.
    package var resetsInMilliseconds: Int?
    /// The state of the provider's circuit breaker.
    package var breaker: Breaker
    /// Why the breaker is not closed: "failures", "quota" or "refusal"; nil while it is closed.
    package var cause: String?
    /// The refusal, if the breaker is not closed because of one.
    package var refusal: Refusal?
    /// Milliseconds until the open breaker allows a trial call; nil unless it is open.
    package var opensForMilliseconds: Int?
    /// Time left of the pause that the provider requested (`Retry-After`), in milliseconds; nil without a pause.
    package var pausedForMilliseconds: Int?
    /// The model that an AI engine uses; nil for a book provider.
    package var model: String?
    /// Why an AI engine cannot be reached; nil if it is reachable, or if it is not checked because it is called with a key.
    package var fault: String?
    /// The source of the key; nil for a provider that is called without one.
    package var key: KeySource?

    package init(
        name: String, requests: Int, inFlight: Int, waiting: Int, leftToday: Int?, breaker: Breaker,
        cause: String? = nil, opensForMilliseconds: Int? = nil
    ) {
        self.name = name
        self.requests = requests
        self.inFlight = inFlight
        self.waiting = waiting
        self.leftToday = leftToday
        self.breaker = breaker
        self.cause = cause
        self.opensForMilliseconds = opensForMilliseconds
    }
}
