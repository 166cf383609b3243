/// Watches for a peer's signs of life (spec/03 "Heartbeat", spec/07: counted from the peer's last byte).
struct Heartbeat: Sendable, Equatable {
    /// What is due.
    enum Action: Sendable, Equatable {
        case nothing
        case ping
        case drop
    }

    private var lastHeard: Duration
    private var pings = 0

    init(now: Duration) { lastHeard = now }

    /// The peer sent something.
    mutating func heard(now: Duration) {
        lastHeard = now
        pings = 0
    }

    /// What is due now; a ping is due once per interval of silence.
    mutating func poll(now: Duration, interval: Duration, limit: Duration) -> Action {
        let silence = now - lastHeard
        if silence >= limit { return .drop }
        guard silence >= interval * (pings + 1) else { return .nothing }
        pings += 1
        return .ping
    }

    /// When `poll` has something to do, if nothing is heard until then.
    func nextPoll(interval: Duration, limit: Duration) -> Duration {
        lastHeard + min(limit, interval * (pings + 1))
    }
}
