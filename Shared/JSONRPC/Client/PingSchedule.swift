import NIOCore

/// When to ping a peer, and when to give it up: whatever arrives from it counts as life.
///
/// A silent peer is pinged every interval and given up three and a half intervals after its last byte, when three pings
/// have gone unanswered. With the suite's 2 s that is 7 s, within the 8 s of spec/07.
struct PingSchedule {
    enum Action: Equatable {
        /// Nothing to do before this time.
        case wait(until: NIODeadline)
        /// Ping now, and look again at this time.
        case ping(again: NIODeadline)
        /// The peer is silent for too long.
        case drop
    }

    private let interval: TimeAmount
    private let patience: TimeAmount
    private var lastPing: NIODeadline?

    init(interval: Duration) {
        self.interval = interval.timeAmount
        patience = .nanoseconds(interval.timeAmount.nanoseconds / 2 * 7)
    }

    /// What to do now, when the peer's last byte came at `lastSign`.
    mutating func action(at now: NIODeadline, lastSign: NIODeadline) -> Action {
        let end = lastSign + patience
        guard now < end else { return .drop }
        let due = max(lastSign, lastPing ?? lastSign) + interval
        guard now >= due else { return .wait(until: min(due, end)) }
        lastPing = now
        return .ping(again: min(now + interval, end))
    }
}
