/// The current figures of enrichment-worker.
package struct WorkerFigures: Codable, Sendable, Equatable {
    /// Claimed items whose outcome is not confirmed.
    package var held: QueueFigure
    /// Outcomes not yet confirmed by progress-host.
    package var outbox: QueueFigure
    /// Questions that wait for a provider's answer.
    package var questions: Int
    /// Each provider that is asked.
    package var providers: [ProviderFigure]
    /// Answers of providers on disk.
    package var cache: CacheFigure

    package init(
        held: QueueFigure, outbox: QueueFigure, questions: Int, providers: [ProviderFigure], cache: CacheFigure
    ) {
        self.held = held
        self.outbox = outbox
        self.questions = questions
        self.providers = providers
        self.cache = cache
    }
}

/// The current state of the calls to one provider.
package struct ProviderFigure: Codable, Sendable, Equatable {
    /// The states of a circuit breaker.
    package enum Breaker: String, Codable, Sendable {
        case closed
        /// No call passes.
        case open
        /// One call passes, and its outcome decides.
        case halfOpen
    }

    /// A refusal by a provider that lasts until an operator corrects a setting.
    package struct Refusal: Codable, Sendable, Equatable {
        /// What is refused, as a sentence that begins with the provider's name.
        package var statement: String
        /// The setting to correct.
        package var setting: String

        package init(statement: String, setting: String) {
            self.statement = statement
            self.setting = setting
        }
    }

    /// Where the key of a provider comes from.
    package enum KeySource: String, Codable, Sendable {
        case settings
        /// An operator has replaced it until the worker's next start (``OperateProvider``).
        case `operator`
    }

    /// Name of the provider, as in metrics.
    package var name: String
    /// Requests since the process started, retries and redirects included.
    package var requests: Int
    /// Calls in progress.
    package var inFlight: Int
    /// Calls that wait for the budget.
    package var waiting: Int
    /// Requests left today; nil without a daily budget.
    package var leftToday: Int?
    /// Requests of a day; nil without a daily budget.
    package var dailyBudget: Int?
    /// Time until the day's budget starts over, milliseconds; nil without a daily budget.
    package var resetsInMilliseconds: Int?
    /// The state of its circuit breaker.
    package var breaker: Breaker
    /// Why calls are paused: "failures", "quota" or "refusal".
    package var cause: String?
    /// The refusal, if that is the cause.
    package var refusal: Refusal?
    /// Time until the next attempt, in milliseconds.
    package var opensForMilliseconds: Int?
    /// How long the provider has asked not to be called (`Retry-After`), milliseconds; nil without a pause.
    package var pausedForMilliseconds: Int?
    /// The model that an AI engine uses; nil for a provider of books.
    package var model: String?
    /// Why an AI engine cannot be reached.
    package var fault: String?
    /// Where its key comes from; nil for a provider that is called without one.
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
