import BookMetadata
import ProviderClient

/// Makes all but interactive work wait for a failing provider, so a short outage uses up no attempts and does not send every book to the next
/// provider. After ``limit``, books are looked up without the provider (Services/README.md "When a process is down").
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

    private struct Outage {
        let start: MonotonicInstant
        /// When the outage was last seen, or the end of the breaker's pause if that is later.
        let lastSeen: MonotonicInstant
    }

    private var outages: [ProviderName: Outage] = [:]

    /// Whether a provider may be queried now.
    mutating func verdict(
        on provider: ProviderName, _ status: BreakerStatus, callsInFlight: Int, now: MonotonicInstant
    ) -> Verdict {
        switch status {
        case .open(let until, .failures):
            let start = outageStart(of: provider, lastSeen: max(now, until), now: now)
            return until <= start.advanced(by: Self.limit) ? .wait(until: until) : .ask
        case .halfOpen(.failures):
            let start = outageStart(of: provider, lastSeen: now, now: now)
            return callsInFlight == 0 || start.advanced(by: Self.limit) <= now ? .ask : .waitForCall
        case .closed, .open, .halfOpen:
            outages[provider] = nil
            return .ask
        }
    }

    /// The start of a provider's outage. A new outage starts if the last one has not been seen for ``limit``: in the meantime, the provider may have
    /// recovered unnoticed.
    private mutating func outageStart(
        of provider: ProviderName, lastSeen: MonotonicInstant, now: MonotonicInstant
    ) -> MonotonicInstant {
        let known = outages[provider].flatMap { now <= $0.lastSeen.advanced(by: Self.limit) ? $0 : nil }
        let start = known?.start ?? now
        outages[provider] = Outage(start: start, lastSeen: lastSeen)
        return start
    }
}
