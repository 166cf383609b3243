import BookMetadata
import ProviderClient

/// Makes bulk work wait a while for a failing provider, so a short outage uses up no attempts and does not send every book to the next provider.
/// After that, books are looked up without the provider (Services/README.md "When a process is down").
///
/// A value type: it receives the breaker's status and decides when the provider may be queried.
struct OutageTimeout: Sendable {
    /// Maximum wait for the end of an outage.
    static let limit = Duration.seconds(30)

    /// What to do now.
    enum Verdict: Equatable, Sendable {
        case ask
        case wait(until: MonotonicInstant)
        /// The result of a call in flight decides.
        case waitForCall
    }

    private var since: [ProviderName: MonotonicInstant] = [:]

    /// Whether a provider may be queried now.
    mutating func verdict(
        on provider: ProviderName, _ status: BreakerStatus, callsInFlight: Int, now: MonotonicInstant
    ) -> Verdict {
        switch status {
        case .open(let until, .failures):
            let start = since[provider] ?? now
            since[provider] = start
            return until <= start.advanced(by: Self.limit) ? .wait(until: until) : .ask
        case .halfOpen(.failures):
            let isOld = since[provider].map { $0.advanced(by: Self.limit) <= now } ?? false
            return callsInFlight == 0 || isOld ? .ask : .waitForCall
        case .closed, .open, .halfOpen:
            since[provider] = nil
            return .ask
        }
    }
}
